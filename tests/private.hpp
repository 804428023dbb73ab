#pragma once
// The way to a private member, for what a test can see nowhere else: an explicit instantiation may name any member.
//
//   struct patience { using type = nanoseconds (search::*)(const pool_thread&) const noexcept; };
//   template struct heist_test::opened<patience, &search::patience>;
//   (pool.search.*heist_test::member<patience>)(thread);

namespace heist_test {

template <class Name>
inline typename Name::type member{};  // from the program's start on

template <class Name, typename Name::type Member>
struct opened {
  static inline const bool known = (member<Name> = Member, true);
};

}  // namespace heist_test

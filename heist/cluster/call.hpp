#pragma once
// A branch that can travel: a registered function, and values to call it with.

#include <heist/base/export.hpp>
#include <heist/cancelled.hpp>
#include <heist/cluster/checks.hpp>
#include <heist/cluster/failures.hpp>
#include <heist/cluster/lender.hpp>
#include <heist/cluster/notes.hpp>
#include <heist/cluster/registry.hpp>

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::cluster::detail {

// Of a value that a call is made with. One that can only be moved is copied by its bytes, for a call may be made again.
template <class T>
HEIST_INLINE T copy_of(const T& value) {
  if constexpr (std::is_copy_constructible_v<T>) {
    return value;
  } else {
    bytes packed;
    writer w(packed);
    put(w, value);
    reader r(packed);
    return get<T>(r);
  }
}

// Arguments as values. A std::tuple would do, but is never trivially copyable: a join would keep it by reference.
template <class... A>
struct values {
  static values read(reader&) { return {}; }
  void write(writer&) const {}
  template <class F, class... Before>
  decltype(auto) apply(F f, Before&&... before) const {
    return f(std::forward<Before>(before)...);
  }
};
template <class First, class... Rest>
struct values<First, Rest...> {
  First first;
  [[no_unique_address]] values<Rest...> rest;

  static values read(reader& r) {
    First f = get<First>(r);  // before the rest
    return {std::move(f), values<Rest...>::read(r)};
  }
  void write(writer& w) const {
    put(w, first);
    rest.write(w);
  }
  template <class F, class... Before>
  decltype(auto) apply(F f, Before&&... before) const {
    return rest.apply(f, std::forward<Before>(before)..., copy_of(first));
  }
};
template <class... A>
using decayed_values = values<std::remove_cv_t<A>...>;

// What came back instead of a call: the call's result.
template <class Call>
typename Call::result received(const Call& c, arrival back) {
  switch (back.how) {
    case fate::value:
      try {
        reader r(back.content);
        if constexpr (std::is_void_v<typename Call::result>) {
          c.accept(r);
          return r.must_be_at_end();
        } else {
          auto value = c.accept(r);
          r.must_be_at_end();
          return value;
        }
      } catch (const std::exception&) {
        report_undecodable(entry_of<Call>);
        return c.here();
      }
    case fate::failure:
      if (const std::exception_ptr e = unpack_failure(back.content)) std::rethrow_exception(e);
      report_undecodable(entry_of<Call>);
      return c.here();
    case fate::unwanted: throw heist::cancelled();
    default: return c.here();
  }
}

template <class Call>
typename Call::result call_or_adopt(const Call& c, about_to what_for = about_to::call);

// What every Call does when a thief from outside has taken it. Such a class has write(writer&), here(), which does the work on
// this machine, and accept(reader&), which makes its result of bytes.
template <class Call>
typename Call::result travel_as(const Call& c) {
  const entry& what = entry_of<Call>;
  std::optional<bytes> packed(std::in_place);
  try {
    writer w(*packed, most_bytes());
    c.write(w);
  } catch (const too_large&) {
    packed.reset();
    report_too_large(what);
  } catch (...) {
    packed.reset();  // then it runs here
  }
  arrival back = send_away(what, std::move(packed));
  if (back.how == fate::home) return call_or_adopt(c);  // who had it may have noted the result before it was lost
  return received(c, std::move(back));
}

// A call that is about to happen here.
template <class Call>
HEIST_INLINE typename Call::result call_here(const Call& c) {
  if (notes_known.load(std::memory_order_relaxed) == 0) [[likely]] return c.here();
  return call_or_adopt(c);
}

template <class Call>
typename Call::result call_borrowed(const Call& c) {
  if (notes_known.load(std::memory_order_relaxed) == 0) [[likely]] return c.here();
  return call_or_adopt(c, about_to::run_borrowed);
}

// Nothing, if a type of the user's cannot be packed: then it is neither adopted nor noted.
template <class Write>
std::optional<bytes> packed(Write write) {
  std::optional<bytes> to(std::in_place);
  try {
    writer w(*to);
    write(w);
  } catch (...) {
    to.reset();
  }
  return to;
}

template <class Call>
HEIST_COLD void note_result(const Call& c, const std::optional<bytes>& value) {
  if (!value) return;
  if (const auto arguments = packed([&](writer& w) { c.write(w); })) leave_note(entry_of<Call>, *arguments, *value);
}

// While results are known that need not be computed again, or long ones are noted.
template <class Call>
HEIST_COLD typename Call::result call_or_adopt(const Call& c, about_to what_for) {
  if (may_adopt())
    if (const auto arguments = packed([&](writer& w) { c.write(w); }))
      if (arrival back = adopt(entry_of<Call>, *arguments, what_for); back.how != fate::home) return received(c, std::move(back));
  const nanoseconds long_from = note_from();
  if constexpr (std::is_void_v<typename Call::result>) {
    c.here();
    if (heist::detail::now() >= long_from) note_result(c, bytes());
  } else {
    auto value = c.here();
    if (heist::detail::now() >= long_from)
      note_result(c, packed([&](writer& w) { put<std::remove_cv_t<typename Call::result>>(w, value); }));
    return value;
  }
}

}  // namespace heist::cluster::detail

namespace heist::cluster {

// Made by task<&f>(arguments…). Called without arguments, it calls f with copies of them. As a branch of a join or a child
// of a scope it may run on another machine instead.
template <auto f>
class HEIST_VERSIONED call {
  using signature = detail::signature<decltype(f)>;
  using arguments = typename signature::template with_parameters<detail::decayed_values>;

 public:
  static constexpr bool travels = true;
  static constexpr auto function = f;
  using result = typename signature::result;

  explicit call(arguments with) : with_(std::move(with)) {}

  HEIST_INLINE result operator()() const { return detail::call_here(*this); }

  // For heist.
  HEIST_INLINE result here() const { return with_.apply(f); }
  result travel() const {
    static_cast<void>(&detail::use_of<f>);
    return detail::travel_as(*this);
  }
  static call read(detail::reader& r) { return call(arguments::read(r)); }
  void write(detail::writer& w) const { with_.write(w); }
  result accept(detail::reader& r) const {
    if constexpr (!std::is_void_v<result>) return detail::get<std::remove_cv_t<result>>(r);
  }

 private:
  arguments with_;
};

namespace detail {

template <class To>
struct fill;
template <>
struct fill<values<>> {
  static values<> from() { return {}; }
};
template <class First, class... Rest>
struct fill<values<First, Rest...>> {
  template <class A, class... More>
  static values<First, Rest...> from(A&& a, More&&... more) {
    return {First(std::forward<A>(a)), fill<values<Rest...>>::from(std::forward<More>(more)...)};
  }
};

}  // namespace detail

// A call of f that can travel. Copies the arguments.
template <auto f, class... A>
auto task(A&&... a) {
  if constexpr (detail::can_be_task<f>()) {
    static_cast<void>(&detail::use_of<f>);
    using s = detail::signature<decltype(f)>;
    constexpr bool fit = std::is_invocable_v<decltype(f), A...>;
    static_assert(fit, "heist::cluster::task<&f>(arguments): f cannot be called with these arguments");
    if constexpr (fit)
      return call<f>(detail::fill<typename s::template with_parameters<detail::decayed_values>>::from(std::forward<A>(a)...));
  }
}

}  // namespace heist::cluster

HEIST_END

#pragma once
// The locks that the running strand holds, and sets of locks with numbers of their own.

#include <analysis/race/order.hpp>

#include <cstdint>

namespace heist::race {

enum class holding : unsigned char { alone, shared };

using lock_set = std::uint32_t;  // 0: no lock

class locks {
 public:
  locks();

  // The set of those that are held, and the same with the lock that all atomic accesses have in common.
  lock_set held() const noexcept { return set_; }
  lock_set held_and_atomic() const noexcept { return atomic_set_; }

  void lock(const void* address, holding how, instant now, bool on_stack);
  void unlock(const void* address);
  // The lock is destroyed: another one at its address is another lock.
  void retire(const void* address);
  void retire(std::uintptr_t from, std::size_t size);
  // The frames between these addresses are gone.
  bool any_on_stack() const noexcept { return !on_stack_.empty(); }
  void retire_stack(std::uintptr_t low, std::uintptr_t high);

  bool part_of(lock_set a, lock_set b) const noexcept;
  // Whether a lock keeps an access with `theirs` and one of the running strand, with `ours`, apart. A lock that was held
  // already when the two strands parted does not.
  bool apart(lock_set theirs, lock_set ours, instant parted) const noexcept;
  // Whether the running strand was given a lock by the one that forked it.
  bool inherited(instant strand) const noexcept {
    return !held_.empty() && held_.front().since < strand;
  }
  // For the report: how many locks.
  std::size_t size(lock_set s) const noexcept { return sets_[s].size(); }

 private:
  struct one {
    std::uint32_t name;  // the number, twice, plus 1 if it is shared
    instant since;
    unsigned times;
  };
  static constexpr std::uint32_t atomic_lock = 0;

  void renew();
  lock_set number(own_vector<std::uint32_t> names);

  own_vector<one> held_;
  lock_set set_ = 0, atomic_set_ = 0;
  own_vector<own_vector<std::uint32_t>> sets_;
  struct hash {
    std::size_t operator()(const own_vector<std::uint32_t>& v) const noexcept {
      std::size_t h = 0;
      for (const std::uint32_t n : v) h = h * 1000003 + n;
      return h;
    }
  };
  own_map<own_vector<std::uint32_t>, lock_set, hash> numbers_;
  own_map<std::uintptr_t, std::uint32_t> names_;
  own_vector<std::uintptr_t> on_stack_;
  std::uint32_t last_ = 0;
};

}  // namespace heist::race

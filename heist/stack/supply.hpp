#pragma once
// Where a pool's stacks come from and go to: a cache for each worker, and a shared supply. See
// README.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/base/fair_lock.hpp>
#include <heist/stack/slab.hpp>
#include <heist/stack/stack.hpp>

#include <cstddef>
#include <mutex>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

class stack_cache;

// A pool's stacks: those that are in no cache, and the statistics of all.
class stack_supply {
 public:
  struct figures {
    std::size_t live, peak, bytes_peak;
  };

  explicit stack_supply(std::size_t stack_size) noexcept : stack_size_(stack_size) {}
  ~stack_supply();
  stack_supply(const stack_supply&) = delete;
  stack_supply& operator=(const stack_supply&) = delete;

  std::size_t stack_size() const noexcept { return stack_size_; }

  // Any thread. Samples every stack.
  figures read() noexcept;

  // Any thread. Whether there are more spare stacks than an idle pool needs: those of a burst. If so, a worker that sleeps
  // calls settle() after a while, and asks again.
  static constexpr nanoseconds lately = 100'000'000;
  bool keeps_a_burst() noexcept;
  // Unmaps those that nobody has needed lately.
  void settle() noexcept;

  // Any thread, while `s` is parked and not yet published: hands back what it does not need.
  stack::residency trim(stack& s, std::size_t keep = stack::keep_size) noexcept;

 private:
  friend class stack_cache;
  stack* take() noexcept;  // null: no more memory
  // Keeps `s` for its next use. A busy pool keeps those that it has needed lately, an idle one keeps
  // few.
  enum class when { busy, at_rest };
  void give(stack* s, when now) noexcept;
  void shed_at_rest() noexcept;

  // How many spare stacks are kept, and how many if they can only be shed one by one.
  struct limits {
    std::size_t most, most_alone;
  };
  limits to_keep(when now) noexcept;    // under lock_
  std::size_t not_needed() noexcept;    // likewise: spare ones that nobody has needed lately

  struct place {
    slab* in;  // null: no more memory
    unsigned number;
  };
  place reserve(std::unique_lock<fair_lock>& hold) noexcept;
  void free(place p) noexcept;
  void shed(limits keep) noexcept;
  void note_shallow(stack& s) noexcept;  // parked, and its mark is untouched
  void enlist(stack_cache& c);
  void sample(stack& s, std::size_t resident) noexcept;  // under lock_
  std::size_t count_live() noexcept;                     // likewise

  const std::size_t stack_size_;

  fair_lock lock_;  // statistics hold it for long, and may be requested again at once
  slab_list with_spares_;     // the one that got a stack last is first
  slab_list without_spares_;  // those with blank places are first
  std::size_t spares_ = 0;
  std::size_t least_spares_ = 0;  // since the last look at the clock
  nanoseconds next_look_ = 0;
  std::size_t made_ = 0;
  std::size_t peak_ = 0;
  std::size_t bytes_ = 0;
  std::size_t bytes_peak_ = 0;
  std::vector<stack_cache*> caches_;
};

// A worker's own stacks, the one used last on top. Owner only.
class stack_cache {
 public:
  explicit stack_cache(stack_supply& from) : supply_(from) { from.enlist(*this); }

  // Null if there is no memory.
  HEIST_INLINE stack* take() noexcept {
    stack* const s = take_kept();
    return s != nullptr ? s : supply_.take();
  }
  // Null if none is kept here.
  HEIST_INLINE stack* take_kept() noexcept {
    const std::size_t n = count_.get();
    if (n == 0) [[unlikely]] return nullptr;
    stack* const s = kept_[n - 1].get();
    if (s == nullptr) __builtin_unreachable();
    s->tsan_acquire_made();  // perhaps on another stack of this worker
    count_.set(n - 1);
    return s;
  }

  // `s` has been left for good, or is about to be. True if it is kept as it is: the caller may run on
  // it until then, as only this worker takes from here. If false, call put() when it has been left.
  HEIST_INLINE bool put_early(stack* s) noexcept {
    s->tsan_acquire_made();
    const std::size_t n = count_.get();
    if (wants_check(*s) || n == most) [[unlikely]] return false;
    keep(n, s);
    return true;
  }

  // `s` is no longer in use, and put_early() has refused it.
  void put(stack* s) noexcept;

  // Asking the kernel whether a stack was deep costs as much as a hundred spawns, and a frame may
  // have stepped over the stack's own mark. So the kernel is asked after 1, 2, 4 … 8192 uses that
  // were not deep.
  bool wants_check(const stack& s) noexcept {
    const unsigned left = until_check_.get() - 1;
    until_check_.set(left);
    return left == 0 || s.was_deep();
  }
  void trim(stack& s) noexcept;

  // `s` has been parked by this worker, and is not yet published.
  void parked(stack& s) noexcept;
  // The same, if strands are parked often: the statistics do not look at every stack.
  void waits(stack& s) noexcept;

  // The worker is about to sleep: a burst is over.
  void hand_back() noexcept;

 private:
  friend class stack_supply;
  static constexpr std::size_t most = 16;       // deeper nests of spawns go to the shared list and back
  static constexpr std::size_t most_idle = 2;   // what a sleeping worker keeps
  static constexpr unsigned park_period = 64;   // parked stacks stay for long, so the kernel is asked more often
  static constexpr unsigned most_wait_period = 4096;  // unless they are parked again and again

  static bool parks_shallow(const stack& s, cell<unsigned>& until_check, unsigned period) noexcept;
  void keep(std::size_t n, stack* s) noexcept {
    kept_[n].set(s);
    count_.set(n + 1);
  }

  stack_supply& supply_;
  cell<stack*> kept_[most];
  cell<std::size_t> count_;
  cell<unsigned> check_period_{1};
  cell<unsigned> until_check_{1};
  cell<unsigned> parks_until_check_{1};
  cell<unsigned> wait_period_{1};
  cell<unsigned> waits_until_check_{1};
};

}  // namespace heist::detail

HEIST_END

#pragma once
// A measured strand's clock: its work and span, and how those of other strands are added. See
// README.md.

#include <heist/base/cpu.hpp>
#include <heist/base/export.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/meter/path.hpp>
#include <heist/meter/recording.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// The totals of all regions of one name.
struct HEIST_VERSIONED region_total {
  const char* name;
  std::uint64_t times;
  cost work;
  path_length span;
  cost longest;  // of the spans that were added
  std::uint64_t forks;
};

class strand_clock {
 public:
  strand_clock();

  // begin(): a strand begins. end(): it ends, and its ticks are returned. drop(): it is not
  // counted.
  void begin() noexcept;
  std::uint64_t end() noexcept;
  void drop() noexcept { running_ = false; }
  // The next strand begins where one has just ended: no need to read the counter again.
  void go_on() noexcept { running_ = true; }
  bool running() const noexcept { return running_; }
  // Within a strand: brings the clock up to date, as if the strand had ended and a new one begun,
  // but counts one strand.
  std::uint64_t touch() noexcept;
  void charge(cost c) noexcept;

  // At a fork: the strand before it has ended. Returns the length of the path, for the branches.
  path_length fork();
  // The first branch has ended: the path goes back to the fork. Returns the path of the first
  // branch.
  path_length second(path_length fork);
  // All branches have ended; `other` is the path of the other branch.
  void join(path_length other);

  // The stack, in bytes, that the serial program would have. The strand begins, or is now, at this
  // depth of its own stack.
  void begin_depth(std::size_t depth) noexcept { start_ = depth_ = deepest_ = depth; }
  void note_depth(std::size_t depth) noexcept {
    depth_ = depth;
    deepest_ = std::max(deepest_, below_ + depth);
  }
  std::size_t deepest() const noexcept { return deepest_ - start_; }

  // Children of the scope `which`. `parent_depth` is the depth of the parent's stack; 0 if the
  // child runs on it.
  void open_child(std::size_t parent_depth);
  void close_child(const void* which);
  // Also one that a strand other than the scope's spawns, and a future, whose scope it is itself. Its clock comes at the
  // sync.
  void queue_child(const void* which, std::int64_t number);
  struct HEIST_VERSIONED queued_child {
    std::int64_t number;
    strand_clock* clock;  // null: it has joined
  };
  // All that have ended, in ascending order of number.
  void join_queued(const void* which, std::vector<queued_child>& children);
  void sync(const void* which);

  void count_region(const region_total& r);

  // Everything in `later` comes after what is here.
  void append(strand_clock&& later);
  // What another machine's clock has counted, no child left open, comes here. Lengths are in ticks of this machine.
  struct HEIST_VERSIONED totals {
    cost work, short_work;
    path_length path;
    std::uint64_t longest_ticks, forks;
    std::size_t deepest;
    std::vector<region_total> regions;
  };
  void append_from_elsewhere(const totals& there);
  // `other` runs beside what is here, from the same beginning: a recording has a fork.
  void append_beside(strand_clock&& other);

  cost work() const noexcept { return work_; }
  // The work in short strands; the ticks of the longest strand.
  cost short_work() const noexcept { return short_work_; }
  std::uint64_t longest_ticks() const noexcept { return longest_ticks_; }
  // The work that was done on other machines.
  cost elsewhere() const noexcept { return elsewhere_; }
  path_length path() const noexcept { return path_; }
  std::uint64_t forks() const noexcept { return forks_; }
  const std::vector<region_total>& regions() const noexcept { return regions_; }
  // Null if this run is not recorded.
  recording* recorded() noexcept { return recording_ ? &*recording_ : nullptr; }

 private:
  struct HEIST_VERSIONED open_scope {
    const void* which;
    path_length longest;
  };
  struct HEIST_VERSIONED spawn_point {
    path_length at;
    std::size_t depth;
  };
  struct HEIST_VERSIONED queued_point {
    std::int64_t number;
    path_length at;
  };
  void join_at(const void* which, const queued_point& from, strand_clock&& child);
  path_length leave_fork() noexcept;
  path_length back_to(path_length fork) noexcept;
  path_length& longest_in(const void* scope);
  std::uint64_t passed() noexcept;
  std::uint64_t without_preemption(std::uint64_t gone) noexcept;
  void note_length(cost c) noexcept;

  bool running_ = false;
  std::uint64_t since_ = 0;
  cost work_;
  cost short_work_;
  cost elsewhere_;
  std::uint64_t longest_ticks_ = 0;
  std::uint64_t forks_ = 0;
  path_length path_;
  std::vector<spawn_point> spawned_at_;  // of children that have not ended, innermost last
  std::vector<open_scope> scopes_;
  // By scope, in ascending order of number within a strand. A strand may have begun a million futures.
  std::unordered_map<const void*, std::vector<queued_point>> queued_;
  std::size_t start_ = 0, depth_ = 0;  // on the stack that the strand runs on
  std::size_t below_ = 0;              // of its parents' stacks
  std::size_t deepest_ = 0;            // of both together
  std::vector<region_total> regions_;
  std::optional<recording> recording_;
};

// What every measured fork runs through --------------------------------------------------------------------------------

// The ticks since the last call. A counter that two cores do not share may seem to run backwards.
inline std::uint64_t strand_clock::passed() noexcept {
  const std::uint64_t now = ticks();
  const std::uint64_t before = std::exchange(since_, now);
  std::uint64_t gone = now > before ? now - before : 0;
  if (gone > long_strand_ticks.load(std::memory_order_relaxed)) [[unlikely]]
    gone = without_preemption(gone);
  return gone - std::min(gone, empty_strand_ticks.load(std::memory_order_relaxed));
}

inline std::uint64_t strand_clock::end() noexcept {
  if (!std::exchange(running_, false)) return 0;
  const std::uint64_t took = passed();
  note_length({took, 1});
  charge({took, 1});
  return took;
}

inline void strand_clock::note_length(cost c) noexcept {
  if (c.ticks < short_strand_ticks.load(std::memory_order_relaxed)) short_work_ = short_work_ + c;
  longest_ticks_ = std::max(longest_ticks_, c.ticks);
}

inline void strand_clock::charge(cost c) noexcept {
  work_ = work_ + c;
  path_ = path_ + path_length{c, c};
  if (recording_) [[unlikely]]
    recording_->strand(c.ticks);
}

inline path_length strand_clock::leave_fork() noexcept {
  ++forks_;
  path_.burdened = path_.burdened + cost{burden_ticks.load(std::memory_order_relaxed), 1};
  return path_;
}

inline path_length strand_clock::back_to(path_length fork) noexcept { return std::exchange(path_, fork); }

inline path_length strand_clock::fork() {
  if (recording_) [[unlikely]]
    recording_->fork();
  return leave_fork();
}

inline path_length strand_clock::second(path_length fork) {
  if (recording_) [[unlikely]]
    recording_->second();
  return back_to(fork);
}

inline void strand_clock::join(path_length other) {
  if (recording_) [[unlikely]]
    recording_->join();
  path_ = longer(path_, other);
}

}  // namespace heist::detail

HEIST_END

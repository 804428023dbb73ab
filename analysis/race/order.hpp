#pragma once
// Which earlier accesses are parallel to the running strand: docs/evidence/races.md.
//
// An instant is a number that rises at forks, and where a strand ends and another one goes on. At every moment
// the instants parallel to the running strand are a sorted list of disjoint intervals: ended first branches
// of open joins, ended children of open scopes, earlier iterations of open loops, futures nobody has asked.
// In properly nested programs the list is a stack.

#include <analysis/race/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace heist::race {

using instant = std::uint64_t;
inline constexpr instant last_instant = (instant{1} << 35) - 2;
// Words of the shadow have an instant in these upper bits (shadow.hpp).
inline constexpr int instant_at = 28;
// A scope has a new owner after each sync(): the same rank, another epoch.
inline constexpr int epoch_bits = 24;

enum class fork_kind : unsigned char { join, child, iteration, callback, future };

struct interval;
// Instants of an interval that are in series after all: a future that was asked, and what came before its end.
using hole_list = own_vector<std::pair<instant, instant>>;

// What a strand leaves that its parent takes over only when both have joined.
struct leavings {
  own_vector<interval> survivors;  // children of scopes further out, and futures
  hole_list cuts;                  // instants that the strand came after, of those that were parallel to it at first
};

struct interval {
  instant lo, hi;
  std::uintptr_t frame = 0;  // the stack below this address is not older than the fork
  const void* fork = nullptr;  // the code address of the fork
  std::uint64_t owner = 0;     // the scope or future; 0: a join or a loop
  const hole_list* holes = nullptr;
  leavings* left = nullptr;
  std::size_t depth = 0;  // of calls, at the fork
  fork_kind kind = fork_kind::join;
  std::uintptr_t lowest = 0;  // frame of this one and of those before it in the list; 0: not known yet

  bool empty() const noexcept { return lo > hi; }
  bool has(instant t) const noexcept;
};

// An open fork, in the frame of the program's join, spawn or loop.
struct open_fork {
  instant start;
  std::size_t base;        // of the list, when the fork was made
  std::size_t outer_floor;
  std::size_t undo;        // of the log
  instant outer_strand;
  leavings* left;
  std::uintptr_t frame;
  const void* code;
  std::uint64_t owner;
  std::size_t depth;  // of calls
  instant high;  // a loop: the last instant of the iterations so far
  fork_kind kind;
  bool any;  // a loop: whether there was an iteration
};

// Edges that hold for a while only.
struct open_view {
  std::size_t undo, outer_floor;
};

// All that came before a point: what is parallel to it, and its instant.
struct point {
  instant at;
  instant inside = 0;  // since when something was being done for which not all order holds later (counts.cpp); 0: nothing
  own_vector<interval> parallel;
};

// What the quick answers need lies together, in one line of the cache.
class alignas(64) order {
 public:
  order();

  instant now() const noexcept { return now_; }
  // What marks of the running strand begin with (shadow.hpp): the instant, and four bits that say "all bytes".
  std::uint64_t all_bytes_now() const noexcept { return all_bytes_now_; }
  // Whether the program has left proper nesting, so that one reader does not stand for all.
  bool irregular() const noexcept { return irregular_; }
  void make_irregular() noexcept {
    irregular_ = true;
    renew();
  }
  bool anything_parallel() const noexcept { return top_hi_ != 0; }
  // The instant at which the running strand began: a name for it, and the age of what it holds.
  instant strand() const noexcept { return strand_; }

  // The interval with t in it: the access at t is parallel to the running strand. Null: it comes before.
  const interval* parallel(instant t) const noexcept {
    if (t > top_hi_) return nullptr;
    if (t >= top_lo_ && top_->holes == nullptr) return top_;
    if (t >= memo_lo_ && t <= memo_hi_) return memo_;
    return search(t);
  }

  // Quick answers about an access, by its word in the shadow, each right if it is yes: it comes before the running strand; as
  // a reader in the last interval it stands for the running strand. Both are no for words that begin with a one.
  bool surely_before(std::uint64_t word) const noexcept {
    return word < before_all_ || static_cast<std::int64_t>(word) >= after_all_;
  }
  bool stands_for(std::uint64_t word) const noexcept { return word - last_begins_ < last_size_; }
  // The stack below this address was used again by others since that fork.
  std::uintptr_t last_frame() const noexcept { return last_frame_; }
  // The stack below this address was used again since all the forks that the list has. 0: nothing quick can be said.
  std::uintptr_t lowest_frame() const noexcept { return lowest_frame_; }
  // While there is more to look at than instants, all quick answers are no.
  void answer_quickly(bool quickly) noexcept {
    quick_ = quickly;
    renew();
  }

  // A join, in order.
  void fork(open_fork& f, std::uintptr_t frame, const void* code);
  void first_ended(open_fork& f);
  void joined(open_fork& f) {
    if (list_.size() == f.base + 1 && undo_.size() == f.undo && f.left == nullptr) [[likely]] {
      list_.pop_back();
      floor_ = f.outer_floor;
      strand_ = f.outer_strand;
      renew();
    } else {
      join_slowly(f);
    }
  }
  // Instead of both: the first branch threw, and the second one does not run.
  void abandoned(open_fork& f);

  // A child of a scope, or a future's computation. `owner` from new_owner(). A scope's sync() forgets its children.
  std::uint64_t new_owner() noexcept { return ++owners_ << epoch_bits; }
  void begin_child(open_fork& f, std::uint64_t owner, fork_kind kind, std::uintptr_t frame, const void* code);
  void end_child(open_fork& f);
  // Returns the owner to use for children from now on.
  std::uint64_t sync(std::uint64_t owner);
  // A child that was kept until now, and is parallel to all that came after `since`.
  void begin_late(open_fork& f, instant since, std::uint64_t owner, std::uintptr_t frame, const void* code);
  void end_late(open_fork& f);

  // A loop: every two iterations are parallel.
  void begin_loop(open_fork& f, std::uintptr_t frame, const void* code, fork_kind kind);
  void begin_iteration(open_fork& f);
  void end_iteration(open_fork& f);
  void end_loop(open_fork& f);
  // The same for an algorithm that calls functions from its own code: that is in series with every call, and is
  // recorded with the instant of the begin_loop().
  void begin_callback(open_fork& f);
  void end_callback(open_fork& f);

  // Edges that are not forks. Everything before the point comes before the running strand from here on.
  point* here();
  void after(const point& p);
  // Only [first, last], of what is before the point.
  void after(const point& p, instant first, instant last);
  // Everything that is no longer waited for: after wait_idle().
  void forget_futures();
  // Edges that are made meanwhile end with the view. No fork may be open at one of the two and not at the other.
  open_view begin_view() noexcept;
  void end_view(const open_view& v) noexcept;
  instant advance();  // a new instant for the running strand

 private:
  struct undone {
    std::size_t at;
    interval before;
  };

  const interval* search(instant t) const noexcept;
  void renew() noexcept {
    memo_lo_ = 1;
    memo_hi_ = 0;
    std::size_t n = list_.size();
    while (n > 0 && list_[n - 1].empty()) --n;
    if (n == 0) {
      // All that was done comes before the strand; and before all that will come, if that is the program's first one.
      if (strand_ == 1 && open_loops_ == 0 && floor_ == 0 && irregular_) start_anew();
      top_ = nullptr;
      top_lo_ = 1;
      top_hi_ = 0;
      after_all_ = 0;
      before_all_ = last_size_ = 0;
      lowest_frame_ = 0;
    } else {
      top_ = &list_[n - 1];
      top_lo_ = top_->lo;
      top_hi_ = top_->hi;
      after_all_ = static_cast<std::int64_t>((top_hi_ + 1) << instant_at);
      before_all_ = list_.front().lo << instant_at;
      last_begins_ = top_lo_ << instant_at;
      last_frame_ = top_->frame;
      lowest_frame_ = irregular_ ? 0 : lowest_of(n);
      last_size_ = irregular_ || top_->holes != nullptr ? 0 : (top_hi_ + 1 - top_lo_) << instant_at;
    }
    if (!quick_) {
      after_all_ = std::numeric_limits<std::int64_t>::max();
      before_all_ = last_size_ = 0;
      lowest_frame_ = 0;
    }
  }
  // Of the first n. In nested programs the list changes at its end only.
  std::uintptr_t lowest_of(std::size_t n) noexcept {
    std::size_t known = n;
    while (known > 0 && list_[known - 1].lowest == 0) --known;
    std::uintptr_t lowest = known == 0 ? ~std::uintptr_t{0} : list_[known - 1].lowest;
    for (; known < n; ++known) {
      if (list_[known].frame < lowest) lowest = list_[known].frame;
      list_[known].lowest = lowest;
    }
    return lowest;
  }
  void start_anew() noexcept;
  void drop_empty();
  interval with_pieces(interval i, const hole_list& pieces);
  interval met(const interval& a, const interval& b);
  void change(std::size_t at, const interval& to);
  void leave(open_fork& f, std::size_t base, leavings*& to);
  void take_over(const leavings& from, const interval* within);
  void add_survivors(const leavings& from, const interval* within);
  void cut(hole_list cuts);
  void join_slowly(open_fork& f);
  bool is_over(const interval& i) const;

  void run_at(instant t) noexcept {
    now_ = t;
    all_bytes_now_ = (t << 4 | 15) << (instant_at - 4);
  }

  std::uint64_t all_bytes_now_ = std::uint64_t{1 << 4 | 15} << (instant_at - 4);
  // As words of the shadow: all intervals lie between the two; the last one, where one reader stands for others.
  std::int64_t after_all_ = 0;
  std::uint64_t before_all_ = 0, last_begins_ = 0, last_size_ = 0;
  std::uintptr_t last_frame_ = 0, lowest_frame_ = 0;
  instant now_ = 1, last_ = 1, strand_ = 1;
  instant top_lo_ = 1, top_hi_ = 0;      // the last one
  const interval* top_ = nullptr;
  bool irregular_ = false, quick_ = true;
  own_vector<interval> list_;
  std::size_t floor_ = 0;  // intervals below belong to strands that have not ended: changes are logged
  own_vector<undone> undo_;
  std::uint64_t owners_ = 0;
  unsigned open_loops_ = 0;
  own_set<std::uint64_t> synced_;  // owners whose children have all ended, in irregular programs
  // What intervals point to. Copies of an interval share it, so it is freed only when no interval counts any more.
  own_vector<hole_list*> holes_made_;
  own_vector<leavings*> left_by_children_;
  mutable instant memo_lo_ = 1, memo_hi_ = 0;
  mutable const interval* memo_ = nullptr;
};

}  // namespace heist::race

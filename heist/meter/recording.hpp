#pragma once
// The computation of a real run, recorded in serial order, for `heist sim predict`. See README.md,
// "Recordings".

#include <heist/base/export.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// A sequence of steps. Each is a byte, followed by numbers of seven bits per byte, lowest first,
// with the top bit set if more follow. A fork's branches and a child's strands are between
// brackets. What a thief did is where the serial program would have done it.
class recording {
 public:
  enum class step : unsigned char {
    strand = 1,     // ticks, forks inside that were too small to be written
    fork = 2,       // then the first branch
    second = 3,     // then the second branch
    join = 4,       // after both
    child = 5,      // then the child
    child_end = 6,  // scope: then the rest of the parent
    queued = 7,     // scope, number: a child of spawn_later, or of a strand other than the scope's; or a future
    later = 8,      // scope, number: then that child, up to its child_end; before the scope's sync
    sync = 9,       // scope
  };

  // All clocks record from here on. Parts with less work than the grain are written as one strand.
  // What the loops split by: how long their elements take, or how many they are, which is the same in every run.
  enum class loops : unsigned char { by_time, by_count };
  static void begin(std::uint64_t grain_ticks, loops split = loops::by_time) noexcept {
    wanted_ = true, grain_ = grain_ticks, by_count_ = split == loops::by_count;
  }
  static bool by_count() noexcept { return by_count_; }
  static bool wanted() noexcept { return wanted_; }

  void strand(std::uint64_t ticks) noexcept;
  void fork() { open(step::fork); }
  void second() { write(step::second); }
  void join();
  void child() { open(step::child); }
  void child_end(const void* scope);
  void queued(const void* scope, std::int64_t number);
  void later(const void* scope, std::int64_t number, const recording& child);
  void sync(const void* scope);

  // Everything in `other` comes after what is here.
  void append(const recording& other);
  // `other` runs beside what is here: a fork of the two.
  void beside(const recording& other);

  // All of it, as bytes.
  const std::vector<unsigned char>& finished();

 private:
  struct amount {
    std::uint64_t ticks = 0, forks = 0, queued = 0;  // queued: that have not run
    friend amount operator+(amount a, amount b) noexcept {
      return {a.ticks + b.ticks, a.forks + b.forks, a.queued + b.queued};
    }
    friend amount operator-(amount a, amount b) noexcept {
      return {a.ticks - b.ticks, a.forks - b.forks, a.queued - b.queued};
    }
  };
  // A bracket that has not closed.
  struct HEIST_VERSIONED bracket {
    std::size_t from;  // where it would be cut off
    amount before;     // the strand that ran up to there, not written
    amount total;      // of all up to there
  };

  void number(std::uint64_t n);
  void write(step s);
  void flush();
  void open(step s);
  bool small(const bracket& b) const noexcept;

  static inline bool wanted_ = false, by_count_ = false;
  static inline std::uint64_t grain_ = 0;

  std::vector<unsigned char> bytes_;
  amount strand_;  // the current one, not written yet
  amount total_;
  std::vector<bracket> open_;
  std::size_t closed_ = 0;  // forks that opened in what comes before: a thief continued the strand in their first branch
};

}  // namespace heist::detail

HEIST_END

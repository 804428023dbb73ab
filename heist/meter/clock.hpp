#pragma once
// A measured strand's clock: work, span, and how those of other strands are added. See README.md.

#include <heist/base/export.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace heist {

// What a measurement counts.
enum class unit : unsigned char {
  time,    // nanoseconds
  strand,  // strands, each as one, and what charge() adds: the same on every schedule
};

}  // namespace heist

namespace heist::detail {

// One measurement, for all strands that belong to it.
struct measuring {
  unit in = unit::time;
  std::uint64_t burden = 0;      // what a fork costs if it is stolen, in ticks or strands
  std::uint64_t read_cost = 0;   // ticks to read the clock
};

// Along the longest path.
struct path_length {
  std::uint64_t plain = 0;
  std::uint64_t burdened = 0;

  friend path_length operator+(path_length a, path_length b) noexcept {
    return {a.plain + b.plain, a.burdened + b.burdened};
  }
  friend path_length longer(path_length a, path_length b) noexcept {
    return {std::max(a.plain, b.plain), std::max(a.burdened, b.burdened)};
  }
};

// What a region of one name came to.
struct region_total {
  const char* name;
  std::uint64_t times, work, span;
};

class HEIST_API strand_clock {
 public:
  explicit strand_clock(const measuring& of) noexcept : of_(&of) { begin(); }

  // A strand begins here; it ends, and what it took is returned; it is not counted.
  void begin() noexcept;
  std::uint64_t end() noexcept;
  void drop() noexcept { running_ = false; }
  bool running() const noexcept { return running_; }
  // Within a strand: up to date, as if it had ended and gone on, but as one.
  std::uint64_t touch() noexcept;
  // The strand costs so much more.
  void charge(std::uint64_t cost) noexcept;

  // Forks: the strand before has ended. Returns where the path stands, for the branches.
  path_length fork() noexcept;
  // A branch has ended: the path goes back to the fork. Returns where it led.
  path_length back_to(path_length fork) noexcept;
  // All branches have ended; this was the other's path.
  void join(path_length other) noexcept { path_ = longer(path_, other); }

  // Children of the scope `which`.
  void open_child();
  void close_child(const void* which);
  void queue_child(const void* which, std::int64_t number);
  void join_queued(const void* which, std::int64_t number, strand_clock&& child);
  void sync(const void* which) noexcept;

  void count_region(const region_total& r);

  // All that `later` has comes after what this has.
  void append(strand_clock&& later);

  std::uint64_t work() const noexcept { return work_; }
  path_length path() const noexcept { return path_; }
  std::uint64_t forks() const noexcept { return forks_; }
  const std::vector<region_total>& regions() const noexcept { return regions_; }

 private:
  struct open_scope {
    const void* which;
    path_length longest;
  };
  struct queued_point {
    const void* which;
    std::int64_t number;
    path_length at;
  };
  path_length& longest_in(const void* scope);
  std::uint64_t passed() noexcept;

  const measuring* of_;
  bool running_ = false;
  std::uint64_t since_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t forks_ = 0;
  path_length path_;
  std::vector<path_length> spawned_at_;  // of children that have not ended, innermost last
  std::vector<open_scope> scopes_;
  std::vector<queued_point> queued_;
  std::vector<region_total> regions_;
};

}  // namespace heist::detail

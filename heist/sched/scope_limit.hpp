#pragma once
// How a scope with a heist::limit runs its children: in as many lanes as the limit allows. A lane is a child of the scope; it
// runs one limited child after the other, and those that find no lane free wait in a queue.

#include <heist/base/export.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

struct limited_child {
  virtual ~limited_child() = default;
  virtual void run() = 0;
};

class scope_limit {
 public:
  explicit scope_limit(std::size_t most) noexcept : free_(most > 0 ? most : 1) {}

  // Any thread. Returns the child if a lane is free, which now is the caller's to start; else the child waits, and a lane
  // that runs will take it.
  HEIST_API std::unique_ptr<limited_child> enter(std::unique_ptr<limited_child> child);
  // A lane: runs the child and all that it finds waiting. If one throws, those that wait are dropped.
  HEIST_API void run(std::unique_ptr<limited_child> first);
  // A lane that does not run, because nobody wants its child.
  HEIST_API void leave() noexcept;

 private:
  std::unique_ptr<limited_child> next() noexcept;

  std::mutex lock_;
  std::size_t free_;  // lanes
  std::deque<std::unique_ptr<limited_child>> waiting_;
};

// The function of a lane.
class lane {
 public:
  lane(scope_limit& of, std::unique_ptr<limited_child> first) noexcept : of_(&of), first_(std::move(first)) {}
  lane(lane&&) noexcept = default;
  lane& operator=(lane&&) = delete;
  ~lane() {
    if (first_ != nullptr) of_->leave();
  }

  void operator()() { of_->run(std::move(first_)); }

 private:
  scope_limit* of_;
  std::unique_ptr<limited_child> first_;
};

}  // namespace heist::detail

HEIST_END

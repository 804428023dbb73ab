#pragma once
// How a scope with a heist::limit runs its children: in as many lanes as the limit allows. A lane is a child of the scope; it
// runs one limited child after the other, and those that find no lane free wait in a queue.

#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>

#include <cstddef>
#include <mutex>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

struct limited_child {
  virtual ~limited_child() = default;
  virtual void run() = 0;

  limited_child* after = nullptr;  // in the queue
};

class scope_limit {
 public:
  explicit scope_limit(std::size_t most) noexcept : free_(most > 0 ? most : 1) {}
  scope_limit(const scope_limit&) = delete;
  scope_limit& operator=(const scope_limit&) = delete;
  HEIST_API ~scope_limit();

  // Any thread. Returns the child if a lane is free, which now is the caller's to start; else the child waits, and a lane
  // that runs will take it.
  HEIST_API sole<limited_child> enter(sole<limited_child> child);
  // A lane: runs the child and all that it finds waiting. If one throws, those that wait are dropped.
  HEIST_API void run(sole<limited_child> first);
  // A lane that does not run, because nobody wants its child.
  HEIST_API void leave() noexcept;

 private:
  sole<limited_child> next() noexcept;
  static void drop(limited_child* first) noexcept;

  std::mutex lock_;
  std::size_t free_;  // lanes
  limited_child *first_ = nullptr, *last_ = nullptr;  // that wait
};

// The function of a lane.
class lane {
 public:
  lane(scope_limit& of, sole<limited_child> first) noexcept : of_(&of), first_(std::move(first)) {}
  lane(lane&&) noexcept = default;
  lane& operator=(lane&&) = delete;
  ~lane() {
    if (first_ != nullptr) of_->leave();
  }

  void operator()() { of_->run(std::move(first_)); }

 private:
  scope_limit* of_;
  sole<limited_child> first_;
};

}  // namespace heist::detail

HEIST_END

#pragma once
// What a scope's children leave to its strand: views and clocks. See views/README.md, meter/README.md.

#include <heist/base/export.hpp>

#include <cstdint>
#include <memory>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

struct belongings;

class leavings {
 public:
  // Any child, at its end: all that the calling strand has. It was robbed of its parent, which comes after it; or it waited, or
  // another strand than the scope's has spawned it: then it comes after the scope's strand.
  void leave_before(std::int64_t number) noexcept;
  void leave_after(std::int64_t number) noexcept;

  bool any() const noexcept { return robbed_ != nullptr || queued_ != nullptr; }

  // The scope's strand, when all have arrived: puts together, in order, what was left and the strand's own. `scope` is how the
  // clocks know it.
  std::unique_ptr<belongings> collect(std::unique_ptr<belongings> own, const void* scope);
  // The same for a thread outside every pool. Nothing is measured there but the whole program: the children side by side.
  std::unique_ptr<belongings> collect_outside(const void* scope, std::int64_t first_of_others);

 private:
  void leave(belongings*& list, std::int64_t number, std::unique_ptr<belongings> mine) noexcept;

  std::mutex lock_;  // until all have arrived
  belongings* robbed_ = nullptr;
  belongings* queued_ = nullptr;
};

}  // namespace heist::detail

HEIST_END

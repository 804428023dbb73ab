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
  // Any child, at its end: leaves all that the calling strand has. If the child's parent was
  // stolen, the parent comes after the child: leave_before(). A child that was queued, or spawned
  // by a strand other than the scope's, comes after the scope's strand: leave_after().
  void leave_before(std::int64_t number) noexcept;
  void leave_after(std::int64_t number) noexcept;

  bool any() const noexcept { return robbed_ != nullptr || queued_ != nullptr; }

  // The scope's strand, when all have arrived: joins what was left with the strand's own, in order.
  // The clocks know the scope by the address `scope`.
  std::unique_ptr<belongings> collect(std::unique_ptr<belongings> own, const void* scope);
  // The same for a thread outside every pool. Only the whole program can be measured there: the
  // children count as parallel.
  std::unique_ptr<belongings> collect_outside(const void* scope, std::int64_t first_of_others);

 private:
  void leave(belongings*& list, std::int64_t number, std::unique_ptr<belongings> mine) noexcept;

  std::mutex lock_;  // until all have arrived
  belongings* robbed_ = nullptr;
  belongings* queued_ = nullptr;
};

}  // namespace heist::detail

HEIST_END

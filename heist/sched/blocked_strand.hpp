#pragma once
// A strand that blocks its thread while it waits for others.

#include <heist/base/export.hpp>
#include <heist/sched/blocked.hpp>

#include <optional>

HEIST_BEGIN

namespace heist::detail {

// A strand that cannot leave its stack, around its wait for others: what it waits for may be in a stock, and all threads may
// wait like this one. So as long as there is a stock, another thread takes its place.
class blocked_strand {
 public:
  blocked_strand() noexcept;

 private:
  std::optional<blocked_call> call_;
};

}  // namespace heist::detail

HEIST_END

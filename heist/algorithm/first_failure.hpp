#pragma once
// Where a call has failed first, in serial order. Algorithms that move elements need it: they hand
// exceptions back as results, so that every element arrives, and no join learns of a failure.

#include <heist/base/export.hpp>

#include <atomic>
#include <cstddef>
#include <limits>

HEIST_BEGIN

namespace heist::detail {

// Any strand of the call. A hint, so relaxed: what is thrown comes back through the joins.
class first_failure {
 public:
  void note(std::size_t place) noexcept {
    std::size_t seen = place_.load(std::memory_order_relaxed);
    while (place < seen && !place_.compare_exchange_weak(seen, place, std::memory_order_relaxed)) {
    }
  }
  // Whether something failed before `place`: then the work there need not go on.
  bool is_before(std::size_t place) const noexcept { return place_.load(std::memory_order_relaxed) < place; }

 private:
  std::atomic<std::size_t> place_{std::numeric_limits<std::size_t>::max()};
};

}  // namespace heist::detail

HEIST_END

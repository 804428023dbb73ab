#pragma once
// What a heavy fence costs here: the thread that runs it, and a thread that it interrupts.

#include <optional>

namespace heist::cli {

struct fence_costs {
  double fence, interrupt;  // ns, medians
};
// Nothing if the kernel has no membarrier, or there is no second core that runs at the same time. Takes some 50 ms.
std::optional<fence_costs> measure_fences();

}  // namespace heist::cli

#include <heist/fence/fence.hpp>
#include <heist/sched/fencing.hpp>

#include <algorithm>
#include <stdexcept>

namespace heist::detail {

fencing::fencing(fences wanted, victim_list& victims)
    : victims_(victims),
      heavy_works_(enable_heavy_fence()),
      owners_share_(wanted == fences::symmetric || pushers_fence()) {
  if (wanted == fences::asymmetric && pushers_fence())
    throw std::invalid_argument(
        "heist: options::fences is asymmetric, but this kernel refuses membarrier; use automatic or symmetric");
}

void fencing::greet(seat& s) noexcept {
  if (owners_share()) s.ask(request::share_all);
}

void fencing::lose_heavy() noexcept {
  if (!heavy_works_.exchange(false, std::memory_order_relaxed)) return;
  // Under the list's lock: a seat that joins later is greeted.
  victims_.for_all([&](seat& s) {
    owners_share_.store(true, std::memory_order_relaxed);
    s.ask(request::share_all);
  });
}

// One step towards each measured cost, however far away it is, so the estimate settles at the median.
// A thief that lost its core measures milliseconds; one whose victim has just gone to sleep measures
// next to nothing.
void fencing::learn(nanoseconds cost) noexcept {
  const nanoseconds median = heavy_cost();
  const nanoseconds next = cost < median ? median - median / 32 : median + median / 32;
  heavy_cost_.store(std::clamp<nanoseconds>(next, 500, 50'000), std::memory_order_relaxed);
}

}  // namespace heist::detail

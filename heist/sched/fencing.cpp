#include <heist/fence/fence.hpp>
#include <heist/sched/fencing.hpp>

#include <stdexcept>

namespace heist::detail {

fencing::fencing(fences wanted, victim_list& victims)
    : victims_(victims),
      heavy_works_(enable_heavy_fence()),
      govern_(wanted == fences::automatic && !pushers_fence()),
      owners_fence_(wanted == fences::symmetric || pushers_fence()) {
  if (wanted == fences::asymmetric && pushers_fence())
    throw std::invalid_argument(
        "heist: options::fences is asymmetric, but this kernel refuses membarrier; use automatic or symmetric");
}

void fencing::greet(seat& s) noexcept {
  if (owners_fence_.load(std::memory_order_relaxed))
    s.ask(request::fences);
  else
    s.withdraw(request::fences);
}

// model: deque_limit.pml, governor()
void fencing::change(fence_governor::verdict v) noexcept {
  if (!govern_ || v == fence_governor::verdict::keep) return;
  const bool owners = v == fence_governor::verdict::go_symmetric || pushers_fence();
  if (owners_fence_.load(std::memory_order_relaxed) == owners) return;
  // Each item says in its slot how it will be popped, so owners may switch over one by one, each in
  // its own time.
  victims_.for_all([&](seat& s) {
    owners_fence_.store(owners, std::memory_order_relaxed);
    owners ? s.ask(request::fences) : s.withdraw(request::fences);
  });
}

void fencing::lose_heavy() noexcept {
  if (!heavy_works_.exchange(false, std::memory_order_relaxed)) return;
  victims_.for_all([&](seat& s) {
    owners_fence_.store(true, std::memory_order_relaxed);
    s.ask(request::fences);
  });
}

}  // namespace heist::detail

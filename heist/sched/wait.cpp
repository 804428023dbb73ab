#include <heist/sched/wait.hpp>

namespace heist::detail {

void wait::rest(void (*first)(void*) noexcept, void* argument) noexcept {
  if (first != nullptr) first(argument);
  bed_.wait();
}

void wait::rest_until(nanoseconds deadline, void (*late)(void*) noexcept, void* argument) noexcept {
  const nanoseconds left = deadline - now();
  if (left > 0 && bed_.wait_for(left)) return;
  late(argument);
  bed_.wait();
}

void wait::resume() noexcept { bed_.post(); }

}  // namespace heist::detail

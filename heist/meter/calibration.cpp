#include <heist/base/cpu.hpp>
#include <heist/meter/calibration.hpp>

#include <algorithm>
#include <limits>

namespace heist::detail {

namespace {

calibration measure_counter() {
  constexpr nanoseconds long_enough = 5'000'000;
  const nanoseconds start = now();
  const std::uint64_t first = ticks();
  std::uint64_t last = first, least = std::numeric_limits<std::uint64_t>::max();
  nanoseconds end;
  do {
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t next = ticks();
      least = std::min(least, next - last);
      last = next;
    }
    end = now();
    last = ticks();
  } while (end - start < long_enough);
  return {static_cast<double>(end - start) / static_cast<double>(last - first), least};
}

}  // namespace

const calibration& calibration::get() {
  static const calibration c = measure_counter();
  return c;
}

void learn_burden(nanoseconds steal_cost) noexcept {
  const double ticks_per_steal = static_cast<double>(steal_cost) / calibration::get().ns_per_tick;
  burden_ticks.store(static_cast<std::uint64_t>(ticks_per_steal), std::memory_order_relaxed);
}

}  // namespace heist::detail

#include <heist/base/cpu.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/meter/steal.hpp>

namespace heist::detail {

namespace {

calibration measure_counter() {
  constexpr nanoseconds long_enough = 5'000'000;
  const nanoseconds start = now();
  const std::uint64_t first = ticks();
  nanoseconds end = start;
  while (end - start < long_enough) end = now();
  return {static_cast<double>(end - start) / static_cast<double>(ticks() - first)};
}

}  // namespace

const calibration& calibration::get() {
  static const calibration c = measure_counter();
  return c;
}

void learn_burden() {
  static const nanoseconds steal = measure_steal();
  burden_ticks.store(static_cast<std::uint64_t>(static_cast<double>(steal) / calibration::get().ns_per_tick),
                     std::memory_order_relaxed);
}

}  // namespace heist::detail

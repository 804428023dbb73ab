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
  auto in_ticks = [](double ns) { return static_cast<std::uint64_t>(ns / calibration::get().ns_per_tick); };
  burden_ticks.store(in_ticks(static_cast<double>(steal)), std::memory_order_relaxed);
  short_strand_ticks.store(in_ticks(short_strand), std::memory_order_relaxed);
  long_strand_ticks.store(in_ticks(long_strand), std::memory_order_relaxed);
}

}  // namespace heist::detail

// Recipe: a long computation that can be told to stop.

#include <heist/heist.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <optional>
#include <stop_token>
#include <vector>

namespace {

// region: data
// How long until 1 is reached, halving what is even, and tripling and adding 1 to what is odd?
std::uint32_t collatz_steps(std::uint64_t n) {
  std::uint32_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}
// end

// region: serial
std::optional<std::uint64_t> all_steps_serial(const std::vector<std::uint64_t>& from, const std::atomic<bool>& stop) {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : from) {
    if (stop) return std::nullopt;
    sum += collatz_steps(n);
  }
  return sum;
}
// end

// region: parallel
std::optional<std::uint64_t> all_steps(const std::vector<std::uint64_t>& from, std::stop_token stop) {
  try {
    return heist::transform_reduce(from, std::uint64_t{0}, std::plus<>(), collatz_steps, stop);
  } catch (const heist::cancelled&) {
    return std::nullopt;
  }
}
// end

}  // namespace

int main() {
  std::vector<std::uint64_t> from(200'000);
  std::iota(from.begin(), from.end(), 1u);
  std::atomic<bool> flag = false;
  std::stop_source source;  // request_stop() may be called by any thread, at any time
  const auto found = all_steps(from, source.get_token());
  bool right = found.has_value() && found == all_steps_serial(from, flag);
  flag = true;
  source.request_stop();
  right = right && !all_steps(from, source.get_token()) && !all_steps_serial(from, flag);
  std::printf("%llu steps in all; told to stop, there is no answer\n",
              static_cast<unsigned long long>(found.value_or(0)));
  return right ? 0 : 1;
}

// Two translation units that include everything, compiled without run-time type information, in one program.
#include "two_units.hpp"

#include <heist/heist.hpp>

#include <stdexcept>

#if defined(__GXX_RTTI)
#error "this is to be compiled with -fno-rtti"
#endif

namespace {
long fib(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib_elsewhere(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}
}  // namespace

int main() {
  if (fib(15) != 610) return 1;
  try {
    heist::join([] {}, [] { throw std::runtime_error("caught by its type"); });
    return 2;
  } catch (const std::runtime_error&) {
  }
  heist::pool p;
  int sum = 0;
  heist::mutex m;
  p.run([&] {
    heist::for_each_index(0, 100, [&](int i) {
      m.lock();
      sum += twice_elsewhere(i);
      m.unlock();
    });
  });
  return sum == 9900 ? 0 : 3;
}

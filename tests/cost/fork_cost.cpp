// What a fork costs, as programs whose instructions callgrind counts. Compiled as users compile: -O2.
//   fork_cost fib|serial_fib|flat|serial_flat|tens|serial_tens|spawns|serial_spawns|asyncs|serial_asyncs|measured n
//                       runs it once, on one worker
//   fork_cost frames    prints bytes of stack a level: heist, serial

#include <heist/heist.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

long fib(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

[[gnu::noinline]] long serial_fib(int n);
// One real call a node, as the fork has.
long serial_fib(int n) {
  if (n < 2) return n;
  return serial_fib(n - 1) + serial_fib(n - 2);
}

[[gnu::noinline]] long leaf(long n) {
  asm volatile("");
  return n + 1;
}

long flat(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    auto [a, b] = heist::join([=] { return leaf(i); }, [=] { return leaf(i); });
    sum += a + b;
  }
  return sum;
}

long serial_flat(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += leaf(i) + leaf(i);
  return sum;
}

long tens(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    auto one = [=] { return leaf(i); };
    const auto all = heist::join(one, one, one, one, one, one, one, one, one, one);
    sum += std::get<0>(all) + std::get<9>(all);
  }
  return sum;
}

long serial_tens(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 10; ++j) {
      const long value = leaf(i);
      if (j == 0 || j == 9) sum += value;
    }
  return sum;
}

long spawns(int n) {
  long sum = 0;
  heist::scope s;
  for (int i = 0; i < n; ++i) s.spawn([&sum, i] { sum += leaf(i); });
  s.sync();
  return sum;
}

long serial_spawns(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += leaf(i);
  return sum;
}

long asyncs(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += heist::async([i] { return leaf(i); }).get();
  return sum;
}

long serial_asyncs(int n) { return serial_spawns(n); }

// Futures that are all begun before the first is asked, measured.
long measured(int n) {
  long sum = 0;
  static_cast<void>(heist::measure([&] {
    std::vector<heist::future<long>> all;
    for (int i = 0; i < n; ++i) all.push_back(heist::async([i] { return leaf(i); }));
    for (auto& one : all) sum += one.get();
  }));
  return sum;
}

// The address of a local at the deepest level. The result is used after the calls, so that no call is a jump.
std::uintptr_t deepest;

long deep(int n) {
  if (n == 0) {
    char here;
    deepest = reinterpret_cast<std::uintptr_t>(&here);
    return 1;
  }
  auto [a, b] = heist::join([=] { return deep(n - 1); }, [=] { return long{n}; });
  return a + b;
}

[[gnu::noinline]] long serial_deep(int n) {
  if (n == 0) {
    char here;
    deepest = reinterpret_cast<std::uintptr_t>(&here);
    return 1;
  }
  const long a = serial_deep(n - 1);
  asm volatile("" ::: "memory");
  return a + n;
}

template <class F>
long bytes_a_level(F f) {
  constexpr int shallow = 100, far = 1100;
  f(shallow);
  const std::uintptr_t high = deepest;
  f(far);
  return static_cast<long>(high - deepest) / (far - shallow);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int n = argc > 2 ? std::atoi(argv[2]) : 0;
  heist::options o;
  o.workers = 1;
  heist::pool p(o);
  return p.run([&] {
    if (what == "frames") {
      const long heist = bytes_a_level(deep);
      const long serial = bytes_a_level(serial_deep);
      std::printf("%ld %ld\n", heist, serial);
      return 0;
    }
    long (*const f)(int) = what == "fib"             ? fib
                           : what == "serial_fib"    ? serial_fib
                           : what == "flat"          ? flat
                           : what == "serial_flat"   ? serial_flat
                           : what == "tens"          ? tens
                           : what == "serial_tens"   ? serial_tens
                           : what == "spawns"        ? spawns
                           : what == "serial_spawns" ? serial_spawns
                           : what == "asyncs"        ? asyncs
                           : what == "serial_asyncs" ? serial_asyncs
                           : what == "measured"      ? measured
                                                     : nullptr;
    if (f == nullptr) return 2;
    std::printf("%ld\n", f(n));
    return 0;
  });
}

// What memcheck shall find nothing in: forks, spawns, a sort, exceptions, on stacks that are deep, shallow and reused.
//   valgrind_program workers          status 0: all results are right
//   valgrind_program workers wrong    a child depends on a variable that nobody has set

#include <heist/heist.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace {

long fib(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

[[gnu::noinline]] void be_deep() {
  volatile char block[40'000];
  for (volatile char& c : block) c = 1;
}

long spawned_fib(int n) {
  if (n < 2) return be_deep(), n;
  long a = 0;
  heist::scope s;
  s.spawn([&] { a = spawned_fib(n - 1); });
  const long b = spawned_fib(n - 2);
  s.sync();
  return a + b;
}

void nest(int levels) {
  if (levels == 0) return be_deep();
  heist::scope s;
  s.spawn([=] { nest(levels - 1); });
}

bool sorts() {
  std::vector<unsigned> v(20'000);
  unsigned x = 1;
  for (unsigned& e : v) e = x = x * 1664525 + 1013904223;
  heist::sort(v);
  return std::is_sorted(v.begin(), v.end());
}

template <class Expected, class F>
bool throws(heist::pool& p, F f) {
  try {
    p.run(f);
  } catch (const Expected&) {
    return true;
  }
  return false;
}

[[gnu::noinline]] void depend_on(const volatile int& n) {
  if (n != 0) std::puts("");
}

}  // namespace

int main(int argc, char** argv) {
#if !__has_include(<valgrind/memcheck.h>)
  std::puts("skipped: built without valgrind's headers");
  return 77;
#endif
  heist::pool p({.workers = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1});
  bool right = true;
  for (int i = 0; i < 2; ++i) {
    right = right && p.run([] { return fib(12); }) == 144;
    right = right && p.run([] { return spawned_fib(8); }) == 21;
    right = right && p.run([] { return sorts(); });
    p.run([] { nest(40); });
    right = right && throws<std::runtime_error>(p, [] {
      heist::join([] { fib(5); }, [] { throw std::runtime_error("thrown"); });
    });
    right = right && throws<int>(p, [] {
      heist::scope s;
      s.spawn([] {
        nest(3);
        throw 1;
      });
      s.spawn([] { fib(8); });
      s.sync();
    });
  }
  if (argc > 2)
    p.run([] {
      heist::scope s;
      s.spawn([] {
        int unset[1];
        asm volatile("" : : "r"(unset) : "memory");
        depend_on(unset[0]);
      });
    });
  return right ? 0 : 1;
}

// A program that shares the machine: it works until nobody writes to its standard input any more. Its pools are sized by
// HEIST_WORKERS and HEIST_SHARE.

#include <heist/heist.hpp>

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

namespace {
int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}
}  // namespace

int main() {
  std::atomic<bool> ended{false};
  std::thread reader([&] {
    char c;
    while (::read(STDIN_FILENO, &c, 1) > 0) {
    }
    ended = true;
  });
  long roots = 0, wrong = 0;
  for (; !ended; ++roots) wrong += heist::default_pool().run([] { return fib(22); }) != 17711;
  reader.join();
  std::printf("%ld wrong of %ld\n", wrong, roots);
  return wrong == 0 && roots > 0 ? 0 : 1;
}

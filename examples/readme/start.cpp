// README.md's first program, whole.

// region: program
#include <heist/heist.hpp>

long fib(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}
int main() { return fib(30) == 832040 ? 0 : 1; }  // the default pool starts on first use
// end

// The control: what the others do wrong, done right.
#include <heist/heist.hpp>

int shared = 1;
int plain() { return 1; }

int main() {
  auto [a, b] = heist::join([] { return shared; }, plain);
  heist::scope s;
  s.spawn([] {});
  s.spawn_later(plain);
  s.sync();
  heist::pool p;
  const int c = p.run([] { return &shared; }) == &shared;
  heist::for_each_index(0, 3, [](int) {}, heist::grain{1});
  return a + b + c - 3;
}

// The control: what the others do wrong, done right.
#include <heist/heist.hpp>

#include <tuple>
#include <vector>

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
  // Packed elements may be read.
  const std::vector<bool> packed(3);
  heist::for_each(packed, [](bool) {});
  std::ignore = heist::reduce(packed, 0);
  std::ignore = heist::find(packed, true, std::stop_token(), heist::grain{1});
  return a + b + c - 3;
}

#include <examples/knapsack.hpp>

#include <cstdio>
#include <random>

int main() {
  // Every item is worth its weight and a little more: a hard case, as the bound then says little.
  std::mt19937 dice(3);
  std::vector<examples::item> all(44);
  long weight = 0;
  for (examples::item& i : all) {
    i.weight = static_cast<long>(10'000 + dice() % 10'000);
    i.value = i.weight + 1000;
    weight += i.weight;
  }
  heist::sort(all, [](auto& a, auto& b) { return a.value * b.weight > b.value * a.weight; });
  const long room = weight / 2;
  const long found = examples::knapsack(all, room);
  std::printf("%zu items, half of their weight fits: a value of %ld\n", all.size(), found);
  return found == examples::knapsack_serial(all, room) && found == examples::knapsack_by_table(all, room) ? 0 : 1;
}

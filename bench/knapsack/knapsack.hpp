#pragma once
// The most value that fits into a knapsack, by branch and bound, as in the example. How many nodes are visited depends
// on who finds what first; the answer does not.

#include <examples/knapsack.hpp>

namespace knapsack {

using examples::item;
using examples::items;

// Every item is worth its weight and a little more: a hard case, as the bound then says little.
inline std::vector<item> make_items(long n) {
  std::vector<item> all;
  std::uint64_t state = 7;
  for (long i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto weight = static_cast<long>(state >> 33) % 10'000 + 10'000;
    all.push_back({weight + 1000, weight});
  }
  std::sort(all.begin(), all.end(),
            [](const item& a, const item& b) { return a.value * b.weight > b.value * a.weight; });
  return all;
}

inline long room_for(items all) {
  long sum = 0;
  for (const item& i : all) sum += i.weight;
  return sum / 2;
}

template <class Runtime>
void fill(items rest, long room, long value, std::atomic<long>& best) {
  examples::raise(best, value);
  if (rest.empty() || value + examples::bound(rest, room) <= best.load(std::memory_order_relaxed)) return;
  const item& next = rest.front();
  if (next.weight > room) return fill<Runtime>(rest.subspan(1), room, value, best);
  Runtime::both([=, &best] { fill<Runtime>(rest.subspan(1), room - next.weight, value + next.value, best); },
                [=, &best] { fill<Runtime>(rest.subspan(1), room, value, best); });
}

template <class Runtime>
long most_value(long n) {
  const std::vector<item> all = make_items(n);
  std::atomic<long> best = 0;
  fill<Runtime>(all, room_for(all), 0, best);
  return best;
}

}  // namespace knapsack

// Branch and bound with a best value that all machines share: the most valuable things that fit into a knapsack, and which
// they are. Work: at most one call for each subset of the things; the bound cuts nearly all. Span: their number.

#include <heist/cluster.hpp>
#include <heist/heist.hpp>

#include <cstdint>
#include <cstdio>

namespace hc = heist::cluster;

constexpr int things = 30;
constexpr int weight(int i) { return 20 + i * i * 37 % 61; }
constexpr int value(int i) { return 30 + i * 53 % 71; }

// region: best
struct filling {
  int value = 0;
  std::uint32_t which = 0;  // the witness: without it the value proves nothing
  template <class Archive>
  void serialize(Archive& a) { a(value, which); }
};
struct more_valuable {
  bool operator()(const filling& a, const filling& b) const { return a.value > b.value; }
};
hc::best<filling, more_valuable> fullest("fullest", filling{});

// Every machine prunes by the best value that it knows. That may be an old one: then it does a little more.
int fill(int next, int room, filling so_far) {
  if (so_far.value > fullest.get().value) fullest.offer(so_far);
  int left = 0;
  for (int i = next; i < things; ++i) left += value(i);
  if (next == things || so_far.value + left <= fullest.get().value) return 1;
  const int w = weight(next);
  const filling with{so_far.value + value(next), so_far.which | 1u << next};
  if (w > room) return fill(next + 1, room, so_far);
  if (next > 12) return fill(next + 1, room - w, with) + fill(next + 1, room, so_far);  // too small to travel
  auto [a, b] = heist::join(hc::task<&fill>(next + 1, room - w, with), hc::task<&fill>(next + 1, room, so_far));
  return a + b;
}
HEIST_CLUSTER_TASK_NO_NOTES(fill)  // what it prunes depends on more than its arguments
// end

int main(int argc, char** argv) {
  hc::node node(hc::options::from(argc, argv));
  node.run<&fill>(0, 250, filling{});  // when it has ended, this machine knows the best value
  const filling f = fullest.get();
  int w = 0, v = 0;
  for (int i = 0; i < things; ++i)
    if ((f.which >> i & 1) != 0) w += weight(i), v += value(i);
  std::printf("value %d, weight %d of 250\n", f.value, w);
  return v == f.value && w <= 250 ? 0 : 1;
}

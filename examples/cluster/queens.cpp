// Queens on many machines: a branch is a call of a registered function with values, and any machine of the job may run it.
//
// Work Θ(the boards reached), span Θ(n).

// region: program
#include <heist/cluster.hpp>
#include <heist/heist.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace hc = heist::cluster;

struct board {
  int size = 0, row = 0;
  std::uint32_t columns = 0, rising = 0, falling = 0;

  template <class Archive>
  void serialize(Archive& a) { a(size, row, columns, rising, falling); }  // as cereal wants it
};

std::vector<board> moves(const board& b) {
  std::vector<board> all;
  for (std::uint32_t open = ~(b.columns | b.rising | b.falling) & ((1u << b.size) - 1); open != 0; open &= open - 1) {
    const std::uint32_t place = open & -open;
    all.push_back({b.size, b.row + 1, b.columns | place, (b.rising | place) << 1, (b.falling | place) >> 1});
  }
  return all;
}

long small(const board& b) {  // within the machine
  if (b.row == b.size) return 1;
  long n = 0;
  for (const board& next : moves(b)) n += small(next);
  return n;
}

long queens(board b) {  // a pure function of values
  if (b.row >= 4) return small(b);
  std::vector<hc::call<&queens>> next;
  for (const board& m : moves(b)) next.push_back(hc::task<&queens>(m));
  return hc::sum(next);
}
HEIST_CLUSTER_TASK(queens)

int main(int argc, char** argv) {
  hc::node node(hc::options::from(argc, argv));
  const int n = argc > 1 && std::atoi(argv[1]) > 0 ? std::atoi(argv[1]) : 10;
  std::printf("%ld\n", node.run<&queens>(board{n}));
}
// end

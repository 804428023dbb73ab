#include <bench/queens/board.hpp>
#include <bench/runtimes/tbb.hpp>

#include <array>
#include <numeric>

using queens::board;
using queens::lowest;

static long ways(board b) {
  if (b.full()) return 1;
  std::array<long, queens::most> found{};
  std::size_t n = 0;
  tbb::task_group g;
  for (std::uint32_t places = b.free_places(); places != 0; places &= places - 1)
    g.run([next = b.with(lowest(places)), &to = found[n++]] { to = ways(next); });
  g.wait();
  return std::accumulate(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(n), 0L);
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    return runtime.enter([&] { return ways(queens::empty(t.size)); });
  });
}

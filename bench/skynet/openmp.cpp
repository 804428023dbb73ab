#include <bench/runtimes/openmp.hpp>

#include <array>
#include <numeric>

// The sum of the numbers of the leaves below the node that begins with `first`: ten children a node, `leaves` leaves.
static long sum(long first, long leaves) {
  if (leaves == 1) return first;
  std::array<long, 10> found{};
  for (long i = 0; i < 10; ++i) {
    long& to = found[static_cast<std::size_t>(i)];
#pragma omp task shared(to)
    to = sum(first + i * (leaves / 10), leaves / 10);
  }
#pragma omp taskwait
  return std::accumulate(found.begin(), found.end(), 0L);
}

int main(int argc, char** argv) {
  return bench::contestant(
      argc, argv, [](auto& runtime, const bench::task& t) { return runtime.enter([&] { return sum(0, t.size); }); });
}

#include <bench/heat/grid.hpp>
#include <bench/runtimes/async.hpp>

// Rows [first, last), a part for each worker.
static bool rows(heat::input& g, std::size_t first, std::size_t last, unsigned workers) {
  if (workers <= 1) {
    for (; first < last; ++first) g.row(first);
    return true;
  }
  const std::size_t middle = first + (last - first) / 2;
  bench::fork([&, first, middle] { return rows(g, first, middle, workers / 2); },
              [&, middle, last] { return rows(g, middle, last, workers - workers / 2); });
  return true;
}

int main(int argc, char** argv) {
  return bench::contestant_on<heat::input>(argc, argv, [](auto& runtime, heat::input& g) {
    for (int s = 0; s < heat::steps; ++s) {
      rows(g, 1, g.n - 1, runtime.workers());
      g.end_step();
    }
  });
}

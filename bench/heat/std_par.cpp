#include <bench/heat/grid.hpp>
#include <bench/runtimes/std_par.hpp>

#include <numeric>

int main(int argc, char** argv) {
  return bench::contestant_on<heat::input>(argc, argv, [](auto& runtime, heat::input& g) {
    std::vector<std::size_t> rows(g.n - 2);
    std::iota(rows.begin(), rows.end(), std::size_t{1});
    runtime.enter([&] {
      for (int s = 0; s < heat::steps; ++s) {
        std::for_each(std::execution::par, rows.begin(), rows.end(), [&](std::size_t i) { g.row(i); });
        g.end_step();
      }
    });
  });
}

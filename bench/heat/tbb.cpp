#include <bench/heat/grid.hpp>
#include <bench/runtimes/tbb.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<heat::input>(argc, argv, [](auto& runtime, heat::input& g) {
    runtime.enter([&] {
      for (int s = 0; s < heat::steps; ++s) {
        tbb::parallel_for(std::size_t{1}, g.n - 1, [&](std::size_t i) { g.row(i); });
        g.end_step();
      }
    });
  });
}

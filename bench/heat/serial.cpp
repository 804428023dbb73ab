#include <bench/heat/grid.hpp>
#include <bench/runtimes/serial.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<heat::input>(argc, argv, [](auto&, heat::input& g) {
    for (int s = 0; s < heat::steps; ++s) {
      for (std::size_t i = 1; i < g.n - 1; ++i) g.row(i);
      g.end_step();
    }
  });
}

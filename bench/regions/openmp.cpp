#include <bench/regions/loop.hpp>
#include <bench/runtimes/openmp.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<regions::input>(argc, argv, [](auto&, regions::input& in) {
    for (long i = 0; i < in.loops; ++i) {
#pragma omp parallel for schedule(static)
      for (std::uint64_t& x : in.v) in.step(x);
    }
  });
}

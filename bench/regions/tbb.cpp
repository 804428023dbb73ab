#include <bench/regions/loop.hpp>
#include <bench/runtimes/tbb.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<regions::input>(argc, argv, [](auto& runtime, regions::input& in) {
    for (long i = 0; i < in.loops; ++i)
      runtime.enter([&] { tbb::parallel_for(std::size_t{0}, in.v.size(), [&](std::size_t k) { in.step(in.v[k]); }); });
  });
}

#include <bench/regions/loop.hpp>
#include <bench/runtimes/std_par.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<regions::input>(argc, argv, [](auto& runtime, regions::input& in) {
    for (long i = 0; i < in.loops; ++i)
      runtime.enter(
          [&] { std::for_each(std::execution::par, in.v.begin(), in.v.end(), [&](std::uint64_t& x) { in.step(x); }); });
  });
}

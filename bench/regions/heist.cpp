#include <bench/regions/loop.hpp>
#include <bench/runtimes/heist.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<regions::input>(argc, argv, [](auto& runtime, regions::input& in) {
    for (long i = 0; i < in.loops; ++i)
      runtime.enter([&] { heist::for_each(in.v, [&](std::uint64_t& x) { in.step(x); }); });
  });
}

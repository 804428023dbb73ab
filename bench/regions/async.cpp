#include <bench/regions/loop.hpp>
#include <bench/runtimes/async.hpp>

// Elements [first, last), a part for each worker.
static bool loop(regions::input& in, std::size_t first, std::size_t last, unsigned workers) {
  if (workers <= 1) {
    for (; first < last; ++first) in.step(in.v[first]);
    return true;
  }
  const std::size_t middle = first + (last - first) / 2;
  bench::fork([&, first, middle] { return loop(in, first, middle, workers / 2); },
              [&, middle, last] { return loop(in, middle, last, workers - workers / 2); });
  return true;
}

int main(int argc, char** argv) {
  return bench::contestant_on<regions::input>(argc, argv, [](auto& runtime, regions::input& in) {
    for (long i = 0; i < in.loops; ++i) loop(in, 0, in.v.size(), runtime.workers());
  });
}

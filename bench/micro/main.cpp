// The steps that forks, steals and sleep are made of, one by one.

#include <heist/fence/fence.hpp>

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  heist::detail::enable_heavy_fence();  // before threads start: later it takes milliseconds
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}

#include <bench/runtimes/openmp.hpp>
#include <bench/sort/numbers.hpp>

#include <parallel/algorithm>

// libstdc++'s parallel mode, which is built on OpenMP and makes its own team.
int main(int argc, char** argv) {
  return bench::contestant_on<sort::input>(
      argc, argv, [](auto&, sort::input& in) { __gnu_parallel::sort(in.v.begin(), in.v.end()); });
}

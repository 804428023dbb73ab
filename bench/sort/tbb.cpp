#include <bench/runtimes/tbb.hpp>
#include <bench/sort/numbers.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<sort::input>(
      argc, argv, [](auto& runtime, sort::input& in) { runtime.enter([&] { tbb::parallel_sort(in.v); }); });
}

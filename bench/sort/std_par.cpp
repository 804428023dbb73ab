#include <bench/runtimes/std_par.hpp>
#include <bench/sort/numbers.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<sort::input>(argc, argv, [](auto& runtime, sort::input& in) {
    runtime.enter([&] { std::sort(std::execution::par, in.v.begin(), in.v.end()); });
  });
}

#include <bench/knapsack/knapsack.hpp>
#include <bench/runtimes/tbb.hpp>

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    return runtime.enter([&] { return knapsack::most_value<bench::runtime>(t.size); });
  });
}

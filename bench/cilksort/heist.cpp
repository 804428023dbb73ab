#include <bench/cilksort/cilksort.hpp>
#include <bench/runtimes/heist.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<sort::input>(
      argc, argv, [](auto& runtime, sort::input& in) { runtime.enter([&] { cilksort::sort<bench::runtime>(in.v); }); });
}

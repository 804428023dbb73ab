#include <bench/lu/lu.hpp>
#include <bench/runtimes/heist.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<lu::input>(argc, argv, [](auto& runtime, lu::input& in) {
    runtime.enter([&] { lu::decompose<bench::runtime>(in.all(), in.n); });
  });
}

#include <bench/strassen/strassen.hpp>
#include <bench/runtimes/heist.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<matrix::input>(argc, argv, [](auto& runtime, matrix::input& in) {
    runtime.enter([&] { strassen::multiply<bench::runtime>(in.of(in.c), in.of(in.a), in.of(in.b), in.n); });
  });
}

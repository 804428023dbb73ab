#include <bench/fft/fft.hpp>
#include <bench/runtimes/heist.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<fft::input>(argc, argv, [](auto& runtime, fft::input& in) {
    runtime.enter([&] { fft::transform<bench::runtime>(in, in.in.data(), 1, in.out.data(), in.n); });
  });
}

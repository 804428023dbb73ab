// The target without libFuzzer: replay N [SEED] gives it so many random inputs.

#include "target.hpp"

#include <cstdlib>
#include <random>
#include <vector>

int main(int argc, char** argv) {
  const long n = argc > 1 ? std::atol(argv[1]) : 1000;
  std::mt19937_64 random(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1);
  std::vector<std::uint8_t> bytes;
  for (long i = 0; i < n; ++i) {
    bytes.resize(random() % 4 == 0 ? random() % 2000 : random() % 60);
    for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
    fuzz_one(bytes.data(), bytes.size());
  }
}

// The target without libFuzzer: seeds as they are, and then mutated, so many times: replay N FILE…

#include "target.hpp"

#include <analysis/dag/random.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using heist::analysis::stream;

// Words of the formats: bytes alone would rarely make anything new.
const std::vector<std::string> words = {"thread ",  "spawn ",     "join ",  " -> ",      "dag x\n",
                                        "frame 3 ", ": ",         "*7 ",    "program ",  "work 3 ",
                                        "sync ",    "{ ",         "} ",     "repeat 4 ", "[",
                                        "]",        "\"joins\":", "\"a\",", "0",         "-1",
                                        "1e99",     "\n",         "v1 ",    "v2 ",       "v3 ",
                                        "\xff",     "fib:",       "#",      ",",         "18446744073709551615"};

std::string mutated(std::string text, const std::vector<std::string>& seeds, stream& random) {
  auto at = [&] { return random.below(static_cast<std::uint32_t>(text.size() + 1)); };
  for (std::uint32_t n = 1 + random.below(4); n > 0; --n) {
    switch (random.below(6)) {
      case 0:
        text.insert(at(), words[random.below(static_cast<std::uint32_t>(words.size()))]);
        break;
      case 1:
        text.erase(at(), random.below(16));
        break;
      case 2:
        text.insert(at(), text.substr(at(), random.below(40)));
        break;
      case 3:
        text.resize(at());
        break;
      case 4:
        if (!text.empty())
          text[random.below(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(random.below(256));
        break;
      case 5: {
        const std::string& other = seeds[random.below(static_cast<std::uint32_t>(seeds.size()))];
        text.insert(at(), other.substr(random.below(static_cast<std::uint32_t>(other.size() + 1)), random.below(80)));
      }
    }
  }
  return text;
}

void run(const std::string& text) { fuzz_one(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()); }

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: replay N FILE…\n");
    return 2;
  }
  std::vector<std::string> seeds;
  for (int i = 2; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    if (!in) {
      std::fprintf(stderr, "replay: %s cannot be read\n", argv[i]);
      return 2;
    }
  }
  for (const std::string& s : seeds) run(s);
  const long n = std::atol(argv[1]);
  stream random(1);
  for (long i = 0; i < n; ++i)
    run(mutated(seeds[random.below(static_cast<std::uint32_t>(seeds.size()))], seeds, random));
  std::printf("%ld mutants of %zu seeds: each read, or refused with one line\n", n, seeds.size());
}

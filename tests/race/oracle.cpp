// Judges random programs twice: by the detector, and by brute force over their dag.
//   race_oracle PROGRAMS [FIRST_SEED]
//   race_oracle shrink SEED    leaves out steps of a program that is judged wrongly, as many as can be, and prints the rest

#include "random_program.hpp"

#include <heist/race/detector.hpp>

#include <cstdlib>
#include <memory>
#include <string_view>

extern "C" void __tsan_init();

namespace {

using namespace random_programs;

struct verdict {
  unsigned char* memory;
  std::bitset<bytes> found, wanted;
  bool wrong_sum;
  std::vector<std::uint64_t> made;

  bool wrong() const { return found != wanted || wrong_sum; }
  void print(unsigned seed) const {
    std::printf("seed %u:%s", seed, wrong_sum ? " a reducer's sum is wrong;" : "");
    for (std::size_t k = 0, said = 0; k < bytes && said < 8; ++k)
      if (found[k] != wanted[k]) said += 1, std::printf(" byte %zu %s;", k, found[k] ? "has no race" : "was missed");
    std::printf("\n");
  }
};

verdict judged(unsigned seed, const steps* without = nullptr, bool aloud = false) {
  static const bool determinacy = std::getenv("HEIST_RACE") != nullptr;
  // Each program has memory of its own, whole blocks of the detector's, which the next one may get again: the detector forgets what was
  // done to it.
  verdict v{static_cast<unsigned char*>(std::aligned_alloc(block, bytes)), {}, {}, false, {}};
  {
    const auto p = std::make_unique<program>(seed, v.memory, without, aloud);
    p->run();
    heist_race_for_racy(
        [](void* to, std::uintptr_t from, std::uintptr_t end) {
          auto& mine = *static_cast<verdict*>(to);
          for (std::uintptr_t a = from; a < end; ++a)
            if (const std::uintptr_t k = a - reinterpret_cast<std::uintptr_t>(mine.memory); k < bytes) mine.found.set(k);
        },
        &v);
    v.wanted = p->races(determinacy);
    v.wrong_sum = p->wrong_sum();
    v.made = p->made();
  }
  heist_race_clear();
  std::free(v.memory);
  return v;
}

int shrink(unsigned seed) {
  steps without;
  verdict v = judged(seed);
  if (!v.wrong()) {
    std::printf("seed %u is judged rightly\n", seed);
    return 0;
  }
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const std::uint64_t step : v.made) {
      without.insert(step);
      if (judged(seed, &without).wrong())
        smaller = true;
      else
        without.erase(step);
    }
    v = judged(seed, &without);
  }
  judged(seed, &without, true);
  v.print(seed);
  return 1;
}

int judge_all(unsigned programs, unsigned first) {
  unsigned wrong = 0, racy = 0;
  std::size_t racy_bytes = 0;
  for (unsigned seed = first; seed - first < programs; ++seed) {
    const verdict v = judged(seed);
    racy += v.wanted.any() ? 1 : 0;
    racy_bytes += v.wanted.count();
    if (v.wrong() && ++wrong <= 5) v.print(seed);
  }
  std::printf("%u programs, %u with races in %zu bytes, %u judged wrongly\n", programs, racy, racy_bytes, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  __tsan_init();
  const auto number = [&](int i, unsigned otherwise) { return argc > i ? static_cast<unsigned>(std::atoi(argv[i])) : otherwise; };
  const int status = argc > 2 && std::string_view(argv[1]) == "shrink" ? shrink(number(2, 1)) : judge_all(number(1, 1000), number(2, 1));
  std::fflush(stdout);
  std::_Exit(status);
}

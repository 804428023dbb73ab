// What looking for races costs: six programs, built plainly, with empty hooks (the floor), for races, and with
// ThreadSanitizer, one worker each. Slow-downs against the plain program, and peaks of memory. The contestants take turns;
// the figure is the least of all rounds.

#include <bench/common/bench.hpp>

#include <array>
#include <cstdlib>

namespace {

struct program {
  const char* name;
  int size;
  double goal;  // docs/evidence/measured/race.md: the slow-down to reach, or 1.5 times the floor
};
constexpr std::array programs{program{"matrix", 256, 12}, program{"sort", 1'000'000, 4},  program{"heat", 300, 12},
                              program{"fib", 27, 25},     program{"queens", 10, 12},      program{"words", 2'000'000, 6}};
constexpr double memory_goal = 5.2;
constexpr std::array contestants{"plain", "floor", "race", "tsan"};

struct figure {
  double ns = 1e300;
  long kib = 0;
};

figure run(const std::string& folder, const char* contestant, const program& p) {
  // A program that finds no race says so on stderr.
  const std::string command = "HEIST_WORKERS=1 " + folder + "race/" + contestant + " " + p.name + " " + std::to_string(p.size) +
                              " 2>/dev/null";
  figure f;
  if (std::FILE* const out = ::popen(command.c_str(), "r")) {
    if (std::fscanf(out, "%lf %ld", &f.ns, &f.kib) != 2) f = {};
    ::pclose(out);
  }
  return f;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 5);
  const std::string self = argv[0], folder = self.substr(0, self.rfind('/') + 1);
  std::printf("slow-downs and peaks of memory, against the plain program on one worker; goal: the figure, or 1.5 times the floor, "
              "whichever is larger; of memory %.1f\n\n", memory_goal);
  std::printf("%-10s %10s %8s %8s %8s %8s %-8s %12s %12s %s\n", "", "plain ms", "floor", "race", "TSan", "goal", "", "race memory",
              "TSan memory", "");
  for (const program& p : programs) {
    std::array<figure, contestants.size()> best;
    for (int round = 0; round < o.rounds; ++round)
      for (std::size_t c = 0; c < contestants.size(); ++c) {
        const figure f = run(folder, contestants[c], p);
        if (f.ns < best[c].ns) best[c] = f;
      }
    const double plain = best[0].ns;
    const double slower = best[2].ns / plain, goal = std::max(p.goal, 1.5 * best[1].ns / plain);
    const auto memory = [&](std::size_t c) { return static_cast<double>(best[c].kib) / static_cast<double>(best[0].kib); };
    const auto verdict = [](double is, double most) { return is <= most ? "reached" : "MISSED"; };
    std::printf("%-10s %10.1f %7.1fx %7.1fx %7.1fx %7.1fx %-8s %11.1fx %11.1fx %s\n", p.name, plain / 1e6, best[1].ns / plain,
                slower, best[3].ns / plain, goal, verdict(slower, goal), memory(2), memory(3), verdict(memory(2), memory_goal));
  }
  return 0;
}

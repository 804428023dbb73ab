#include <bench/waiting/contest.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>

namespace waiting {

bench::series outcome::each(std::size_t figure) const {
  return bench::combine(figures[figure], figures[figure], [this](double x, double) { return x / of.count; });
}

std::vector<outcome> play(const std::vector<entry>& entries, int rounds, const turn& take) {
  std::vector<outcome> all;
  for (const entry& e : entries) {
    if (player::exists(e.command))
      all.push_back({e, std::make_unique<player>(e.command), {}});
    else
      std::printf("%s does not take part: what it needs was not installed when bench_waiting was built\n",
                  e.name.c_str());
  }
  std::map<std::string, double> results;  // of the tasks
  for (int round = -1; round < rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      outcome& o = all[(i + static_cast<std::size_t>(round + 1)) % all.size()];
      std::vector<double> figures = take(*o.who, o.of);
      bench::expect(!figures.empty() && figures.back() == results.emplace(o.of.task, figures.back()).first->second,
                    (o.of.command + ", " + o.of.task).c_str());
      figures.pop_back();
      o.figures.resize(figures.size());
      for (std::size_t f = 0; round >= 0 && f < figures.size(); ++f) o.figures[f].add(figures[f]);
    }
  }
  return all;
}

const outcome* find(const std::vector<outcome>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const outcome& o) { return o.of.name == name; });
  return found != all.end() ? &*found : nullptr;
}

double best_peer(const std::vector<outcome>& all, const std::function<double(const outcome&)>& figure) {
  double least = std::numeric_limits<double>::infinity();
  for (const outcome& o : all)
    if (o.of.peer) least = std::min(least, figure(o));
  return least;
}

void print_target(const std::string& what, double figure, double most, const char* unit) {
  const int digits = figure < 1000 ? 1 : 0;
  std::printf("- target: %s: %.*f %s, at most %.*f: %s\n", what.c_str(), digits, figure, unit, digits, most,
              bench::verdict(figure, most).c_str());
}

}  // namespace waiting

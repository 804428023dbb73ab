// heist sim game: the recycling game against its bound.

#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/plot/chart.hpp>
#include <analysis/proof/recycling.hpp>
#include <analysis/proof/statistics.hpp>
#include <analysis/sim/sweep.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct game_settings {
  std::uint32_t balls = 64;
  std::uint64_t tosses = 10'000, games = 1000, seed = 1;
  std::string plot;
  bool json = false;
};

// The eager adversary, who is the worst, with ever more tosses: D/M beside the lemma's bound and the footnote's O(M).
void draw_game(const game_settings& with) {
  constexpr double rare = 0.001;
  plot::chart c{"The recycling game",
                fmt::format("P = {} balls, every ball tossed as soon as it is back; {} games for each M", with.balls, with.games),
                {"tosses for each ball, M/P", plot::scale::log2},
                {"delay for each toss, D/M", plot::scale::log2},
                {}};
  plot::series mean{"mean", {}}, most{"not exceeded by 99.9 %", {}};
  plot::series lemma{"(M + P lg P + P lg 1000)/M", {}, plot::mark::dashed, 3}, footnote{"the footnote's O(M), with constant 1", {}, plot::mark::dashed, 5};
  for (std::uint64_t tosses = with.balls; tosses <= std::max<std::uint64_t>(with.tosses, with.balls); tosses *= 2) {
    std::vector<std::uint64_t> delays(with.games);
    in_parallel(with.games, [&](std::size_t i) { delays[i] = play(with.balls, tosses, tosser::eager, with.seed + i); }, [] {});
    sample d;
    for (const std::uint64_t x : delays) d.add(static_cast<double>(x));
    const double x = static_cast<double>(tosses) / with.balls, all = static_cast<double>(tosses);
    mean.points.push_back({x, d.mean() / all});
    most.points.push_back({x, d.quantile(1 - rare) / all});
    lemma.points.push_back({x, recycling_bound(with.balls, tosses, rare) / all});
    footnote.points.push_back({x, 1});
  }
  c.series = {mean, most, lemma, footnote};
  plot::write_svg(c, with.plot);
}

int game(const game_settings& with) {
  if (with.balls < 1 || with.games < 1 || with.tosses < 1) throw bad_input("balls, tosses and games must be at least 1");
  if (!with.plot.empty()) draw_game(with);
  constexpr double quantiles[] = {0.5, 0.9, 0.99, 0.999};
  nlohmann::json json = nlohmann::json::array();
  bool good = true;
  if (!with.json) {
    fmt::print(
        "P = {} balls, M = {} tosses, {} games. D: balls left in bins, summed over the steps.\n\n{:<10}{:>12}{:>9}",
        with.balls, with.tosses, with.games, "adversary", "mean D", "D/M");
    for (const double q : quantiles) fmt::print("{:>12}", fmt::format("D at {:g}%", 100 * q));
    fmt::print("\n");
  }
  for (const auto& [name, how] : tossers()) {
    std::vector<std::uint64_t> delays(with.games);
    {
      progress bar(name, with.games);
      const tosser adversary = how;
      in_parallel(
          with.games, [&](std::size_t i) { delays[i] = play(with.balls, with.tosses, adversary, with.seed + i); },
          [&] { bar.step(); });
    }
    sample d;
    for (const std::uint64_t x : delays) d.add(static_cast<double>(x));
    // The bound on the mean is exact. The one on quantiles has a constant, which the games do not need.
    good = good && d.mean() <= static_cast<double>(with.tosses);
    nlohmann::json row = {{"adversary", name}, {"mean", d.mean()}};
    if (!with.json) fmt::print("{:<10}{:>12.1f}{:>9.3f}", name, d.mean(), d.mean() / static_cast<double>(with.tosses));
    for (const double q : quantiles) {
      row["quantiles"].push_back(
          {{"q", q}, {"delay", d.quantile(q)}, {"bound", recycling_bound(with.balls, with.tosses, 1 - q)}});
      if (!with.json) fmt::print("{:>12.0f}", d.quantile(q));
    }
    if (!with.json) fmt::print("\n");
    json.push_back(row);
  }
  if (with.json) {
    fmt::print("{}\n", json.dump(1));
  } else {
    fmt::print("{:<10}{:>12}{:>9}", "bound", with.tosses, "1");
    for (const double q : quantiles) fmt::print("{:>12.0f}", recycling_bound(with.balls, with.tosses, 1 - q));
    fmt::print("\n\nbound: M for the mean, M + P lg P + P lg(1/e) for the others. {}\n",
               good ? "Every mean is within it." : "A mean is ABOVE it.");
  }
  return good ? ok : check_failed;
}

}  // namespace

void add_game(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand("game", "Play the recycling game: how long thieves wait for each other");
  auto with = std::make_shared<game_settings>();
  app.add_option("-p,--balls", with->balls, "the number of balls, and of bins")->capture_default_str();
  app.add_option("-m,--tosses", with->tosses, "tosses in a game")->capture_default_str();
  app.add_option("--games", with->games, "games for each adversary")->capture_default_str();
  app.add_option("--seed", with->seed, "the seed of the first game")->capture_default_str();
  app.add_option("--plot", with->plot, "draw D/M for ever more tosses, up to --tosses, to this SVG file");
  app.add_flag("--json", with->json, "print JSON");
  app.callback([with, &chosen] { chosen = [with] { return game(*with); }; });
}

}  // namespace heist::cli

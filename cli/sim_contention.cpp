// heist sim contention: what backoff saves where all processes update one location.

#include <cli/machine_options.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/plot/chart.hpp>
#include <analysis/proof/contention.hpp>
#include <analysis/sim/sweep.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct contention_settings {
  std::vector<std::string> processes{"16..1024"};
  std::uint64_t seeds = 5, seed = 1;
  std::string plot;
  bool json = false;
};

// Means of all seeds.
struct contention_row {
  std::string order, retry;
  double n, work = 0, time = 0, attempts = 0;

  double cube() const { return work / (n * n * n); }
  double square_log() const { return work / (n * n * std::log2(n)); }
};

contention_row contend(const std::pair<std::string, served>& order, const std::pair<std::string, retry>& how,
                       std::uint32_t processes, const contention_settings& with) {
  std::vector<updates> seen(with.seeds);
  in_parallel(
      with.seeds,
      [&](std::size_t i) { seen[i] = update_one_location(processes, how.second, order.second, with.seed + i); }, [] {});
  contention_row r{order.first, how.first, static_cast<double>(processes)};
  const auto runs = static_cast<double>(with.seeds);
  for (const updates& one : seen) {
    r.work += static_cast<double>(one.work) / runs;
    r.time += static_cast<double>(one.time) / runs;
    r.attempts += static_cast<double>(one.attempts) / runs;
  }
  return r;
}

// Work over n² lg n: a line that levels off has this form, one that rises is above it.
void draw_contention(const std::vector<contention_row>& rows, const std::string& path) {
  plot::chart c{"Backoff at one location",
                "processor-steps until n processes have each updated it, over n² lg n; which swap is executed",
                {"processes n", plot::scale::log2},
                {"work / (n² lg n)", plot::scale::log10},
                {}};
  for (const contention_row& r : rows) {
    const std::string name = fmt::format("{} first, {}", r.order, r.retry);
    if (c.series.empty() || c.series.back().name != name) c.series.push_back({name, {}});
    c.series.back().points.push_back({r.n, r.square_log()});
  }
  plot::write_svg(c, path);
}

int contend_all(const contention_settings& with) {
  if (with.seeds < 1 || with.seeds > 10'000) throw bad_input("seeds must be from 1 to 10000");
  const std::vector<std::uint32_t> counts = parse_counts(with.processes);
  for (const std::uint32_t n : counts)
    if (n < 2 || n > 1 << 14) throw bad_input("processes must be from 2 to 16384");
  std::vector<contention_row> rows;
  for (const auto& order : orders_of_service())
    for (const auto& how : retries())
      for (const std::uint32_t n : counts) rows.push_back(contend(order, how, n, with));
  if (!with.plot.empty()) draw_contention(rows, with.plot);
  if (with.json) {
    nlohmann::json json = nlohmann::json::array();
    for (const contention_row& r : rows)
      json.push_back({{"served", r.order},
                      {"retry", r.retry},
                      {"processes", r.n},
                      {"work", r.work},
                      {"time", r.time},
                      {"attempts", r.attempts}});
    fmt::print("{}\n", json.dump(1));
    return ok;
  }
  fmt::print("{:<8}{:<13}{:>9}{:>15}{:>10}{:>16}{:>10}{:>12}\n", "served", "retry", "processes", "work", "work/n^3",
             "work/(n^2*lg n)", "time/n", "attempts/n");
  for (const contention_row& r : rows)
    fmt::print("{:<8}{:<13}{:>9.0f}{:>15.0f}{:>10.4f}{:>16.3f}{:>10.2f}{:>12.2f}\n", r.order, r.retry, r.n, r.work,
               r.cube(), r.square_log(), r.time / r.n, r.attempts / r.n);
  fmt::print(
      "\nEach process reads the location and then swaps; a swap fails if the location has changed since. Work: the\n"
      "processor-steps of reading and of waiting for a swap, without delays. Proved (Ben-David and Blelloch): at\n"
      "least a multiple of n^3 if all retry at once, n^2 lg n with exponential delays, in the worst order.\n");
  return ok;
}

}  // namespace

void add_contention(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand("contention", "Let n processes update one location, with backoff and without");
  auto with = std::make_shared<contention_settings>();
  app.add_option("-n,--processes", with->processes, "numbers such as 4,8, or 16..1024 for powers of two")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--seeds", with->seeds, "runs to average over")->capture_default_str();
  app.add_option("--seed", with->seed, "the first seed")->capture_default_str();
  app.add_option("--plot", with->plot, "draw work/(n^2 lg n) to this SVG file");
  app.add_flag("--json", with->json, "print JSON");
  app.footer("Example:\n  heist sim contention -n 16..4096 --plot contention.svg");
  app.callback([with, &chosen] { chosen = [with] { return contend_all(*with); }; });
}

}  // namespace heist::cli

// heist sim communication: computations for which the bound on bytes is tight, beside others for which it is not.

#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/computation.hpp>
#include <analysis/dag/error.hpp>
#include <analysis/dag/measure.hpp>
#include <analysis/plot/chart.hpp>
#include <analysis/sim/sweep.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct communication_settings {
  std::vector<std::string> processors{"4..128"};
  std::uint64_t length = 256, frame = 64, seeds = 5, seed = 1;
  std::string plot;
  bool json = false;
};

// One computation on so many processors; the mean of all seeds.
struct row {
  std::string computation;
  std::uint32_t processors;
  std::uint64_t span, join_degree, frame;
  double work, speed_up = 0, steals = 0, bytes = 0;

  double scale() const { return static_cast<double>(processors) * static_cast<double>(span); }
  double bound() const { return scale() * static_cast<double>((1 + join_degree) * frame); }
};

row run(const std::string& spec, std::uint32_t processors, const communication_settings& with) {
  const auto c = open_computation(spec);
  const measures m = measure(expand(*c));
  std::vector<analysis::options> all(with.seeds);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].processors = processors;
    all[i].seed = with.seed + i;
  }
  row r{spec, processors, m.span, m.joins, m.frame, static_cast<double>(m.work)};
  const auto n = static_cast<double>(with.seeds);
  for (const report& one : sweep(*c, all, [] {})) {
    r.speed_up += static_cast<double>(m.work) / static_cast<double>(one.time) / n;
    r.steals += static_cast<double>(one.steals) / n;
    r.bytes += static_cast<double>(one.bytes) / n;
  }
  return r;
}

// Half as many spines as processors: the other half has nothing to do but to steal what is on them.
std::vector<row> run_all(const communication_settings& with, const std::vector<std::uint32_t>& counts) {
  std::vector<row> rows;
  progress bar("communication", counts.size() * 2);
  for (const std::uint32_t p : counts) {
    rows.push_back(run(fmt::format("spines:{},length={},frame={}", std::max(1u, p / 2), with.length, with.frame), p, with));
    bar.step();
  }
  for (const std::uint32_t p : counts) {
    rows.push_back(run(fmt::format("fib:20,frame={}", with.frame), p, with));
    bar.step();
  }
  return rows;
}

void draw(const std::vector<row>& rows, std::size_t family, const std::string& path) {
  plot::chart c{"Communication against its bound",
                "bytes / (P·T∞·(1 + n_d)·S_max)",
                {"processors P", plot::scale::log2},
                {"bytes / bound", plot::scale::log10},
                {}};
  plot::series spines{"spines: one side of each fork is a leaf", {}}, fib{"fib(20)", {}};
  plot::series bound{"the bound, with constant 1", {}, plot::mark::dashed, 5};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    (i < family ? spines : fib).points.push_back({double(rows[i].processors), rows[i].bytes / rows[i].bound()});
    if (i < family) bound.points.push_back({double(rows[i].processors), 1});
  }
  c.series = {spines, fib, bound};
  plot::write_svg(c, path);
}

int communicate(const communication_settings& with) {
  if (with.seeds < 1 || with.seeds > 10'000) throw bad_input("seeds must be from 1 to 10000");
  const std::vector<std::uint32_t> counts = parse_counts(with.processors);
  const std::vector<row> rows = run_all(with, counts);
  const auto family = rows.begin() + static_cast<std::ptrdiff_t>(counts.size());
  const auto ratio = [](const row& r) { return r.bytes / r.bound(); };
  const auto [least, most] = std::minmax_element(rows.begin(), family, [&](const row& a, const row& b) { return ratio(a) < ratio(b); });
  const bool constant = std::all_of(rows.begin(), family, [&](const row& r) { return r.join_degree == rows[0].join_degree; });
  if (!with.plot.empty()) draw(rows, counts.size(), with.plot);
  if (with.json) {
    nlohmann::json json = nlohmann::json::array();
    for (const row& r : rows)
      json.push_back({{"computation", r.computation}, {"processors", r.processors}, {"work", r.work}, {"span", r.span},
                      {"join_degree", r.join_degree}, {"speed_up", r.speed_up}, {"steals", r.steals}, {"bytes", r.bytes},
                      {"bound", r.bound()}});
    fmt::print("{}\n", json.dump(1));
    return constant ? ok : check_failed;
  }
  fmt::print("{:<38}{:>6}{:>10}{:>8}{:>5}{:>10}{:>17}{:>12}{:>9}\n", "computation", "P", "T1", "Tinf", "n_d", "speed-up",
             "steals/(P*Tinf)", "bytes", "/bound");
  for (const row& r : rows)
    fmt::print("{:<38}{:>6}{:>10.0f}{:>8}{:>5}{:>10.2f}{:>17.3f}{:>12.0f}{:>9.3f}\n", r.computation, r.processors, r.work,
               r.span, r.join_degree, r.speed_up, r.steals / r.scale(), r.bytes, ratio(r));
  fmt::print("\nbound: P*Tinf*(1 + n_d)*S_max. Spines: between {:.3f} and {:.3f} of it. The join degree n_d is {}.\n",
             ratio(*least), ratio(*most),
             constant ? fmt::format("{} in all of them: constant", rows[0].join_degree) : "NOT constant");
  return constant ? ok : check_failed;
}

}  // namespace

void add_communication(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand("communication", "Run computations for which the bound on bytes is tight");
  auto with = std::make_shared<communication_settings>();
  app.add_option("-p,--processors", with->processors, "numbers such as 4,8, or 4..128 for powers of two")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--length", with->length, "forks on a spine")->check(CLI::Range(1, 1 << 14))->capture_default_str();
  app.add_option("--frame", with->frame, "bytes of a frame")->check(CLI::Range(1, 1 << 20))->capture_default_str();
  app.add_option("--seeds", with->seeds, "runs to average over")->capture_default_str();
  app.add_option("--seed", with->seed, "the first seed")->capture_default_str();
  app.add_option("--plot", with->plot, "draw bytes against the bound to this SVG file");
  app.add_flag("--json", with->json, "print JSON");
  app.footer("Exit code 1 if the join degree is not constant.\nExample:\n  heist sim communication -p 4..64 --plot tight.svg");
  app.callback([with, &chosen] { chosen = [with] { return communicate(*with); }; });
}

}  // namespace heist::cli

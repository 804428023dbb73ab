// heist sim bounds: the theory's bounds over many random computations.

#include <cli/computation_option.hpp>
#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/plot/chart.hpp>
#include <analysis/proof/bounds.hpp>
#include <analysis/sim/invariants.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct bounds_settings {
  bounds_options bounds;
  std::vector<std::string> processors{"1..256"}, computations;
  computation_option recordings;
  std::string plots, kind = "fully-strict";
  bool json = false;
};

struct loop_row {
  std::uint64_t n, stealing, help_first, leaves;  // S_P under both; leaves under help-first
};

// A loop of n spawns, which help-first holds all at once.
std::vector<loop_row> loops(std::uint32_t processors) {
  std::vector<loop_row> rows;
  for (const std::uint64_t n : std::initializer_list<std::uint64_t>{10, 100, 1000, 10'000, 100'000}) {
    const auto c = make_shape(fmt::format("loop:{},work=1000", n));
    analysis::options o;
    o.processors = processors;
    const report one = simulate(*c, o);
    o.policy = policy::help_first;
    const report other = simulate(*c, o);
    rows.push_back({n, one.space, other.space, other.leaves});
  }
  return rows;
}

nlohmann::json as_json(bounds_row& r) {
  return {{"c_mean", r.c.mean()},
          {"c_deviation", r.c.deviation()},
          {"c_99", r.c.quantile(0.99)},
          {"c_max", r.c.max()},
          {"attempts", r.attempts.mean()},
          {"steals", r.steals.mean()},
          {"space_max", r.space.max()},
          {"bytes_max", r.bytes.max()},
          {"wait_over_steal", r.steal > 0 ? r.wait / r.steal : 0}};
}

void print_head(const char* first) {
  fmt::print("{:>10}{:>8}{:>9}{:>9}{:>9}{:>9}{:>10}{:>9}{:>10}{:>9}{:>11}\n", first, "runs", "c mean", "+-", "c 99%",
             "c max", "attempts", "steals", "S/(P*S1)", "bytes", "WAIT/STEAL");
}

void print_row(const std::string& name, bounds_row& r) {
  fmt::print("{:>10}{:>8}{:>9.3f}{:>9.3f}{:>9.3f}{:>9.3f}{:>10.3f}{:>9.3f}{:>10.3f}{:>9.4f}{:>11.3f}\n", name,
             r.c.size(), r.c.mean(), r.c.deviation(), r.c.quantile(0.99), r.c.max(), r.attempts.mean(), r.steals.mean(),
             r.space.max(), r.bytes.max(), r.steal > 0 ? r.wait / r.steal : 0);
}

void draw(bounds_result& r, const std::vector<loop_row>& rows, const std::string& folder) {
  using namespace plot;
  std::size_t runs = 0;
  for (auto& [p, row] : r.by_processors) runs += row.c.size();
  chart c{"What T∞ costs: c in T_P = T₁/P + c·T∞",
          fmt::format("{} runs of work stealing on random fully strict computations", runs),
          {"processors P", scale::log2},
          {"c", scale::linear, 0, 0},
          {}};
  chart s{"Steals for each processor and step of the critical path",
          "They level off: O(P·T∞) attempts, whatever the work and however many processors",
          {"processors P", scale::log2},
          {"per P·T∞", scale::linear, 0, 0},
          {}};
  series mean{"mean", {}}, high{"99 %", {}}, worst{"worst", {}}, asked{"attempts", {}}, brought{"steals", {}};
  for (auto& [p, row] : r.by_processors) {
    if (p == 1) continue;
    mean.points.push_back({double(p), row.c.mean()});
    high.points.push_back({double(p), row.c.quantile(0.99)});
    worst.points.push_back({double(p), row.c.max()});
    asked.points.push_back({double(p), row.attempts.mean()});
    brought.points.push_back({double(p), row.steals.mean()});
  }
  c.series = {mean, high, worst};
  s.series = {asked, brought};
  write_svg(c, folder + "/bounds_time.svg");
  write_svg(s, folder + "/bounds_steals.svg");
  chart l{"Space in a loop of n spawns on 8 processors",
          "Help-first keeps a frame for every child that waits; continuation stealing stays below P·S₁",
          {"n", scale::log10},
          {"S_P, frames", scale::log10},
          {}};
  series first{"work stealing", {}}, help{"help-first", {}}, bound{"P·S₁", {}, mark::dashed, 5};
  for (const loop_row& row : rows) {
    first.points.push_back({double(row.n), double(row.stealing)});
    help.points.push_back({double(row.n), double(row.help_first)});
    bound.points.push_back({double(row.n), 16});
  }
  l.series = {first, help, bound};
  write_svg(l, folder + "/loop_space.svg");
}

int bounds(bounds_settings with) {
  with.bounds.processors = parse_counts(with.processors);
  if (with.bounds.computations < 1 || with.bounds.seeds < 1 || with.bounds.smallest < 8 ||
      with.bounds.largest > 10'000'000)
    throw bad_input("there must be at least 1 computation and 1 seed, and sizes must be from 8 to 10000000");
  if (with.bounds.largest < with.bounds.smallest)
    throw bad_input(fmt::format("--smallest {} is more than --largest {}", with.bounds.smallest, with.bounds.largest));
  with.bounds.kind = with.kind == "any"      ? random_kind::any
                     : with.kind == "strict" ? random_kind::strict
                                             : random_kind::fully_strict;
  for (const std::string& name : with.computations)
    with.bounds.given.push_back({name, std::shared_ptr<const computation>(with.recordings.open(name).what)});
  if (!with.computations.empty()) with.bounds.computations = with.computations.size();
  bounds_result r;
  {
    progress bar("computations", with.bounds.computations);
    r = check_bounds(with.bounds, [&] { bar.step(); });
  }
  const std::vector<loop_row> rows = loops(8);
  if (!with.plots.empty()) draw(r, rows, with.plots);
  bool good = r.violations.empty();
  for (const loop_row& row : rows) good = good && row.stealing <= 16 && row.leaves * 100 >= row.n * 99;
  if (with.json) {
    nlohmann::json json = {{"runs", r.runs},
                           {"instructions", r.instructions},
                           {"fully_strict", r.fully_strict},
                           {"strict", r.strict},
                           {"neither", r.others},
                           {"n_d", r.most_joins},
                           {"violations", r.violations}};
    for (auto& [p, row] : r.by_processors) json["processors"][std::to_string(p)] = as_json(row);
    for (auto& [decade, row] : r.by_size) json["decades"][std::to_string(decade)] = as_json(row);
    for (const loop_row& l : rows)
      json["loops"].push_back(
          {{"n", l.n}, {"stealing", l.stealing}, {"help_first", l.help_first}, {"leaves", l.leaves}});
    fmt::print("{}\n", json.dump(1));
    return good ? ok : check_failed;
  }
  const std::string sizes = with.bounds.given.empty()
                                ? fmt::format("of {} to {} instructions", with.bounds.smallest, with.bounds.largest)
                                : fmt::format("with {} instructions", r.instructions);
  fmt::print(
      "{} computations {}: {} fully strict, {} strict, {} neither; n_d at most {}. {} runs, {:.3g} processor-steps.\n"
      "Work stealing: c is (T_P - T1/P)/Tinf; attempts and steals per P*Tinf; bytes per P*Tinf*(1 + n_d)*Smax, the "
      "worst;\nS/(P*S1), the worst.\n\n",
      with.bounds.computations, sizes, r.fully_strict, r.strict, r.others, r.most_joins, r.runs,
      static_cast<double>(r.steps));
  print_head("P");
  for (auto& [p, row] : r.by_processors) print_row(std::to_string(p), row);
  fmt::print("\n");
  print_head("T1");
  for (auto& [decade, row] : r.by_size) print_row(fmt::format("10^{}", decade), row);
  fmt::print("\nA loop of n spawns on 8 processors, P*S1 = 16 frames:\n{:>10}{:>15}{:>15}{:>20}\n", "n",
             "work stealing", "help-first", "help-first leaves");
  for (const loop_row& l : rows) fmt::print("{:>10}{:>15}{:>15}{:>20}\n", l.n, l.stealing, l.help_first, l.leaves);
  fmt::print(
      "\nS_P <= P*S1 (work stealing if fully strict, Busy-Leaves if strict), T_P <= T1/P + Tinf (greedy, "
      "Busy-Leaves): {}\n",
      r.violations.empty() ? "no exception" : "BROKEN");
  for (std::size_t i = 0; i < r.violations.size() && i < 10; ++i) fmt::print("  {}\n", r.violations[i]);
  return good ? ok : check_failed;
}

}  // namespace

void add_bounds(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand(
      "bounds", "Check the bounds on many random computations, or on given ones; exit code 1 if one breaks");
  auto with = std::make_shared<bounds_settings>();
  app.add_option("computation", with->computations, "files, shapes or recordings, instead of random computations");
  with->recordings.add_recording_options(app);
  app.add_option("--kind", with->kind, "random computations that are fully-strict, strict, or any")
      ->check(CLI::IsMember({"fully-strict", "strict", "any"}))
      ->capture_default_str();
  app.add_option("-n,--computations", with->bounds.computations, "the number of computations")->capture_default_str();
  app.add_option("--seeds", with->bounds.seeds, "runs of each on each number of processors")->capture_default_str();
  app.add_option("--smallest", with->bounds.smallest, "the fewest instructions of a computation")
      ->capture_default_str();
  app.add_option("--largest", with->bounds.largest, "the most instructions of a computation")->capture_default_str();
  app.add_option("--first", with->bounds.first, "the seed of the first computation")->capture_default_str();
  app.add_option("-p,--processors", with->processors, "numbers such as 2,8 or 1..256")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--plots", with->plots, "write plots, as SVG files, to this folder")->check(CLI::ExistingDirectory);
  app.add_flag("--json", with->json, "print JSON");
  app.callback([with, &chosen] { chosen = [with] { return bounds(*with); }; });
}

}  // namespace heist::cli

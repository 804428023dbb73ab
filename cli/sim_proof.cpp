// heist sim proof: what the proof says of a run of work stealing, beside what was seen.

#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/stored.hpp>
#include <analysis/proof/watch.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct proof_settings {
  std::string computation;
  std::vector<std::string> processors{"8"};
  std::uint64_t seed = 1;
  bool json = false;
};

const char* verdict(bool good) { return good ? "holds" : "BROKEN"; }

void print_potential(const char* title, proof_report::potential& p) {
  fmt::print("  potential, {}\n", title);
  fmt::print("    grew in                     {} of {} steps\n", p.growths, p.steps);
  fmt::print("    top's share of its deque    at least {:.3f}, {:.3f} on average\n", p.tops.min(), p.tops.mean());
  fmt::print("    P attempts take             {:.3f} of it on average; a quarter or more in {:.1f}% of {} phases\n",
             p.drops.mean(), 100 * p.quarter, p.drops.size());
}

nlohmann::json as_json(proof_report::potential& p) {
  return {{"growths", p.growths},        {"steps", p.steps},     {"top_share_min", p.tops.min()},
          {"drop_mean", p.drops.mean()}, {"quarter", p.quarter}, {"phases", p.drops.size()}};
}

bool show(proof_report& r, std::uint32_t p) {
  const bool spans = r.augmented_span <= 2 * r.run.of.span, tops = r.most_above <= 1;
  fmt::print("{} processors: T_P {}, {} attempts, {} rounds\n", p, r.run.time, r.run.attempts, r.rounds);
  fmt::print("  longest path of G'            {} <= 2*Tinf = {}: {}\n", r.augmented_span, 2 * r.run.of.span,
             verdict(spans));
  fmt::print("  threads above a critical one  {} <= 1: {}\n", r.most_above, verdict(tops));
  fmt::print("  stay critical for r rounds    r  share     e^(3-2r)\n");
  for (std::size_t i = 1; i < r.staying.size() && i <= 8; ++i)
    fmt::print("                                {}  {:<9.2e} {:.2e}\n", i, r.staying[i],
               std::exp(3.0 - 2.0 * static_cast<double>(i)));
  print_potential("3^(2w) queued, 3^(2w-1) executing (as in the proof)", r.queued);
  print_potential("3^(2w) executing, 3^(2w-1) queued (the other way round)", r.executing);
  return spans && tops;
}

std::vector<proof_report> watch_all(const proof_settings& with, const std::vector<std::uint32_t>& counts) {
  progress bar(with.computation, counts.size());
  const dag d = expand(*open_computation(with.computation));
  std::vector<proof_report> all;
  for (const std::uint32_t p : counts) {
    all.push_back(watch(d, p, with.seed));
    bar.step();
  }
  return all;
}

int proof(const proof_settings& with) {
  const std::vector<std::uint32_t> counts = parse_counts(with.processors);
  std::vector<proof_report> reports = watch_all(with, counts);
  bool good = true;
  nlohmann::json json = nlohmann::json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint32_t p = counts[i];
    proof_report& r = reports[i];
    if (with.json) {
      good = good && r.augmented_span <= 2 * r.run.of.span && r.most_above <= 1;
      json.push_back({{"processors", p},
                      {"time", r.run.time},
                      {"attempts", r.run.attempts},
                      {"rounds", r.rounds},
                      {"span", r.run.of.span},
                      {"augmented_span", r.augmented_span},
                      {"most_above", r.most_above},
                      {"staying", r.staying},
                      {"potential", as_json(r.queued)},
                      {"potential_reversed", as_json(r.executing)}});
    } else {
      good = show(r, p) && good;
    }
  }
  if (with.json) fmt::print("{}\n", json.dump(1));
  return good ? ok : check_failed;
}

}  // namespace

void add_proof(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand("proof", "Check the lemmas of the time bound in a run of work stealing");
  auto with = std::make_shared<proof_settings>();
  app.add_option("computation", with->computation,
                 "a file or a shape; it must be fully strict and small enough to be stored")
      ->required();
  app.add_option("-p,--processors", with->processors, "numbers such as 2,8 or 1..64")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--seed", with->seed, "seed for the choice of victims")->capture_default_str();
  app.add_flag("--json", with->json, "print JSON");
  app.callback([with, &chosen] { chosen = [with] { return proof(*with); }; });
}

}  // namespace heist::cli

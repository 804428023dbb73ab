// heist sim proof: what the proof says of runs of work stealing, beside what was seen.

#include <cli/computation_option.hpp>
#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/proof_delays.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/proof/augmented.hpp>
#include <analysis/proof/watch.hpp>
#include <analysis/sim/sweep.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct proof_settings {
  computation_option computation;
  std::vector<std::string> processors{"8"};
  std::uint64_t seed = 1, runs = 1;
  bool sequence = false, json = false;
};

const char* verdict(bool good) { return good ? "holds" : "BROKEN"; }

void print_potential(const char* title, proof_report::potential& p) {
  fmt::print("  potential, {}\n", title);
  fmt::print("    grew in                     {} of {} steps\n", p.growths, p.steps);
  fmt::print("    top's share of its deque    at least {:.3f}, {:.3f} on average\n", p.tops.min(), p.tops.mean());
  fmt::print("    P attempts take             {:.3f} of it on average; a quarter or more in {:.1f}% of {} phases\n",
             p.drops.mean(), 100 * p.quarter, p.drops.size());
}

void print_claims(const potential_claims& c, std::uint32_t most_successors) {
  fmt::print("    claimed                     {}: an instruction has {} successor{} at most\n",
             c.tops_have_most ? "never grows; tops have 3/4"
             : c.never_grows  ? "never grows"
                              : "nothing",
             most_successors, most_successors == 1 ? "" : "s");
  for (const std::string& what : c.broken) fmt::print("    BROKEN                      {}\n", what);
}

nlohmann::json as_json(proof_report::potential& p) {
  return {{"growths", p.growths},        {"steps", p.steps},     {"top_share_min", p.tops.min()},
          {"drop_mean", p.drops.mean()}, {"quarter", p.quarter}, {"phases", p.drops.size()}};
}

// What breaks first: the sum of what is left may be more than what was there.
void print_linear(proof_report& r) {
  auto& l = r.linear;
  fmt::print("  potential, 2w+2 queued, 2w+1 executing (linear weights)\n");
  fmt::print("    grew in                     {} of {} steps\n", l.growths, l.steps);
  fmt::print("    top's share of its deque    at least {:.3f}, {:.3f} on average\n", l.tops.min(), l.tops.mean());
  if (l.first)
    fmt::print("    breaks in step {:<12} at {}{}: it counted {}, what it enabled counts {}; the sum: {}, then {}\n",
               fmt::format("{},", l.first->step), l.instruction, l.spawned ? ", a spawn" : "", l.first->it,
               l.first->enabled, l.first->before, l.first->after);
}

nlohmann::json linear_as_json(proof_report& r) {
  auto& l = r.linear;
  nlohmann::json json = {{"growths", l.growths}, {"steps", l.steps}, {"top_share_min", l.tops.min()}};
  if (l.first)
    json["first_growth"] = {{"step", l.first->step},      {"instruction", l.instruction}, {"spawn", l.spawned},
                            {"it", l.first->it},          {"enabled", l.first->enabled},  {"before", l.first->before},
                            {"after", l.first->after}};
  return json;
}

// All runs on one number of processors; the first is looked at in full.
struct proof_runs {
  proof_report first;
  delay_runs delays;
};

proof_runs watch_all(const proof_settings& with, const proof_subject& of, std::uint32_t processors) {
  proof_runs r{watch(of, processors, with.seed), {processors, {}}};
  if (!of.no_delays().empty()) return r;
  r.delays.all.resize(with.runs);
  r.delays.all[0] = r.first.delays;
  progress bar(fmt::format("P = {}", processors), with.runs);
  in_parallel(
      with.runs - 1, [&](std::size_t i) { r.delays.all[i + 1] = watch_delays(of, processors, with.seed + i + 1); },
      [&] { bar.step(); });
  return r;
}

void show_critical(const delay_report& r, std::uint64_t augmented, std::uint64_t span) {
  fmt::print("  longest path of G'            {} <= 2*Tinf = {}: {}\n", augmented, 2 * span,
             verdict(augmented <= 2 * span));
  fmt::print("  threads above a critical one  {} <= 1: {}\n", r.most_above, verdict(r.most_above <= 1));
  fmt::print("  stay critical for r rounds    r  share     e^(3-2r)\n");
  for (std::size_t i = 1; i < r.staying.size() && i <= 8; ++i)
    fmt::print("                                {}  {:<9.2e} {:.2e}\n", i, r.staying[i],
               std::min(1.0, std::exp(3.0 - 2.0 * static_cast<double>(i))));
}

void show(proof_runs& runs, const proof_settings& with, const proof_subject& of, std::uint64_t augmented) {
  proof_report& r = runs.first;
  fmt::print("{} processor{}: T_P {}, {} attempts, {} rounds\n", runs.delays.processors,
             runs.delays.processors == 1 ? "" : "s", r.run.time, r.run.attempts, r.delays.all_rounds);
  if (of.no_delays().empty()) {
    show_critical(r.delays, augmented, of.span());
    print_delays(runs.delays, of);
    if (with.sequence) print_sequence(r.delays);
  } else {
    fmt::print("  no delay sequences: they need a fully strict computation without oddities, and {}\n", of.no_delays());
  }
  print_potential("3^(2w) queued, 3^(2w-1) executing (as in the proof)", r.queued);
  print_claims(claims_of(r.queued, of.most_successors()), of.most_successors());
  print_potential("3^(2w) executing, 3^(2w-1) queued (the other way round)", r.executing);
  print_linear(r);
}

nlohmann::json as_json(proof_runs& runs, const proof_settings& with, const proof_subject& of, std::uint64_t augmented) {
  proof_report& r = runs.first;
  nlohmann::json json = {{"processors", runs.delays.processors}, {"time", r.run.time},
                         {"attempts", r.run.attempts},           {"span", of.span()},
                         {"potential", as_json(r.queued)},       {"potential_reversed", as_json(r.executing)},
                         {"potential_linear", linear_as_json(r)}};
  const potential_claims claims = claims_of(r.queued, of.most_successors());
  json["potential"]["claimed_never_grows"] = claims.never_grows;
  json["potential"]["claimed_top_share"] = claims.tops_have_most;
  json["potential"]["broken"] = claims.broken;
  if (!of.no_delays().empty()) {
    json["no_delay_sequences"] = of.no_delays();
    return json;
  }
  json["rounds"] = r.delays.all_rounds;
  json["augmented_span"] = augmented;
  json["most_above"] = r.delays.most_above;
  json["staying"] = r.delays.staying;
  json["delay_sequences"] = as_json(runs.delays, of);
  if (with.sequence) json["sequence"] = sequence_as_json(r.delays);
  return json;
}

int proof(const proof_settings& with) {
  if (with.runs < 1 || with.runs > 1'000'000) throw bad_input("runs must be from 1 to 1000000");
  const std::vector<std::uint32_t> counts = parse_counts(with.processors);
  const opened_computation opened = with.computation.open();
  if (opened.collapsed)
    throw bad_input("the proof is about unit instructions, and a collapsed recording has none: leave out --collapse");
  if (!opened.note.empty() && !with.json) fmt::print("{}\n", opened.note);
  const proof_subject of(expand(*opened.what));
  if (with.sequence && !of.no_delays().empty())
    throw bad_input("delay sequences need a fully strict computation without oddities: " + of.no_delays());
  const std::uint64_t augmented = of.no_delays().empty() ? augmented_span(of.units()) : 0;
  bool good = augmented <= 2 * of.span();
  nlohmann::json json = nlohmann::json::array();
  for (const std::uint32_t p : counts) {
    proof_runs runs = watch_all(with, of, p);
    good = good && runs.delays.good() && claims_of(runs.first.queued, of.most_successors()).broken.empty();
    if (with.json) {
      json.push_back(as_json(runs, with, of, augmented));
    } else {
      show(runs, with, of, augmented);
    }
  }
  if (with.json) fmt::print("{}\n", json.dump(1));
  return good ? ok : check_failed;
}

}  // namespace

void add_proof(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand(
      "proof", "Check the lemmas of the time bound in runs of work stealing; exit code 1 if one breaks");
  auto with = std::make_shared<proof_settings>();
  with->computation.add_to(
      app,
      "a file, a shape or a recording, small enough to be stored; only the potential is watched if "
      "it is not fully strict");
  app.add_option("-p,--processors", with->processors, "numbers such as 2,8 or 1..64")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--seed", with->seed, "seed for the choice of victims, in the first run")->capture_default_str();
  app.add_option("--runs", with->runs, "runs, each with another seed, whose delay sequences are checked")
      ->capture_default_str();
  app.add_flag("--sequence", with->sequence, "print the delay sequence (U, R, Pi) of the first run");
  app.add_flag("--json", with->json, "print JSON");
  app.footer(
      "Examples:\n  heist sim proof fib:12 -p 4,16 --runs 100\n  heist sim proof fib:5 -p 2 --sequence\n"
      "  heist sim proof analysis/examples/not_strict.dag -p 2");
  app.callback([with, &chosen] { chosen = [with] { return proof(*with); }; });
}

}  // namespace heist::cli

#include <cli/proof_delays.hpp>

#include <analysis/proof/augmented.hpp>
#include <analysis/proof/union_bound.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heist::cli {
namespace {

using namespace analysis;

// Groups of at least r rounds, over all runs.
struct group_row {
  std::uint64_t rounds, groups = 0, hits = 0;  // hits: the most of one group
};

std::vector<group_row> rows(const delay_runs& runs) {
  std::uint64_t longest = 0;
  for (const delay_report& r : runs.all)
    for (const group_of_rounds& g : r.groups) longest = std::max(longest, g.rounds);
  std::vector<group_row> made;
  for (std::uint64_t n = 1; n <= std::max<std::uint64_t>(longest, 4); ++n) {
    group_row row{n};
    for (const delay_report& r : runs.all)
      for (const group_of_rounds& g : r.groups) {
        if (g.rounds < n) continue;
        ++row.groups;
        row.hits = std::max(row.hits, g.hits);
      }
    made.push_back(row);
  }
  return made;
}

struct totals {
  std::uint64_t runs = 0, vacuous = 0, instructions = 0, rounds = 0, in_groups = 0;
  std::vector<std::string> broken;
  sample attempts;
};

totals add_up(const delay_runs& runs) {
  totals t;
  for (const delay_report& r : runs.all) {
    ++t.runs;
    t.vacuous += r.rounds == 0;
    t.instructions += r.path.size();
    t.rounds += r.rounds;
    for (const auto& g : r.groups) t.in_groups += g.rounds;
    t.broken.insert(t.broken.end(), r.broken.begin(), r.broken.end());
    t.attempts.add(static_cast<double>(r.run.attempts));
  }
  return t;
}

double lemma_11(std::uint64_t r) { return std::exp(3.0 - 2.0 * static_cast<double>(r)); }

void print_union(const char* name, const union_bound& b, std::uint32_t processors) {
  const std::uint64_t speaks = b.rounds_for(1);
  fmt::print("    {:<22}e^{:<10.1f}{:<11.0f}{:<12}{:<14}{}\n", name, b.paths, b.length, speaks, b.rounds_for(1e-3),
             speaks * 4 * processors);
}

nlohmann::json as_json(const union_bound& b, std::uint32_t processors) {
  return {{"ln_paths", b.paths},
          {"longest_path", b.length},
          {"speaks_from_rounds", b.rounds_for(1)},
          {"speaks_from_attempts", b.rounds_for(1) * 4 * processors},
          {"rounds_for_1_in_1000", b.rounds_for(1e-3)}};
}

}  // namespace

bool delay_runs::good() const {
  return std::all_of(all.begin(), all.end(),
                     [](const delay_report& r) { return r.broken.empty() && r.most_above <= 1; });
}

void print_sequence(const delay_report& r) {
  fmt::print("  the delay sequence (U, R, Pi): R = {}, L = {} instructions in U, and Pi:\n", r.rounds, r.path.size());
  fmt::print("       i  u_i           critical in steps   pi_i  pi'_i\n");
  for (std::size_t i = 0; i < r.path.size(); ++i) {
    const auto& p = r.path[i];
    const std::string when = p.when.ever() ? fmt::format("{} to {}", p.when.after + 1, p.when.until) : "never";
    fmt::print("  {:>6}  {:<12}  {:<18}  {:<4}  {}\n", i + 1, p.label, when, p.rounds, p.between);
  }
}

void print_delays(const delay_runs& runs, const proof_subject& of) {
  totals t = add_up(runs);
  fmt::print("  delay sequences, Lemma 9: a sequence of R = attempts/4P rounds occurs\n");
  fmt::print("    runs                        {}, of which {} have R = 0, which says nothing\n", t.runs, t.vacuous);
  fmt::print("    Definition 8, and it occurs {}\n",
             t.broken.empty()
                 ? fmt::format("all conditions hold; {} rounds, {} of them in groups", t.rounds, t.in_groups)
                 : "BROKEN");
  for (std::size_t i = 0; i < t.broken.size() && i < 10; ++i) fmt::print("      {}\n", t.broken[i]);
  fmt::print("  Lemma 11, group by group: of the attempts in the first r - 1 rounds at most one hits the processor\n");
  fmt::print("    r   groups of r or more   most hits   chance of that   e^(3-2r)\n");
  for (const group_row& row : rows(runs))
    fmt::print("    {:<4}{:<22}{:<12}{:<17.2e}{}\n", row.rounds, row.groups, row.hits,
               chance_of_group(runs.processors, row.rounds),
               row.rounds < 4 ? "(r < 4: 1)" : fmt::format("{:.2e}", lemma_11(row.rounds)));
  const std::uint64_t degree = augmented_degree(of.units());
  fmt::print("  Lemma 12, the union bound over all (U, R, Pi): paths * C(2L + R, R) * e^(11L - 2R)\n");
  fmt::print("                          paths       L          < 1 from R  0.001 from R  that is, attempts\n");
  print_union(fmt::format("{}^(2Tinf), as proved", degree).c_str(), paper_bound(of.span(), degree), runs.processors);
  print_union("the paths counted", counted_bound(of.units()), runs.processors);
  fmt::print("    seen: {:.0f} attempts on average", t.attempts.mean());
  for (double e = 0.1; e * static_cast<double>(t.runs) >= 5; e /= 10)
    fmt::print(", {:.0f} at {:g}%", t.attempts.quantile(1 - e), 100 * (1 - e));
  fmt::print(", {:.0f} at most: R = {:.0f}\n", t.attempts.max(),
             std::floor(t.attempts.max() / (4.0 * runs.processors)));
}

nlohmann::json sequence_as_json(const delay_report& r) {
  nlohmann::json parts = nlohmann::json::array();
  for (const auto& p : r.path) {
    nlohmann::json part = {{"instruction", p.label}, {"pi", p.rounds}, {"pi_prime", p.between}};
    if (p.when.ever()) part["critical"] = {p.when.after + 1, p.when.until};
    parts.push_back(part);
  }
  return {{"rounds", r.rounds}, {"path", parts}};
}

nlohmann::json as_json(const delay_runs& runs, const proof_subject& of) {
  totals t = add_up(runs);
  nlohmann::json json = {{"runs", t.runs},           {"vacuous", t.vacuous}, {"rounds", t.rounds},
                         {"in_groups", t.in_groups}, {"broken", t.broken},   {"instructions", t.instructions}};
  json["groups"] = nlohmann::json::array();
  for (const group_row& row : rows(runs))
    json["groups"].push_back({{"rounds", row.rounds},
                              {"groups", row.groups},
                              {"most_hits", row.hits},
                              {"chance", chance_of_group(runs.processors, row.rounds)},
                              {"bound", row.rounds < 4 ? 1 : lemma_11(row.rounds)}});
  const std::uint64_t degree = augmented_degree(of.units());
  json["union_bound"] = {{"out_degree", degree},
                         {"as_proved", as_json(paper_bound(of.span(), degree), runs.processors)},
                         {"counted", as_json(counted_bound(of.units()), runs.processors)}};
  json["attempts"] = {{"mean", t.attempts.mean()}, {"most", t.attempts.max()}};
  for (double e = 0.5; e * static_cast<double>(t.runs) >= 5; e = e == 0.5 ? 0.1 : e / 10)
    json["attempts"]["quantiles"].push_back({{"epsilon", e}, {"attempts", t.attempts.quantile(1 - e)}});
  return json;
}

}  // namespace heist::cli

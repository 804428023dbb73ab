#include <cli/sim.hpp>

#include <analysis/dag/shapes.hpp>

#include <fmt/format.h>

namespace heist::cli {

void add_sim(CLI::App& app, action& chosen) {
  CLI::App& sim =
      *app.add_subcommand("sim", "Simulate work stealing and other schedulers on computations given as dags");
  sim.require_subcommand(1);
  std::string footer = "A computation is a file (analysis/dag/README.md describes the formats) or a shape:\n";
  for (const auto& s : analysis::shapes()) footer += fmt::format("  {:<40} {}\n", s.example, s.text);
  footer += fmt::format("  {:<40} {}\n", "any:1,size=5000", "random, stored, and not strict; the number is its seed");
  footer +=
      "Examples:\n"
      "  heist sim show analysis/examples/figure1.dag\n"
      "  heist sim show analysis/examples/figure1.dag --to dot | dot -Tsvg > figure1.svg";
  sim.footer(footer);
  add_show(sim, chosen);
  add_run(sim, chosen);
  add_deques(sim, chosen);
  add_sweep(sim, chosen);
  add_bounds(sim, chosen);
  add_compare(sim, chosen);
  add_share(sim, chosen);
  add_cache(sim, chosen);
  add_tails(sim, chosen);
  add_communication(sim, chosen);
  add_contention(sim, chosen);
  add_game(sim, chosen);
  add_proof(sim, chosen);
  add_predict(sim, chosen);
  add_machine(sim, chosen);
  add_cluster_of_machines(sim, chosen);
}

}  // namespace heist::cli

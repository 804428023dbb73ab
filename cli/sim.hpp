#pragma once
// The actions of `heist sim`, each in a file of its own.

#include <cli/command.hpp>

namespace heist::cli {

void add_show(CLI::App& sim, action& chosen);
void add_run(CLI::App& sim, action& chosen);
void add_deques(CLI::App& sim, action& chosen);
void add_communication(CLI::App& sim, action& chosen);
void add_contention(CLI::App& sim, action& chosen);
void add_game(CLI::App& sim, action& chosen);
void add_proof(CLI::App& sim, action& chosen);
void add_tails(CLI::App& sim, action& chosen);
void add_cache(CLI::App& sim, action& chosen);
void add_compare(CLI::App& sim, action& chosen);
void add_share(CLI::App& sim, action& chosen);
void add_sweep(CLI::App& sim, action& chosen);
void add_bounds(CLI::App& sim, action& chosen);
void add_predict(CLI::App& sim, action& chosen);
void add_machine(CLI::App& sim, action& chosen);
void add_cluster_of_machines(CLI::App& sim, action& chosen);

}  // namespace heist::cli

#pragma once
// What the subcommands share. Exit codes: 0 success, 1 a check failed, 2 the input cannot be used. Actions
// that run a program pass on its exit code.

#include <CLI/CLI.hpp>

#include <functional>

namespace heist::cli {

enum exit_code { ok = 0, check_failed = 1, bad_usage = 2 };

// The action that was asked for; it runs after all options were read.
using action = std::function<int()>;

void add_profile(CLI::App& heist, action& chosen);
void add_trace(CLI::App& heist, action& chosen);
void add_record(CLI::App& heist, action& chosen);
void add_report(CLI::App& heist, action& chosen);
void add_race(CLI::App& heist, action& chosen);
void add_sim(CLI::App& heist, action& chosen);
void add_doctor(CLI::App& heist, action& chosen);
void add_top(CLI::App& heist, action& chosen);
void add_cluster(CLI::App& heist, action& chosen);
void add_cluster_top(CLI::App& cluster, action& chosen);  // if heist::cluster was built
void add_cluster_trace(CLI::App& cluster, action& chosen);
void add_serve(CLI::App& heist, action& chosen);
void add_demo(CLI::App& heist, action& chosen);
void add_completion(CLI::App& heist, action& chosen);
void add_man(CLI::App& heist, action& chosen);

}  // namespace heist::cli

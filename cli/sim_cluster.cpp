// heist sim cluster: a tree on many machines that steal from each other over a network.

#include <cli/cluster_charts.hpp>
#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <heist/for_each.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heist::cli {
namespace {

using analysis::bad_input;

const std::map<std::string, clusters::lifelines> lifelines_names = {
    {"off", clusters::lifelines::off}, {"all", clusters::lifelines::all}, {"cube", clusters::lifelines::cube}};
const std::map<std::string, clusters::amount> amount_names = {{"one", clusters::amount::one},
                                                              {"half", clusters::amount::half}};

struct cluster_settings {
  std::vector<std::string> machines = {"1000"};
  std::vector<double> latencies = {1};  // ms
  std::vector<std::string> lifelines = {"cube"}, steal = {"one"}, levels = {"two"};
  double nodes = 1e12;
  double suspect = 1'000;  // ms
  clusters::options rest;
  std::uint64_t seeds = 3;
  std::string plot, bytes_plot;
  bool json = false;
};

std::vector<cluster_point> points(const cluster_settings& with) {
  if (with.nodes < 1 || with.nodes > 1e15) throw bad_input("nodes must be from 1 to 1e15");
  if (with.rest.cores < 1 || with.rest.cores > 10'000) throw bad_input("cores must be from 1 to 10000");
  if (with.seeds < 1 || with.seeds > 10'000) throw bad_input("seeds must be from 1 to 10000");
  std::vector<cluster_point> all;
  for (const std::uint32_t machines : parse_counts(with.machines))
    for (const double latency : with.latencies)
      for (const std::string& levels : with.levels)
        for (const std::string& lifelines : with.lifelines)
          for (const std::string& steal : with.steal) {
            cluster_point p{with.rest, levels, lifelines, steal, {}};
            p.options.machines = machines;
            p.options.latency = latency * 1'000;
            p.options.suspect = with.suspect * 1'000;
            p.options.nodes = std::uint64_t(with.nodes);
            p.options.flat = levels == "flat";
            p.options.lifelines = lifelines_names.at(lifelines);
            p.options.steal = amount_names.at(steal);
            if (std::uint64_t{machines} * with.rest.cores > 10'000'000) throw bad_input("more than 10000000 cores");
            all.push_back(p);
          }
  return all;
}

void simulate_all(std::vector<cluster_point>& all, std::uint64_t seeds) {
  progress bar("clusters", all.size() * seeds);
  std::mutex lock;
  std::vector<clusters::report> reports(all.size() * seeds);
  for_each_index(std::size_t{0}, reports.size(), [&](std::size_t i) {
    clusters::options o = all[i / seeds].options;
    o.seed += i % seeds;
    reports[i] = simulate(o);
    const std::lock_guard hold(lock);
    bar.step();
  });
  for (std::size_t i = 0; i < all.size(); ++i) all[i].seen = mean(&reports[i * seeds], seeds);
}

void print(const std::vector<cluster_point>& all, const cluster_settings& with) {
  const clusters::options& o = all[0].options;
  fmt::print(
      "{:g} nodes of {:g} us, skew {:g}, Tinf at least {:.0f} nodes; machines of {} cores; branches from {:g} nodes on "
      "travel\n",
      double(o.nodes), o.node, o.skew, all[0].seen.path, o.cores, o.grain);
  fmt::print("a message takes {} us of its machine; header {}, Smax {} bytes; means of {} seeds\n\n", o.handle,
             o.header, o.frame, with.seeds);
  fmt::print("{:>8}{:>9}  {:<7}{:<10}{:<6}{:>10}{:>11}{:>11}{:>11}{:>12}{:>10}{:>8}{:>11}{:>9}", "machines", "latency",
             "levels", "lifelines", "steal", "efficiency", "time, ms", "spread, ms", "loans", "messages", "MB", "c",
             "most a ms", "to one");
  fmt::print("{}\n", o.crashes > 0 ? "    deaths      lost" : "");
  for (const cluster_point& p : all) {
    const cluster_means& r = p.seen;
    fmt::print(
        "{:>8}{:>9g}  {:<7}{:<10}{:<6}{:>9.1f}%{:>11.0f}{:>11.1f}{:>11.0f}{:>12.0f}{:>10.0f}{:>8.3f}{:>11.0f}{:>9.0f}",
        p.options.machines, p.options.latency / 1'000, p.levels, p.lifelines, p.steal, 100 * p.efficiency(),
        r.time / 1'000, r.spread / 1'000, r.loans, r.messages, r.bytes / 1e6, p.bytes_constant(), r.busiest,
        r.most_handled);
    if (o.crashes > 0) fmt::print("{:>10.1f}{:>9.2f}%", r.deaths, 100 * r.lost / double(p.options.nodes));
    fmt::print("\n");
  }
  fmt::print(
      "\nefficiency: T1/(P*C*T), start-up included; spread: until nine tenths of the thieves had had work;\n"
      "c: bytes/(P*Tinf*(1 + n_d)*Smax), with n_d = 1; most a ms: messages in the busiest; to one: the most that a "
      "thief got\n");
}

nlohmann::json as_json(const std::vector<cluster_point>& all) {
  nlohmann::json rows = nlohmann::json::array();
  for (const cluster_point& p : all)
    rows.push_back({{"machines", p.options.machines},
                    {"cores", p.options.cores},
                    {"latency_ms", p.options.latency / 1'000},
                    {"levels", p.levels},
                    {"lifelines", p.lifelines},
                    {"steal", p.steal},
                    {"efficiency", p.efficiency()},
                    {"ms", p.seen.time / 1'000},
                    {"spread_ms", p.seen.spread / 1'000},
                    {"loans", p.seen.loans},
                    {"messages", p.seen.messages},
                    {"bytes", p.seen.bytes},
                    {"bytes_c", p.bytes_constant()},
                    {"span_nodes", p.seen.path},
                    {"most_messages_in_a_ms", p.seen.busiest},
                    {"deaths", p.seen.deaths},
                    {"lost_nodes", p.seen.lost}});
  return {{"heist_cluster_simulation", 1}, {"points", rows}};
}

int run_cluster(const cluster_settings& with) {
  std::vector<cluster_point> all = points(with);
  simulate_all(all, with.seeds);
  if (!with.plot.empty()) draw_efficiency(all, with.plot);
  if (!with.bytes_plot.empty()) draw_bytes(all, with.bytes_plot);
  if (with.json)
    fmt::print("{}\n", as_json(all).dump(1));
  else
    print(all, with);
  return ok;
}

template <class T>
CLI::Option* several(CLI::App& app, const char* name, std::vector<T>& into, const char* text) {
  return app.add_option(name, into, text)->delimiter(',')->capture_default_str();
}

}  // namespace

void add_cluster_of_machines(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand("cluster", "Simulate many machines that steal from each other over a network");
  auto with = std::make_shared<cluster_settings>();
  clusters::options& o = with->rest;
  several(app, "-p,--machines", with->machines, "numbers such as 100,1000, or 1..1024 for powers of two");
  app.add_option("-c,--cores", o.cores, "the cores of a machine")->capture_default_str();
  several(app, "--latency", with->latencies, "how long a message is under way, in ms")->check(not_negative());
  several(app, "--levels", with->levels, "two: a machine steals for all its cores; flat: each core steals for itself")
      ->check(CLI::IsMember({"two", "flat"}));
  several(
      app, "--lifelines", with->lifelines,
      "what a machine does that finds nothing: off (asks on), all (asks everybody once), cube (asks log P neighbours)")
      ->check(CLI::IsMember(lifelines_names));
  several(app, "--steal", with->steal, "one branch, or half of them")->check(CLI::IsMember(amount_names));
  app.add_option("--nodes", with->nodes, "the nodes of the tree")->capture_default_str();
  app.add_option("--node", o.node, "the time of a node, in us")->check(positive())->capture_default_str();
  app.add_option("--skew", o.skew, "how badly the tree is divided; 1: evenly at random")
      ->check(CLI::Range(0.1, 6.0))
      ->capture_default_str();
  app.add_option("--grain", o.grain, "the smallest branch that travels, in nodes")
      ->check(CLI::Range(2.0, 1e15))
      ->capture_default_str();
  app.add_option("--handle", o.handle, "what a message costs the machine that gets it, in us")
      ->check(not_negative())
      ->capture_default_str();
  app.add_option("--frame", o.frame, "Smax: the bytes of a branch or a result")
      ->check(positive())
      ->capture_default_str();
  app.add_option("--crashes", o.crashes, "machines that die at random moments; never the first")->capture_default_str();
  app.add_option("--suspect", with->suspect, "ms until a death is known")->check(not_negative())->capture_default_str();
  app.add_option("--seeds", with->seeds, "runs to average over")->capture_default_str();
  app.add_option("--seed", o.seed, "the first seed")->capture_default_str();
  app.add_option("--plot", with->plot, "write a plot of the efficiency to this SVG file");
  app.add_option("--plot-bytes", with->bytes_plot, "write a plot of the bytes, against their bound, to this SVG file");
  app.add_flag("--json", with->json, "print JSON");
  app.footer(
      "Examples:\n"
      "  heist sim cluster -p 1000,10000 --latency 0.1,1,10,50\n"
      "  heist sim cluster -p 1000 --levels two,flat --lifelines cube,off\n"
      "  heist sim cluster -p 100,1000 --crashes 10 --suspect 500");
  app.callback([with, &chosen] { chosen = [with] { return run_cluster(*with); }; });
}

}  // namespace heist::cli

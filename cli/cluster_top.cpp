// heist cluster top: the machines of a job, and what they have lent and borrowed.

#include <cli/command.hpp>

#include <analysis/dag/error.hpp>

#include <heist/cluster/observer.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace heist::cli {
namespace {

using cluster::detail::node_id;
using cluster::detail::observer;
using cluster::detail::seen_node;
using clock = std::chrono::steady_clock;

struct cluster_top_settings {
  std::string cluster;
  bool once = false, json = false;
  double interval = 1;
};

// Branches that a machine gave and took in a second, since the look before.
class rates {
 public:
  double of(const seen_node& n, clock::time_point at) {
    const std::uint64_t all = n.lent + n.borrowed;
    const auto [before, fresh] = last_.try_emplace(n.id, entry{all, at});
    const double seconds = std::chrono::duration<double>(at - before->second.at).count();
    const double rate = fresh || seconds <= 0 ? 0 : static_cast<double>(all - before->second.branches) / seconds;
    before->second = {all, at};
    return rate;
  }

 private:
  struct entry {
    std::uint64_t branches;
    clock::time_point at;
  };
  std::map<node_id, entry> last_;
};

const char* state(const seen_node& n) {
  if (n.draining) return "draining";
  if (n.driver) return n.running ? "driver" : "driver, idle";
  return n.running ? "helper" : "helper, idle";
}

std::string as_table(const std::vector<seen_node>& all, rates& speed) {
  std::string text = fmt::format("{:<16} {:>8}  {:<12} {:>7} {:>9} {:>9} {:>9} {:>9} {:>10} {:>9}\n", "host", "process", "role",
                                 "workers", "lent", "returned", "came home", "borrowed", "branches/s", "MiB sent");
  unsigned workers = 0;
  const auto at = clock::now();
  for (const seen_node& n : all) {
    text += fmt::format("{:<16.16} {:>8}  {:<12} {:>7} {:>9} {:>9} {:>9} {:>9} {:>10.1f} {:>9.2f}\n", n.host, n.process, state(n),
                        n.workers, n.lent, n.returned, n.came_home, n.borrowed, speed.of(n, at),
                        static_cast<double>(n.bytes_sent) / (1 << 20));
    workers += n.workers;
  }
  if (all.empty()) return text + "nobody takes part in this job now\n";
  return text + fmt::format("{} processes, {} workers\n", all.size(), workers);
}

std::string as_json(const std::vector<seen_node>& all) {
  nlohmann::json nodes = nlohmann::json::array();
  for (const seen_node& n : all)
    nodes.push_back({{"host", n.host},
                     {"process", n.process},
                     {"role", n.driver ? "driver" : "helper"},
                     {"running", n.running},
                     {"draining", n.draining},
                     {"workers", n.workers},
                     {"lent", n.lent},
                     {"returned", n.returned},
                     {"came_home", n.came_home},
                     {"borrowed", n.borrowed},
                     {"messages_sent", n.messages_sent},
                     {"bytes_sent", n.bytes_sent}});
  return nlohmann::json{{"nodes", nodes}}.dump();
}

std::unique_ptr<observer> joined(const cluster_top_settings& with) try {
  if (!with.cluster.empty()) ::setenv("HEIST_CLUSTER", with.cluster.c_str(), 1);
  const cluster::options wanted = cluster::options::from_environment();
  if (wanted.as == cluster::role::alone)
    throw analysis::bad_input("which cluster? set HEIST_CLUSTER, or pass --cluster, to the line that heist cluster up prints");
  return std::make_unique<observer>(wanted);
} catch (const analysis::bad_input&) {
  throw;
} catch (const std::exception& e) {  // the command says by itself that it is heist
  std::string_view text = e.what();
  if (text.starts_with("heist: ")) text.remove_prefix(7);
  throw analysis::bad_input(std::string(text));
}

int show(const cluster_top_settings& with) {
  const std::unique_ptr<observer> from = joined(with);
  rates speed;
  const bool live = !with.once && ::isatty(STDOUT_FILENO) == 1 && !with.json;
  for (;;) {
    const auto all = from->look();
    fmt::print("{}{}", live ? "\033[H\033[2J" : "", with.json ? as_json(all) + "\n" : as_table(all, speed));
    if (std::fflush(stdout) != 0 || with.once) return ok;  // or nobody reads any more
    std::this_thread::sleep_for(std::chrono::duration<double>(with.interval));
  }
}

}  // namespace

void add_cluster_top(CLI::App& cluster, action& chosen) {
  const auto with = std::make_shared<cluster_top_settings>();
  CLI::App* const top = cluster.add_subcommand(
      "top", "Show who takes part in a job: workers, what was lent and borrowed, and what was sent.");
  top->add_option("--cluster", with->cluster, "nats://user:password@host:port/job (HEIST_CLUSTER)");
  top->add_flag("--once", with->once, "Write it once, and end");
  top->add_flag("--json", with->json, "Write an object a line");
  top->add_option("--interval", with->interval, "Seconds between two tables")->check(CLI::Range(0.05, 3600.0))->capture_default_str();
  top->footer("Examples:\n  heist cluster top\n  heist cluster top --once --json");
  top->callback([with, &chosen] { chosen = [with] { return show(*with); }; });
}

}  // namespace heist::cli

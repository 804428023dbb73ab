// heist top: who has how many workers, of the pools that share the machine.

#include <cli/command.hpp>

#include <heist/pool.hpp>
#include <heist/share/board.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace heist::cli {
namespace {

using detail::board;

struct top_settings {
  bool once = false, json = false;
  double interval = 1;
};

std::string as_json(const std::vector<board::entry>& all) {
  nlohmann::json pools = nlohmann::json::array();
  for (const auto& [slot, what] : all)
    pools.push_back({{"slot", slot},
                     {"process", what.process},
                     {"pool", what.pool},
                     {"program", what.name()},
                     {"desire", what.desire},
                     {"workers", what.workers},
                     {"efficiency", what.efficiency / 100.0},
                     {"steals", what.steals},
                     {"work_seconds", static_cast<double>(what.work) / 1e9},
                     {"quanta", what.quanta}});
  return nlohmann::json{{"processors", available_parallelism()}, {"pools", pools}}.dump();
}

std::string as_table(const std::vector<board::entry>& all) {
  std::string text = fmt::format("{:>8} {:>4}  {:<16} {:>6} {:>7} {:>10} {:>10} {:>10}\n", "process", "pool", "program", "desire",
                                 "workers", "efficiency", "steals", "work");
  unsigned workers = 0;
  for (const auto& [slot, what] : all) {
    text += fmt::format("{:>8} {:>4}  {:<16} {:>6} {:>7} {:>9}% {:>10} {:>8.1f} s\n", what.process, what.pool, what.name(),
                        what.desire, what.workers, what.efficiency, what.steals, static_cast<double>(what.work) / 1e9);
    workers += what.desire > 0 ? what.workers : 0;
  }
  if (all.empty()) text += "no pool shares this machine; start a program with HEIST_SHARE=feedback\n";
  return text + fmt::format("{} workers for {} processors\n", workers, available_parallelism());
}

int show(const top_settings& with) {
  board& b = board::of_user();
  if (!b.complaint().empty()) return bad_usage;  // it has been said
  const bool live = !with.once && ::isatty(STDOUT_FILENO) == 1 && !with.json;
  for (;;) {
    const auto all = b.read();
    const std::string text = with.json ? as_json(all) + "\n" : as_table(all);
    fmt::print("{}{}", live ? "\033[H\033[2J" : "", text);
    if (std::fflush(stdout) != 0 || with.once) return ok;  // or nobody reads any more
    std::this_thread::sleep_for(std::chrono::duration<double>(with.interval));
  }
}

}  // namespace

void add_top(CLI::App& heist, action& chosen) {
  const auto with = std::make_shared<top_settings>();
  CLI::App* const top = heist.add_subcommand(
      "top",
      "Show who has how many workers, of the pools that share the machine (options::share, HEIST_SHARE=feedback). In a pipe "
      "it writes a table each time, or with --json a line.");
  top->add_flag("--once", with->once, "Write it once, and end");
  top->add_flag("--json", with->json, "Write an object a line");
  top->add_option("--interval", with->interval, "Seconds between two tables")
      ->check(CLI::Range(0.05, 3600.0))
      ->capture_default_str();
  top->footer("Examples:\n  heist top\n  heist top --once --json | jq '.pools[] | .workers'");
  top->callback([with, &chosen] { chosen = [with] { return show(*with); }; });
}

}  // namespace heist::cli

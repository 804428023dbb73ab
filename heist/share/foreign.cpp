#include <heist/share/foreign.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <thread>

namespace heist::detail {

namespace {

// Of all processors, since the machine was started. Time that the host took away is not ours to use either.
std::uint64_t busy_time(const std::string& statistics) {
  std::ifstream in(statistics);
  std::string word;
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, io = 0, irq = 0, soft = 0, stolen = 0;
  in >> word >> user >> nice >> system >> idle >> io >> irq >> soft >> stolen;
  const auto ticks = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_CLK_TCK)));
  return (user + nice + system + irq + soft + stolen) * (1'000'000'000 / ticks);
}

}  // namespace

// What the processes on the board have used since the last look. All pools of a process report the same, so the most that a
// slot adds counts: one that names somebody else's process takes nothing from it. A slot that is new may have used all that
// it says.
double foreign_load::used_since(const std::array<reported, board::slots>& before, double passed) const noexcept {
  const double most = passed * std::max(1u, std::thread::hardware_concurrency());
  std::map<std::uint32_t, double> used;
  for (std::size_t i = 0; i < said_.size(); ++i) {
    const auto [process, now_used] = said_[i];
    if (process == 0) continue;
    const std::uint64_t then = before[i].process == process ? before[i].processor : 0;
    const double more = now_used > then ? static_cast<double>(now_used - then) : 0;
    used[process] = std::max(used[process], std::min(more, most));
  }
  double all = 0;
  for (const auto& [process, time_used] : used) all += time_used;
  return all;
}

unsigned foreign_load::processors(const std::vector<board::entry>& on_board, nanoseconds time) {
  if (looked_ != 0 && time - looked_ < period) return last_;
  const auto before = said_;
  said_.fill({});
  for (const board::entry& e : on_board) said_[e.slot] = {e.what.process, e.what.processor};
  bool somebody_left = false;  // what it used since then is not known: then the result may fall, and does not rise
  for (std::size_t i = 0; i < said_.size(); ++i) somebody_left |= before[i].process != 0 && before[i].process != said_[i].process;
  const std::uint64_t busy = busy_time(statistics_);
  const auto passed = static_cast<double>(time - looked_);
  if (looked_ != 0 && busy >= busy_) {
    const double foreign = static_cast<double>(busy - busy_) - used_since(before, passed);
    const auto seen = static_cast<unsigned>(std::lround(std::max(0.0, foreign) / passed));
    last_ = somebody_left ? std::min(last_, seen) : seen;
  }
  looked_ = time;
  busy_ = busy;
  return last_;
}

}  // namespace heist::detail

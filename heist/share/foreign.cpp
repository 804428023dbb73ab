#include <heist/share/foreign.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>

namespace heist::detail {

namespace {

// Of all processors, since the machine was started. Time that the host took away is not ours to use either.
std::uint64_t busy_time() {
  std::ifstream in("/proc/stat");
  std::string word;
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, io = 0, irq = 0, soft = 0, stolen = 0;
  in >> word >> user >> nice >> system >> idle >> io >> irq >> soft >> stolen;
  const auto ticks = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_CLK_TCK)));
  return (user + nice + system + irq + soft + stolen) * (1'000'000'000 / ticks);
}

}  // namespace

unsigned foreign_load::processors(const std::vector<board::entry>& on_board) {
  const nanoseconds time = now();
  if (looked_ != 0 && time - looked_ < period) return last_;
  std::map<std::uint32_t, std::uint64_t> used;  // by process: its pools all report the same
  for (const board::entry& e : on_board) used[e.what.process] = std::max(used[e.what.process], e.what.processor);
  std::uint64_t ours = 0;
  for (const auto& [process, time_used] : used) ours += time_used;
  const std::uint64_t busy = busy_time();
  // A process that has come or gone meanwhile moves the sum by all that it ever used: that look says nothing.
  const auto foreign = static_cast<double>(busy - busy_) - static_cast<double>(ours - ours_);
  const auto passed = static_cast<double>(time - looked_);
  if (looked_ != 0 && busy >= busy_ && ours >= ours_ && foreign <= static_cast<double>(busy - busy_))
    last_ = static_cast<unsigned>(std::lround(std::max(0.0, foreign) / passed));
  looked_ = time;
  busy_ = busy;
  ours_ = ours;
  return last_;
}

}  // namespace heist::detail

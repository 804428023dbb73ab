#include <analysis/sim/table.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace heist::analysis {

void step_table::executed(const machine& m, id p, id t) {
  now_.executed.resize(m.processors().size());
  now_.executed[p] = m.runs().stored()->label(static_cast<id>(m.thread(t).next.a - 1));
}

void step_table::stepped(const machine& m) {
  now_.executed.resize(m.processors().size());
  now_.pool = std::move(pool_);
  rows_.push_back(std::move(now_));
  now_ = {};
  look_at_pool(m);
}

void step_table::look_at_pool(const machine& m) {
  std::vector<std::pair<std::uint64_t, std::string>> pool;
  const dag& d = *m.runs().stored();
  for (id t = 0; t < m.slots(); ++t) {
    const activation& a = m.thread(t);
    if (a.state != state::ready && a.state != state::stalled) continue;
    const char* const how = a.state == state::ready ? "r" : "s";
    pool.emplace_back(m.number(t), fmt::format("{} {}", d.threads[d.thread_of[a.next.a]].name, how));
  }
  std::sort(pool.begin(), pool.end());
  pool_.clear();
  for (auto& [number, text] : pool) pool_.push_back(std::move(text));
}

std::string step_table::to_string() const {
  std::string out = " step";
  const std::size_t processors = rows_.empty() ? 0 : rows_[0].executed.size();
  for (std::size_t p = 1; p <= processors; ++p) out += fmt::format("  {:<8}", fmt::format("p{}", p));
  out += "  nobody works on\n";
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    out += fmt::format("{:>5}", s + 1);
    for (const auto& e : rows_[s].executed) out += fmt::format("  {:<8}", e.empty() ? "-" : e);
    out += "  ";
    for (std::size_t i = 0; i < rows_[s].pool.size(); ++i) out += (i > 0 ? ", " : "") + rows_[s].pool[i];
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  }
  return out;
}

}  // namespace heist::analysis

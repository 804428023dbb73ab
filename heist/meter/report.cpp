#include <heist/base/text.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/meter/report.hpp>

#include <algorithm>
#include <vector>

namespace heist::detail {

namespace {

// 1.23 ms, or 1234 strands.
std::string amount(double n, unit in) {
  std::string s;
  if (in == unit::strand)
    print(s, "%.0f strand%s", n, n == 1 ? "" : "s");
  else if (n < 1e3)
    print(s, "%.0f ns", n);
  else if (n < 1e6)
    print(s, "%.2f us", n / 1e3);
  else if (n < 1e9)
    print(s, "%.2f ms", n / 1e6);
  else
    print(s, "%.2f s", n / 1e9);
  return s;
}

// AMD EPYC, 2 processors, Linux 6.1.0 x86_64
std::string machine(const origin& o) {
  std::string s = o.cpu.empty() ? "" : o.cpu + ", ";
  print(s, "%u processor%s, ", o.processors, o.processors == 1 ? "" : "s");
  return s + o.system;
}

void add_busy(std::string& s, const measurement& m) {
  std::vector<measurement::share> ran;
  for (const measurement::share& w : m.workers)
    if (w.busy > 0) ran.push_back(w);
  if (ran.empty()) return;
  const auto [idlest, busiest] = std::minmax_element(ran.begin(), ran.end(), [](auto& a, auto& b) { return a.busy < b.busy; });
  const auto [fewest, most] = std::minmax_element(ran.begin(), ran.end(), [](auto& a, auto& b) { return a.strands < b.strands; });
  print(s, "  %zu workers ran something: busy %s to %s, strands %zu to %zu\n", ran.size(),
        amount(idlest->busy, unit::time).c_str(), amount(busiest->busy, unit::time).c_str(), fewest->strands,
        most->strands);
}

// What a measured fork costs is subtracted as well as it is known, which is to some nanoseconds.
void add_warning(std::string& s, const measurement& m) {
  constexpr double little = 200;
  const double each = m.forks > 0 ? m.work / static_cast<double>(m.forks) : little;
  if (m.in == unit::time && each < little)
    print(s, "  %s of work for each fork: a good part of it is the measuring\n", amount(each, unit::time).c_str());
}

// To the left of so many columns. printf would count bytes, of which a letter may have several.
std::string padded(const std::string& text, std::size_t columns) {
  const auto letters = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
  return text + std::string(columns - std::min(columns, letters), ' ');
}

void add_regions(std::string& s, const measurement& m) {
  print(s, "\n  %-28s%8s%14s%14s%13s%14s%12s\n", "region", "times", "work", "span", "parallelism", "longest span",
        "forks");
  for (const measurement::part& r : m.regions) {
    s += "  " + padded(r.name, 28);
    print(s, "%8zu%14s%14s%13.1f%14s%12zu\n", r.times, amount(r.work, m.in).c_str(), amount(r.span, m.in).c_str(),
          r.parallelism(), amount(r.longest, m.in).c_str(), r.forks);
  }
}

constexpr unsigned most_processors = 1024;

}  // namespace

void describe(const strand_clock& total, measurement& m) {
  const bool in_time = m.in == unit::time;
  const double ns = calibration::get().ns_per_tick;
  auto scaled = [&](cost c) { return in_time ? static_cast<double>(c.ticks) * ns : static_cast<double>(c.strands); };
  m.work = scaled(total.work());
  m.span = scaled(total.path().plain);
  m.burdened_span = scaled(total.path().burdened);
  m.burden = scaled({burden_ticks.load(std::memory_order_relaxed), 1});
  m.forks = total.forks();
  m.serial_space = total.deepest();
  for (measurement::share& w : m.workers) w.busy *= ns;
  for (const region_total& r : total.regions()) {
    measurement::part& p = m.regions.emplace_back();
    p.name = r.name;
    p.times = r.times;
    p.work = scaled(r.work);
    p.span = scaled(r.span.plain);
    p.burdened_span = scaled(r.span.burdened);
    p.longest = scaled(r.longest);
    p.forks = r.forks;
  }
}

std::string as_text(const measurement& m, const origin& from) {
  std::string s = "heist profile of " + from.program + '\n';
  if (!from.started.empty()) s += "  " + from.started + ", heist " + from.version + ", " + machine(from) + '\n';
  print(s, "  %-16s%14s\n", "work T1", amount(m.work, m.in).c_str());
  print(s, "  %-16s%14s   parallelism %.1f\n", "span Tinf", amount(m.span, m.in).c_str(), m.parallelism());
  print(s, "  %-16s%14s   parallelism %.1f, a steal costing %s\n", "burdened span",
        amount(m.burdened_span, m.in).c_str(), m.burdened_parallelism(), amount(m.burden, m.in).c_str());
  print(s, "  forks %zu, steals %zu of %zu attempts, suspends %zu\n", m.forks, m.steals, m.steal_attempts, m.suspends);
  print(s, "  peak of all stacks %zu KiB, serial space %zu KiB\n", m.stack_bytes_peak / 1024, m.serial_space / 1024);
  add_busy(s, m);
  add_warning(s, m);
  print(s, "\n  %7s   %-30s%s\n", "workers", "time to be expected", "speed-up");
  for (unsigned p = 1; p <= most_processors; p *= 2) {
    const auto [shortest, longest] = m.time_on(p);
    const auto [least, most] = m.speedup_on(p);
    const std::string time = amount(shortest, m.in) + " to " + amount(longest, m.in);
    print(s, "  %7u   %-30s%.2f to %.2f\n", p, time.c_str(), least, most);
  }
  if (!m.regions.empty()) add_regions(s, m);
  return s;
}

std::string as_json(const measurement& m, const origin& from) {
  std::string s;
  print(s, "{\"heist_profile\": 1, \"unit\": \"%s\",\n", m.in == unit::time ? "ns" : "strand");
  s += " \"program\": " + json_string(from.program) + ", \"heist\": " + json_string(from.version) +
       ", \"started\": " + json_string(from.started) + ",\n \"cpu\": " + json_string(from.cpu);
  print(s, ", \"processors\": %u, ", from.processors);
  s += "\"system\": " + json_string(from.system) + ",\n";
  print(s, " \"work\": %.0f, \"span\": %.0f, \"burdened_span\": %.0f, \"burden\": %.0f, \"parallelism\": %.6g,\n",
        m.work, m.span, m.burdened_span, m.burden, m.parallelism());
  print(s, " \"forks\": %zu, \"steals\": %zu, \"steal_attempts\": %zu, \"suspends\": %zu, \"stack_bytes_peak\": %zu,\n",
        m.forks, m.steals, m.steal_attempts, m.suspends, m.stack_bytes_peak);
  print(s, " \"serial_space\": %zu,\n", m.serial_space);
  s += " \"workers\": [";
  for (const measurement::share& w : m.workers)
    print(s, "%s{\"strands\": %zu, \"busy\": %.0f}", &w == m.workers.data() ? "" : ", ", w.strands, w.busy);
  s += "],\n \"speedup\": [";
  for (unsigned p = 1; p <= most_processors; p *= 2) {
    const auto [least, most] = m.speedup_on(p);
    const auto [shortest, longest] = m.time_on(p);
    print(s, "%s{\"workers\": %u, \"least\": %.4g, \"most\": %.4g, \"shortest\": %.0f, \"longest\": %.0f}",
          p == 1 ? "" : ",\n  ", p, least, most, shortest, longest);
  }
  s += "],\n \"regions\": [";
  for (const measurement::part& r : m.regions) {
    s += &r == m.regions.data() ? "" : ", ";
    s += "{\"name\": " + json_string(r.name);
    print(s, ", \"times\": %zu, \"work\": %.0f, \"span\": %.0f, \"burdened_span\": %.0f, \"longest\": %.0f, \"forks\": %zu}",
          r.times, r.work, r.span, r.burdened_span, r.longest, r.forks);
  }
  return s + "]}\n";
}

}  // namespace heist::detail

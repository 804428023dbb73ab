#include <heist/base/text.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/meter/report.hpp>

#include <algorithm>

namespace heist::detail {

namespace {

// 1.23 ms, or 1234 strands.
std::string amount(double n, unit in) {
  std::string s;
  if (in == unit::strand)
    print(s, "%.0f strands", n);
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
  for (const region_total& r : total.regions()) m.regions.push_back({r.name, r.times, scaled(r.work), scaled(r.span)});
}

std::string as_text(const measurement& m, const origin& from) {
  std::string s = "heist profile of " + from.program + '\n';
  s += "  " + from.started + ", heist " + from.version + ", " + machine(from) + '\n';
  print(s, "  work T1         %s\n", amount(m.work, m.in).c_str());
  print(s, "  span            %s    parallelism %.1f\n", amount(m.span, m.in).c_str(), m.parallelism());
  print(s, "  burdened span   %s    parallelism %.1f (a steal: %s)\n", amount(m.burdened_span, m.in).c_str(),
        m.burdened_parallelism(), amount(m.burden, m.in).c_str());
  print(s, "  forks %zu, steals %zu of %zu attempts, suspends %zu\n", m.forks, m.steals, m.steal_attempts, m.suspends);
  print(s, "  peak of all stacks %zu KiB; the serial program's stack at its forks %zu KiB\n", m.stack_bytes_peak / 1024,
        m.serial_space / 1024);
  auto busy = [](const measurement::share& a, const measurement::share& b) { return a.busy < b.busy; };
  if (const auto [least, most] = std::minmax_element(m.workers.begin(), m.workers.end(), busy); most != m.workers.end())
    print(s, "  busy, least and most of %zu workers: %s (%zu strands), %s (%zu strands)\n", m.workers.size(),
          amount(least->busy, unit::time).c_str(), least->strands, amount(most->busy, unit::time).c_str(),
          most->strands);
  print(s, "  workers  speed-up to be expected\n");
  for (unsigned p = 1; p <= most_processors; p *= 2) {
    const auto [least, most] = m.speedup_on(p);
    print(s, "  %7u  %.2f to %.2f\n", p, least, most);
  }
  for (const measurement::part& r : m.regions)
    print(s, "  region %s: %zu times, work %s, span %s, parallelism %.1f\n", r.name.c_str(), r.times,
          amount(r.work, m.in).c_str(), amount(r.span, m.in).c_str(), r.span > 0 ? r.work / r.span : 1);
  return s;
}

std::string as_json(const measurement& m, const origin& from) {
  std::string s;
  print(s, "{\"heist_profile\": 1, \"unit\": \"%s\",\n", m.in == unit::time ? "ns" : "strand");
  s += " \"program\": " + quoted(from.program) + ", \"heist\": " + quoted(from.version) +
       ", \"started\": " + quoted(from.started) + ",\n \"cpu\": " + quoted(from.cpu);
  print(s, ", \"processors\": %u, ", from.processors);
  s += "\"system\": " + quoted(from.system) + ",\n";
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
    print(s, "%s{\"workers\": %u, \"least\": %.4g, \"most\": %.4g}", p == 1 ? "" : ", ", p, least, most);
  }
  s += "],\n \"regions\": [";
  for (const measurement::part& r : m.regions) {
    s += &r == m.regions.data() ? "" : ", ";
    s += "{\"name\": " + quoted(r.name);
    print(s, ", \"times\": %zu, \"work\": %.0f, \"span\": %.0f}", r.times, r.work, r.span);
  }
  return s + "]}\n";
}

}  // namespace heist::detail

#include <heist/base/text.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/measure/report.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <utility>
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
  print(s, "  %zu worker%s ran something: busy %s to %s, strands %zu to %zu\n", ran.size(), ran.size() == 1 ? "" : "s",
        amount(idlest->busy, unit::time).c_str(), amount(busiest->busy, unit::time).c_str(), fewest->strands,
        most->strands);
}

// What ran on other machines, and what crossed between them.
void add_machines(std::string& s, const measurement& m) {
  if (m.elsewhere.strands > 0)
    print(s, "  other machines did %s of the work in %zu strands\n", amount(m.elsewhere.busy, unit::time).c_str(),
          m.elsewhere.strands);
  if (const measurement::crossing& c = m.crossed; c.machines > 0)
    print(s, "  %zu machine%s lent %zu branch%s and sent %zu bytes in %zu messages\n", c.machines, c.machines == 1 ? "" : "s",
          c.loans, c.loans == 1 ? "" : "es", c.bytes, c.messages);
}

// Pads to a number of columns. printf would count bytes, and a letter may have several.
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

double strands_of(const measurement& m) {
  double sum = 0;
  for (const measurement::share& w : m.workers) sum += static_cast<double>(w.strands);
  sum += static_cast<double>(m.elsewhere.strands);
  return sum;
}

// One of very many strands is as long as a time slice, and a good part of the span.
bool one_stands_out(const measurement& m) {
  constexpr double slice = 1e6, part = 0.05, outlier = 1000;
  return m.longest_strand > slice && m.longest_strand > part * m.span &&
         m.longest_strand * strands_of(m) > outlier * m.work;
}

// Strands took longer than the process had on its cores, by a good part of the span, but not by so
// much that they must have waited for something else.
bool time_was_lost(const measurement& m) {
  constexpr double part = 0.1, longest_interruption = 100e6;
  const double lost = m.work - m.elsewhere.busy - m.processor_time;
  return lost > part * m.span && lost < longest_interruption * static_cast<double>(m.interruptions);
}

// A busy neighbour takes a core every few milliseconds. Searching workers yield theirs to whoever waits
// for it, which is counted, too: that is more than strands have lost, but nothing if nobody waits. A
// few interruptions matter only if they show.
bool was_interrupted(const measurement& m) {
  constexpr double long_enough = 50e6, per_ns = 60e-9;
  const auto times = static_cast<double>(m.interruptions);
  const bool often = m.processor_time > long_enough && times > per_ns * m.processor_time;
  return often || (times > 0 && (one_stands_out(m) || time_was_lost(m)));
}

// The cost of measuring a fork is subtracted, but it is known only to within some nanoseconds, so too
// little is known of strands that are as short. Most strands between forks and after joins are. What
// counts is their share of the work or, if interruptions may have lengthened the others, whether
// there are hardly any others.
std::optional<doubt> too_fine(const measurement& m) {
  constexpr double little = 200, quarter = 0.25, nearly_all = 0.9;
  const double strands = strands_of(m), shorts = static_cast<double>(m.short_strands);
  doubt d{"", "work, span, parallelism and speed-up are not reliable: they include the cost of measuring",
          "fork less often (a larger grain), or count strands, not time (HEIST_PROFILE_UNIT=strand)"};
  const bool swollen = was_interrupted(m) || one_stands_out(m);
  if (m.short_work > quarter * m.work || (swollen && shorts > nearly_all * strands))
    print(d.seen,
          "%.0f %% of the strands, with %.0f %% of the work, took less than %.0f ns, about what it takes to measure one",
          100 * shorts / strands, 100 * m.short_work / m.work, short_strand);
  else if (m.forks > 0 && m.work < little * static_cast<double>(m.forks))
    print(d.seen, "%s of work for each fork, and a good part of that is the cost of measuring",
          amount(m.work / static_cast<double>(m.forks), unit::time).c_str());
  else
    return std::nullopt;
  return d;
}

std::optional<doubt> interrupted(const measurement& m) {
  if (!was_interrupted(m)) return std::nullopt;
  doubt d{"", "span, parallelism and speed-up are not reliable, and the work is too high",
          "use a quiet machine, heist profile --runs 5, or count strands (HEIST_PROFILE_UNIT=strand)"};
  print(d.seen, "the program lost its cores %zu time%s", m.interruptions, m.interruptions == 1 ? "" : "s");
  if (time_was_lost(m))
    print(d.seen, ": strands took %s in %s of processor time", amount(m.work - m.elsewhere.busy, unit::time).c_str(),
          amount(m.processor_time, unit::time).c_str());
  else if (one_stands_out(m))
    print(d.seen, ": one strand of %s is %.0f %% of the span", amount(m.longest_strand, unit::time).c_str(),
          100 * std::min(1.0, m.longest_strand / m.span));
  return d;
}

constexpr unsigned most_processors = 1024;

}  // namespace

interruptions interruptions::until_now() noexcept {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  auto ns = [](const timeval& t) { return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_usec) * 1e3; };
  return {static_cast<std::size_t>(used.ru_nivcsw), ns(used.ru_utime) + ns(used.ru_stime)};
}

void describe(const strand_clock& total, const interruptions& before, measurement& m) {
  const interruptions after = interruptions::until_now();
  m.interruptions = after.times - before.times;
  m.processor_time = after.processor_time - before.processor_time;
  const bool in_time = m.in == unit::time;
  const double ns = calibration::get().ns_per_tick;
  auto scaled = [&](cost c) { return in_time ? static_cast<double>(c.ticks) * ns : static_cast<double>(c.strands); };
  m.work = scaled(total.work());
  m.span = scaled(total.path().plain);
  m.burdened_span = scaled(total.path().burdened);
  m.burden = scaled({burden_ticks.load(std::memory_order_relaxed), 1});
  m.forks = total.forks();
  m.serial_space = total.deepest();
  m.short_strands = total.short_work().strands;
  m.short_work = static_cast<double>(total.short_work().ticks) * ns;
  m.longest_strand = static_cast<double>(total.longest_ticks()) * ns;
  for (measurement::share& w : m.workers) w.busy *= ns;
  m.elsewhere = {total.elsewhere().strands, static_cast<double>(total.elsewhere().ticks) * ns};
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

std::vector<doubt> doubts(const measurement& m) {
  std::vector<doubt> all;
  if (m.in != unit::time) return all;
  if (auto d = too_fine(m)) all.push_back(std::move(*d));
  if (auto d = interrupted(m)) all.push_back(std::move(*d));
  return all;
}

std::string as_text(const measurement& m, const origin& from) {
  std::string s = "heist profile of " + from.program + '\n';
  if (!from.started.empty()) s += "  " + from.started + ", heist " + from.version + ", " + machine(from) + '\n';
  print(s, "  %-16s%14s\n", "work T1", amount(m.work, m.in).c_str());
  print(s, "  %-16s%14s   parallelism %.1f\n", "span Tinf", amount(m.span, m.in).c_str(), m.parallelism());
  print(s, "  %-16s%14s   parallelism %.1f, if a steal costs %s\n", "burdened span",
        amount(m.burdened_span, m.in).c_str(), m.burdened_parallelism(), amount(m.burden, m.in).c_str());
  print(s, "  forks %zu, steals %zu of %zu attempts, suspends %zu\n", m.forks, m.steals, m.steal_attempts, m.suspends);
  print(s, "  peak of all stacks %zu KiB, serial space %zu KiB\n", m.stack_bytes_peak / 1024, m.serial_space / 1024);
  add_busy(s, m);
  add_machines(s, m);
  for (const doubt& d : doubts(m))
    print(s, "  doubtful: %s\n            %s\n            %s\n", d.seen.c_str(), d.figures.c_str(), d.remedy.c_str());
  print(s, "\n  %7s   %-30s%s\n", "workers", "expected time", "speed-up");
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
  print(s, " \"serial_space\": %zu, \"short_strands\": %zu, \"short_work\": %.0f, \"longest_strand\": %.0f,\n",
        m.serial_space, m.short_strands, m.short_work, m.longest_strand);
  print(s, " \"interruptions\": %zu, \"processor_time\": %.0f,\n", m.interruptions, m.processor_time);
  s += " \"workers\": [";
  for (const measurement::share& w : m.workers)
    print(s, "%s{\"strands\": %zu, \"busy\": %.0f}", &w == m.workers.data() ? "" : ", ", w.strands, w.busy);
  print(s, "],\n \"elsewhere\": {\"strands\": %zu, \"busy\": %.0f},", m.elsewhere.strands, m.elsewhere.busy);
  print(s, " \"cluster\": {\"machines\": %zu, \"loans\": %zu, \"messages\": %zu, \"bytes\": %zu},\n", m.crossed.machines,
        m.crossed.loans, m.crossed.messages, m.crossed.bytes);
  s += " \"speedup\": [";
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

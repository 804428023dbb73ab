// heist trace: runs a program and writes down what its workers did.

#include <cli/command.hpp>
#include <cli/hardware_misses.hpp>
#include <cli/page.hpp>
#include <cli/program.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace heist::cli {
namespace {

struct trace_settings {
  program what;
  std::string to = "heist.trace.json", page, profile;
  unsigned events = 0;
  bool json = false, misses = false;
};

// Cache misses on one worker, and in the run that was traced.
struct counted_misses {
  std::string refused = {};
  std::uint64_t one = 0, all = 0;
  // What a steal costs, by Q_P − Q₁.
  double per_steal(const trace_summary& s) const {
    return s.steals > 0 ? (static_cast<double>(all) - static_cast<double>(one)) / static_cast<double>(s.steals) : 0;
  }
};

double share(double part, const trace_summary& of) { return of.duration > 0 ? 100 * part / of.duration : 0; }

nlohmann::json as_json(const trace_summary& s, const std::string& file) {
  nlohmann::json lanes = nlohmann::json::array();
  for (const auto& l : s.lanes)
    lanes.push_back({{"pool", l.pool},
                     {"lane", l.number},
                     {"name", l.name},
                     {"busy_us", l.busy},
                     {"asleep_us", l.asleep},
                     {"utilisation", share(l.busy, s) / 100},
                     {"runs", l.runs},
                     {"steals", l.steals},
                     {"robbed", l.robbed},
                     {"dropped", l.dropped}});
  return {{"file", file},       {"program", s.program}, {"workers", s.workers}, {"duration_us", s.duration},
          {"events", s.events}, {"dropped", s.dropped}, {"steals", s.steals},   {"far_steals", s.far_steals},
          {"suspends", s.suspends}, {"sleeps", s.sleeps}, {"regions", s.regions}, {"waits", s.waits},
          {"lanes", lanes}};
}

void print(const trace_summary& s, const std::string& file) {
  fmt::print("heist trace of {}: {:.3f} ms, {} worker{}, {} events, {} dropped\n", s.program, s.duration / 1e3,
             s.workers, s.workers == 1 ? "" : "s", s.events, s.dropped);
  const std::string far = s.far_steals > 0 ? fmt::format(" ({} from another NUMA node)", s.far_steals) : "";
  fmt::print("  steals {}{}, suspends {}, sleeps {}, regions {}, waits {}\n", s.steals, far, s.suspends, s.sleeps, s.regions,
             s.waits);
  const bool several = !s.lanes.empty() && s.lanes.front().pool != s.lanes.back().pool;
  fmt::print("  {:<20}{:>8}{:>8}{:>10}{:>10}{:>10}\n", "worker", "busy", "asleep", "runs", "steals", "robbed");
  for (const auto& l : s.lanes) {
    if (l.runs == 0 && !trace_summary::is_worker(l)) continue;
    fmt::print("  {:<20}{:>7.1f}%{:>7.1f}%{:>10}{:>10}{:>10}\n",
               several ? fmt::format("pool {}, {}", l.pool, l.name) : l.name, share(l.busy, s), share(l.asleep, s),
               l.runs, l.steals, l.robbed);
  }
  if (s.dropped > 0) fmt::print("  The oldest events were dropped: keep more with --events\n");
  fmt::print("{}: open it in ui.perfetto.dev, or make a page: heist report {}\n", file, file);
}

// The program on one worker; its output is dropped.
void count_on_one_worker(const trace_settings& with, counted_misses& misses) {
  program alone = with.what;
  alone.workers = 1;
  alone.output_file = "/dev/null";
  const hardware_misses counter;
  misses.refused = counter.refused();
  if (!misses.refused.empty()) return;
  alone.run({}, program::output::to_file);
  misses.one = counter.count();
}

void print(const counted_misses& m, const trace_summary& s) {
  if (m.refused.empty())
    fmt::print("cache misses: {} on one worker, {} here: {:.1f} more for each steal\n", m.one, m.all, m.per_steal(s));
  else
    fmt::print(stderr, "heist trace: cache misses cannot be counted: {}\n", m.refused);
}

nlohmann::json as_json(const counted_misses& m, const trace_summary& s) {
  if (!m.refused.empty()) return {{"refused", m.refused}};
  return {{"on_one_worker", m.one}, {"traced", m.all}, {"per_steal", m.per_steal(s)}};
}

int trace(const trace_settings& with) {
  counted_misses misses;
  if (with.misses) count_on_one_worker(with, misses);
  new_file file(with.to);
  std::optional<new_file> profile;
  std::vector<std::pair<std::string, std::string>> variables{{"HEIST_TRACE", file.draft()}};
  if (with.events > 0) variables.emplace_back("HEIST_TRACE_EVENTS", std::to_string(with.events));
  if (!with.profile.empty()) {
    profile.emplace(with.profile);
    variables.emplace_back("HEIST_PROFILE", "json:" + profile->draft());
  }
  std::optional<hardware_misses> counter;
  if (with.misses) counter.emplace();
  const ended how = with.what.run(variables, with.json ? program::output::to_stderr : program::output::own);
  if (counter) misses.all = counter->count();
  if (!file.written()) return with.what.left_nothing(how, "trace");
  const int status = with.what.tell(how);
  std::vector<run_file> read{read_run_file(file.draft())};
  file.keep();
  if (profile) {
    read.push_back(read_run_file(profile->draft()));
    profile->keep();
  }
  if (!with.page.empty()) {
    new_file page(with.page);
    page.write(make_page(read, ""));
    page.keep();
  }
  const trace_summary& seen = read[0].summary;
  if (with.json) {
    nlohmann::json all = as_json(seen, with.to);
    if (with.misses) all["cache_misses"] = as_json(misses, seen);
    fmt::print("{}\n", all.dump(1));
    return status;
  }
  print(seen, with.to);
  if (with.misses) print(misses, seen);
  return status;
}

}  // namespace

void add_trace(CLI::App& heist, action& chosen) {
  CLI::App& app = *heist.add_subcommand("trace", "Run a program; record what each worker did, and when");
  auto with = std::make_shared<trace_settings>();
  with->what.add_to(app);
  app.add_option("-o,--output", with->to, "write the trace to this file")->capture_default_str();
  app.add_option("--html", with->page, "also write the report page to this file");
  app.add_option("--profile", with->profile,
                 "also write the profile of the run to this file; this makes every fork slower");
  app.add_option("--events", with->events, "keep this many events of each worker, the last ones (HEIST_TRACE_EVENTS)")
      ->check(CLI::Range(1, 1 << 28));
  app.add_flag("--misses", with->misses,
               "also run it on one worker, and say how many cache misses each steal costs, by the processor's counters");
  app.add_flag("--json", with->json, "print the summary as JSON; the program's own output goes to stderr");
  app.footer(
      "Exit code: that of the program, or 128 + n if signal n killed it; 2 if there is no trace to show.\n"
      "Examples:\n  heist trace -- ./sort 1000000\n  heist trace -w 8 -o sort.json --html sort.html -- ./sort 1000000");
  app.callback([with, &chosen] { chosen = [with] { return trace(*with); }; });
}

}  // namespace heist::cli

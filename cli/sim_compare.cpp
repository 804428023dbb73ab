// heist sim compare: the same computations under every combination of some options; one row each.

#include <cli/machine_options.hpp>
#include <cli/sim.hpp>
#include <cli/trials.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;
using analysis::report;

struct sim_compare_settings {
  std::vector<std::string> computations, vary, columns{"T", "bound", "attempts", "steals"};
  computation_option recordings;
  machine_options machine;
  std::string y, plot, title;
  std::uint64_t seeds = 5;
  table_options table;
};

double part_of(std::uint64_t of, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(of) / static_cast<double>(all);
}

// A lost game of the paper's: what requests may wait for each other, for attempts and P (Lemma 6, without its constant).
double delay_bound(const report& r, double p) {
  return static_cast<double>(r.attempts) + p * std::log2(p) + p * std::log2(1000);
}

struct figure {
  const char *name, *text;
  int digits;
  double (*of)(const report& r, double p);
};
constexpr figure all_figures[] = {
    {"T", "T_P", 1, [](const report& r, double) { return static_cast<double>(r.time); }},
    {"speed-up", "T1/T_P", 2, [](const report& r, double) { return part_of(r.of.work, r.time); }},
    {"bound", "T_P / (T1/P + Tinf)", 3, [](const report& r, double p) { return r.time_ratio(p); }},
    {"P_A", "processors granted, on average", 1, [](const report& r, double) { return r.average(); }},
    {"c", "T_P / (T1/P_A + Tinf*P/P_A)", 2,
     [](const report& r, double p) {
       return static_cast<double>(r.granted) / (static_cast<double>(r.of.work) + p * static_cast<double>(r.of.span));
     }},
    {"attempts", "steal attempts / (P*Tinf)", 3,
     [](const report& r, double p) { return static_cast<double>(r.attempts) / (p * static_cast<double>(r.of.span)); }},
    {"steals", "threads stolen", 0, [](const report& r, double) { return static_cast<double>(r.steals); }},
    {"catches", "attempts that brought something", 0,
     [](const report& r, double) { return static_cast<double>(r.catches); }},
    {"far", "the share of steals from another node; with near victims only", 3,
     [](const report& r, double) { return part_of(r.steals_at[3], r.steals_at[1] + r.steals_at[2] + r.steals_at[3]); }},
    {"same-cache", "the share of steals behind the same cache; with near victims only", 3,
     [](const report& r, double) { return part_of(r.steals_at[1], r.steals_at[1] + r.steals_at[2] + r.steals_at[3]); }},
    {"wait", "processor-steps that requests waited, per attempt", 3,
     [](const report& r, double) { return part_of(r.wait, r.attempts); }},
    {"delay", "the same / (attempts + P*lg P + P*lg 1000)", 3,
     [](const report& r, double p) { return static_cast<double>(r.wait) / delay_bound(r, p); }},
    {"used", "the share of processor-steps that was work", 3,
     [](const report& r, double) { return part_of(r.work, r.granted); }},
    {"kept", "the share of parts that ran where they had before", 3,
     [](const report& r, double) { return part_of(r.parts_kept, r.parts); }},
    {"waste", "processor-steps that were not work / T1", 3,
     [](const report& r, double) { return part_of(r.granted - r.work, r.of.work); }},
    {"mugs", "deques of processors that had left, taken over", 1,
     [](const report& r, double) { return static_cast<double>(r.mugs); }},
    {"bytes", "frames and joins that went to another processor", 0,
     [](const report& r, double) { return static_cast<double>(r.bytes); }},
    {"space", "S_P / (P*S1)", 3,
     [](const report& r, double p) { return static_cast<double>(r.space) / (p * static_cast<double>(r.of.stack)); }},
};

const figure& find_figure(const std::string& name) {
  std::string all;
  for (const figure& f : all_figures) {
    if (name == f.name) return f;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", f.name);
  }
  throw bad_input(fmt::format("there is no column \"{}\"; there are {}", name, all));
}

// An option and the values that it takes.
struct varied {
  std::string name;
  std::vector<std::string> values;
};

varied parse_varied(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw bad_input(fmt::format("--vary must be option=value,value, not \"{}\"", text));
  varied v{text.substr(0, equals), {}};
  for (std::size_t at = equals + 1; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    v.values.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return v;
}

// What the command line says, and these values on top.
machine_options with_values(const machine_options& given, const std::vector<varied>& all,
                            const std::vector<std::string>& values) {
  machine_options m = given;
  CLI::App app;
  m.add_to(app);
  std::vector<std::string> arguments;  // the last first, as CLI11 wants them
  for (std::size_t i = 0; i < all.size(); ++i)
    arguments.insert(arguments.begin(), fmt::format("--{}={}", all[i].name, values[i]));
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& e) {
    throw bad_input(fmt::format("--vary: {}", e.what()));
  }
  return m;
}

struct combination {
  std::vector<std::string> values;
  machine_options machine;
};

std::vector<combination> combine(const machine_options& given, const std::vector<varied>& all) {
  std::vector<combination> made;
  std::vector<std::size_t> at(all.size(), 0);
  for (;;) {
    combination c;
    for (std::size_t i = 0; i < all.size(); ++i) c.values.push_back(all[i].values[at[i]]);
    c.machine = with_values(given, all, c.values);
    made.push_back(std::move(c));
    std::size_t i = all.size();
    while (i > 0 && ++at[i - 1] == all[i - 1].values.size()) at[--i] = 0;
    if (i == 0) return made;
  }
}

int run_compare(const sim_compare_settings& with) {
  if (with.seeds < 1 || with.seeds > 1'000'000) throw bad_input("seeds must be from 1 to 1000000");
  std::vector<varied> vary;
  for (const std::string& v : with.vary) vary.push_back(parse_varied(v));
  for (const std::string& name : with.columns) find_figure(name);
  const std::vector<combination> combinations = combine(with.machine, vary);
  std::vector<trial> trials;
  std::vector<const combination*> of;
  std::vector<std::string> schedulers;
  for (const std::string& name : with.computations) {
    const trial opened = open_all({name}, with.recordings)[0];
    for (const combination& c : combinations) {
      for (const analysis::options& o : c.machine.all()) {
        trials.push_back({opened.name, opened.what, o});
        of.push_back(&c);
        schedulers.emplace_back(to_string(o.policy));
      }
    }
  }
  const auto runs = run_trials(trials, with.seeds, "runs");
  const bool one_scheduler =
      std::all_of(schedulers.begin(), schedulers.end(), [&](const std::string& s) { return s == schedulers[0]; });
  std::vector<figures::column> head{{"computation"}};
  std::vector<std::string> by{"computation"};
  if (!one_scheduler) head.push_back({"scheduler"}), by.emplace_back("scheduler");
  for (const varied& v : vary) head.push_back({v.name}), by.push_back(v.name);
  head.push_back({"P"});
  for (const std::string& name : with.columns) head.push_back({name, find_figure(name).digits});
  figures table(head);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    std::vector<figures::cell> row{trials[i].name};
    if (!one_scheduler) row.emplace_back(schedulers[i]);
    for (const std::string& value : of[i]->values) row.emplace_back(value);
    const double p = trials[i].with.processors;
    row.emplace_back(p);
    for (const std::string& name : with.columns)
      row.emplace_back(mean_of(runs[i], [&](const report& r) { return find_figure(name).of(r, p); }));
    table.add(std::move(row));
  }
  if (!with.plot.empty()) {
    const std::string y = with.y.empty() ? with.columns[0] : with.y;
    if (with.computations.size() == 1) by.erase(by.begin());
    table.draw({with.title.empty() ? y : with.title,
                find_figure(y).text,
                {"processors P", plot::scale::log2},
                {y, plot::scale::log10},
                {}},
               "P", y, by, with.plot);
  }
  std::string foot;
  for (const std::string& name : with.columns) foot += fmt::format("{}{}: {}", foot.empty() ? "" : "; ", name, find_figure(name).text);
  with.table.show(table, "", foot + fmt::format(". Means of {} runs.", with.seeds));
  return ok;
}

}  // namespace

void add_compare(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand(
      "compare", "Simulate computations under every combination of some options, averaged over seeds");
  auto with = std::make_shared<sim_compare_settings>();
  app.add_option("computations", with->computations, "files, shapes or recordings (heist record)")->required();
  with->recordings.add_recording_options(app);
  with->machine.add_to(app);
  app.add_option("--vary", with->vary, "an option of the machine and its values: steal=one,half; may be repeated")
      ->take_all()
      ->expected(1, -1)
      ->allow_extra_args(false);
  std::string names;
  for (const figure& f : all_figures) names += fmt::format("{}{}", names.empty() ? "" : ", ", f.name);
  app.add_option("--columns", with->columns, "what to print: " + names)->delimiter(',')->capture_default_str();
  app.add_option("--seeds", with->seeds, "runs to average over")->capture_default_str();
  app.add_option("--plot", with->plot, "write a plot, by P, to this SVG file");
  app.add_option("--y", with->y, "the column to plot; by default the first");
  app.add_option("--title", with->title, "the plot's title");
  app.add_flag("--json", with->table.json, "print JSON");
  app.footer(
      "Examples:\n  heist sim compare fib:20 uts:500 -p 2..1024 --vary steal=one,half\n"
      "  heist sim compare chain:300 -p 16,256 --vary resize=oblivious,adaptive --vary yield=none,random,all "
      "--columns P_A,T,c");
  app.callback([with, &chosen] { chosen = [with] { return run_compare(*with); }; });
}

}  // namespace heist::cli

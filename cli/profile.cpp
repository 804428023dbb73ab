// heist profile: runs a program and says what its work and span came to.

#include <cli/command.hpp>
#include <cli/page.hpp>
#include <cli/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace heist::cli {
namespace {

using nlohmann::json;

struct settings {
  program what;
  std::string to, page, unit = "time";
  bool json = false;
};

std::string amount(double n, const std::string& unit) {
  if (unit != "ns") return fmt::format("{:.0f} strands", n);
  if (n < 1e3) return fmt::format("{:.0f} ns", n);
  if (n < 1e6) return fmt::format("{:.2f} us", n / 1e3);
  if (n < 1e9) return fmt::format("{:.2f} ms", n / 1e6);
  return fmt::format("{:.2f} s", n / 1e9);
}

double ratio(double work, double span) { return span > 0 ? work / span : 1; }

void print(const json& p) {
  const std::string unit = p.at("unit");
  const double work = p.at("work"), span = p.at("span"), burdened = p.at("burdened_span");
  const auto text = [&](const char* name) { return p.at(name).get<std::string>(); };
  const auto processors = p.at("processors").get<unsigned>();
  fmt::print("heist profile of {}\n  {}, heist {}, {}{}{} processor{}, {}\n", text("program"), text("started"),
             text("heist"), text("cpu"), text("cpu").empty() ? "" : ", ", processors, processors == 1 ? "" : "s",
             text("system"));
  fmt::print("  {:<16}{:>14}\n", "work T1", amount(work, unit));
  fmt::print("  {:<16}{:>14}   parallelism {:.1f}\n", "span Tinf", amount(span, unit), ratio(work, span));
  fmt::print("  {:<16}{:>14}   parallelism {:.1f}, a steal costing {}\n", "burdened span", amount(burdened, unit),
             ratio(work, burdened), amount(p.at("burden"), unit));
  const auto count = [&](const char* name) { return p.at(name).get<std::uint64_t>(); };
  fmt::print("  forks {}, steals {} of {} attempts, suspends {}\n", count("forks"), count("steals"),
             count("steal_attempts"), count("suspends"));
  fmt::print("  peak of all stacks {} KiB", count("stack_bytes_peak") / 1024);
  if (p.contains("serial_space")) fmt::print(", serial space {} KiB", count("serial_space") / 1024);
  fmt::print("\n");
  std::vector<double> busy;
  for (const json& w : p.at("workers"))
    if (w.at("busy") > 0) busy.push_back(w.at("busy"));
  if (!busy.empty()) {
    const auto [least, most] = std::minmax_element(busy.begin(), busy.end());
    fmt::print("  {} workers ran something: busy {} to {}\n", busy.size(), amount(*least, "ns"), amount(*most, "ns"));
  }
  fmt::print("\n  {:>7}   speed-up to be expected\n", "workers");
  for (const json& s : p.value("speedup", json::array()))
    fmt::print("  {:>7}   {:.2f} to {:.2f}\n", s.at("workers").get<unsigned>(), s.at("least").get<double>(),
               s.at("most").get<double>());
  if (p.at("regions").empty()) return;
  fmt::print("\n  {:<28}{:>8}{:>14}{:>14}{:>13}\n", "region", "times", "work", "span", "parallelism");
  for (const json& r : p.at("regions"))
    fmt::print("  {:<28}{:>8}{:>14}{:>14}{:>13.1f}\n", r.at("name").get<std::string>(),
               r.at("times").get<std::uint64_t>(), amount(r.at("work"), unit), amount(r.at("span"), unit),
               ratio(r.at("work"), r.at("span")));
}

int profile(const settings& with) {
  new_file file(with.to.empty() ? (std::filesystem::temp_directory_path() / "heist.profile").string() : with.to);
  const int status = with.what.run({{"HEIST_PROFILE", "json:" + file.draft()}, {"HEIST_PROFILE_UNIT", with.unit}},
                                   with.json ? program::output::to_stderr : program::output::own);
  if (!file.written()) {
    fmt::print(stderr, "heist: {}\n", with.what.silence(status, "profile"));
    return status != 0 ? status : bad_usage;
  }
  std::vector<run_file> read{read_run_file(file.draft())};
  const json& p = read[0].json;
  if (!with.to.empty()) {
    file.write(p.dump(1) + "\n");
    file.keep();
  }
  if (!with.page.empty()) {
    new_file page(with.page);
    page.write(make_page(read, ""));
    page.keep();
  }
  if (with.json)
    fmt::print("{}\n", p.dump(1));
  else
    print(p);
  return status;
}

}  // namespace

void add_profile(CLI::App& heist, action& chosen) {
  CLI::App& app =
      *heist.add_subcommand("profile", "Run a program and tell its work, its span and the speed-up to expect");
  auto with = std::make_shared<settings>();
  with->what.add_to(app);
  app.add_option("-o,--output", with->to, "keep the profile, as JSON");
  app.add_option("--html", with->page, "make the report page, too");
  app.add_option("--unit", with->unit, "count time, or strands: the same on every schedule")
      ->check(CLI::IsMember({"time", "strand"}))
      ->capture_default_str();
  app.add_flag("--json", with->json, "print JSON; the program's own output goes to stderr");
  app.footer(
      "Exit code: the program's own, 128 + n if signal n killed it; 2 if there is nothing to show.\n"
      "Examples:\n  heist profile -- ./sort 1000000\n  heist profile --json -- ./sort 1000000 | jq .span\n"
      "  heist profile -o sort.json --html sort.html -- ./sort 1000000");
  app.callback([with, &chosen] { chosen = [with] { return profile(*with); }; });
}

}  // namespace heist::cli

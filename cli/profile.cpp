// heist profile: runs a program and says what its work and span came to.

#include <cli/command.hpp>
#include <cli/page.hpp>
#include <cli/profiled.hpp>
#include <cli/program.hpp>
#include <cli/progress.hpp>

#include <heist/measure/report.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace heist::cli {
namespace {

using nlohmann::json;

struct profile_settings {
  program what;
  std::string to, page, unit = "time";
  unsigned runs = 1;
  bool json = false;
};

void tell_choice(const profiled& all) {
  std::string apart;
  if (constexpr double tenth = 1.1; all.spread() > tenth)
    apart = fmt::format("; the longest span was {:.3g} times as long", all.spread());
  fmt::print(stderr, "heist: kept run {} of {}, the one with the least span{}\n", all.number + 1, all.spans.size(),
             apart);
}

profiled run(const profile_settings& with) {
  std::optional<progress> bar;
  if (with.runs > 1) bar.emplace(with.what.words[0], with.runs);
  return profile_several(with.what, {{"HEIST_PROFILE_UNIT", with.unit}},
                         with.json ? program::output::to_stderr : program::output::own, {.most = with.runs}, [&] {
                           if (bar) bar->step();
                         });
}

int profile(const profile_settings& with) {
  std::optional<new_file> file;
  if (!with.to.empty()) file.emplace(with.to);
  profiled all = run(with);
  if (!all.kept) return with.what.left_nothing(all.how, "profile");
  const int status = with.what.tell(all.how);
  if (with.runs > 1 && status == 0) tell_choice(all);
  const std::vector<run_file> read{std::move(*all.kept)};
  const json& p = read[0].json;
  if (file) {
    file->write(p.dump(1) + "\n");
    file->keep();
  }
  if (!with.page.empty()) {
    new_file page(with.page);
    page.write(make_page(read, ""));
    page.keep();
  }
  if (with.json) {
    for (const detail::doubt& d : detail::doubts(read[0].measured))
      fmt::print(stderr, "heist: {}; {}; {}\n", d.seen, d.figures, d.remedy);
    fmt::print("{}\n", p.dump(1));
  } else
    fmt::print("{}", detail::as_text(read[0].measured, read[0].from));
  return status;
}

}  // namespace

void add_profile(CLI::App& heist, action& chosen) {
  CLI::App& app =
      *heist.add_subcommand("profile", "Run a program; print its work, its span and the speed-up to expect");
  auto with = std::make_shared<profile_settings>();
  with->what.add_to(app);
  app.add_option("-o,--output", with->to, "save the profile to this file, as JSON");
  app.add_option("--html", with->page, "also write the report page to this file");
  app.add_option("--runs", with->runs, "run the program this many times and keep the profile with the least span")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option(
         "--unit", with->unit,
         "time, or strand: counts strands, which gives the same figures on every schedule, except for loops and "
         "algorithms, which split by time")
      ->check(CLI::IsMember({"time", "strand"}))
      ->capture_default_str();
  app.add_flag("--json", with->json, "print JSON; the program's own output goes to stderr");
  app.footer(
      "Exit code: that of the program, or 128 + n if signal n killed it; 2 if there is no profile to show.\n"
      "Examples:\n  heist profile -- ./sort 1000000\n  heist profile --runs 5 -- ./sort 1000000\n  heist profile "
      "--json -- ./sort 1000000 | jq .span\n"
      "  heist profile -o sort.json --html sort.html -- ./sort 1000000");
  app.callback([with, &chosen] { chosen = [with] { return profile(*with); }; });
}

}  // namespace heist::cli

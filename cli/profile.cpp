// heist profile: runs a program and says what its work and span came to.

#include <cli/command.hpp>
#include <cli/page.hpp>
#include <cli/program.hpp>

#include <heist/meter/report.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace heist::cli {
namespace {

using nlohmann::json;

struct profile_settings {
  program what;
  std::string to, page, unit = "time";
  bool json = false;
};

int profile(const profile_settings& with) {
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
    fmt::print("{}", detail::as_text(read[0].measured, read[0].from));
  return status;
}

}  // namespace

void add_profile(CLI::App& heist, action& chosen) {
  CLI::App& app =
      *heist.add_subcommand("profile", "Run a program and tell its work, its span and the speed-up to expect");
  auto with = std::make_shared<profile_settings>();
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

// heist record: runs a program and writes down its computation, for heist sim predict.

#include <cli/command.hpp>
#include <cli/program.hpp>

#include <analysis/replay/recorded.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace heist::cli {
namespace {

struct record_settings {
  program what;
  std::string to = "heist.recording";
  unsigned grain = 1000;
  bool json = false;
};

int record(const record_settings& with) {
  new_file file(with.to);
  const ended how = with.what.run({{"HEIST_RECORD", file.draft()}, {"HEIST_RECORD_GRAIN", std::to_string(with.grain)}},
                                   with.json ? program::output::to_stderr : program::output::own);
  if (!file.written()) return with.what.left_nothing(how, "recording");
  const int status = with.what.tell(how);
  const analysis::recorded_run run = analysis::read_recording(file.draft());
  file.keep();
  if (with.json) {
    const nlohmann::json summary = {{"file", with.to},
                                    {"work", run.work},
                                    {"span", run.span},
                                    {"forks", run.all_forks},
                                    {"steps", run.steps.size()}};
    fmt::print("{}\n", summary.dump(1));
    return status;
  }
  fmt::print("heist record: work {:.6g} ms, span {:.4g} ms, {} forks, {} steps in {}\n", run.work / 1e6, run.span / 1e6,
             run.all_forks, run.steps.size(), with.to);
  fmt::print("to predict how it runs on more workers: heist sim predict {}\n", with.to);
  return status;
}

}  // namespace

void add_record(CLI::App& heist, action& chosen) {
  CLI::App& app = *heist.add_subcommand("record", "Run a program; record its computation, to predict its speed-up");
  auto with = std::make_shared<record_settings>();
  with->what.add_to(app);
  app.add_option("-o,--output", with->to, "write the recording to this file")->capture_default_str();
  app.add_option("--grain", with->grain, "parts that take less than this, in ns, are recorded as one")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
  app.add_flag("--json", with->json, "print JSON; the program's own output goes to stderr");
  app.footer(
      "Exit code: that of the program, or 128 + n if signal n killed it; 2 if there is no recording to keep.\n"
      "Examples:\n"
      "  heist record --workers 1 -- ./program\n"
      "  heist sim predict heist.recording");
  app.callback([with, &chosen] { chosen = [with] { return record(*with); }; });
}

}  // namespace heist::cli

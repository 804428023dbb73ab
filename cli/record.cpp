// heist record: runs a program and writes down its computation, for heist sim.

#include <cli/command.hpp>
#include <cli/computation_option.hpp>
#include <cli/plain_runs.hpp>
#include <cli/program.hpp>
#include <cli/record_compare.hpp>

#include <analysis/cache/address_file.hpp>
#include <analysis/dag/error.hpp>
#include <analysis/dag/io.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/replay/recorded.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

namespace heist::cli {
namespace {

struct record_settings {
  program what;
  std::string to;
  std::string drawing;
  std::uint64_t threads = 40;  // in the drawing
  unsigned grain = 1000;
  std::optional<unsigned> plain;  // runs; by default some
  bool json = false, compare = false, addresses = false;
  std::uint64_t sample = 1;
  compare_settings comparison;
};

bool in_path(const std::string& command) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + command).c_str(), X_OK) == 0) return true;
  return false;
}

// The computation as a drawing: SVG by Graphviz, or its input. What cannot be drawn is refused before the program runs.
class drawing {
 public:
  drawing(const std::string& to, std::uint64_t threads) : to_(to), threads_(threads), file_(to) {
    if (!to.ends_with(".svg") && !to.ends_with(".dot"))
      throw analysis::bad_input(fmt::format("{} is no name for a drawing: it must end in .svg or .dot", to));
    if (to.ends_with(".svg") && !in_path("dot"))
      throw analysis::bad_input(
          fmt::format("{} cannot be drawn without Graphviz: install it, or give a name that ends in .dot", to));
  }

  void draw(const std::string& recording) {
    computation_option of;
    of.threads = threads_;
    of.step = computation_option::finest;
    const opened_computation opened = of.open(recording);
    const std::string text = analysis::to_graphviz(
        analysis::expand(*opened.what), {.critical_path = true, .ns_per_instruction = opened.ns_per_step});
    if (to_.ends_with(".svg"))
      draw_by_graphviz(text);
    else
      file_.write(text);
    file_.keep();
  }

 private:
  void draw_by_graphviz(const std::string& text) const {
    const std::string input = file_.draft() + ".dot";
    std::ofstream(input) << text;
    program graphviz;
    graphviz.words = {"dot", "-Tsvg", "-o", file_.draft(), input};
    const int status = graphviz.run({}, program::output::own).status;
    std::filesystem::remove(input);
    if (status != 0) throw analysis::bad_input(fmt::format("{} cannot be drawn: Graphviz failed", to_));
  }

  std::string to_;
  std::uint64_t threads_;
  new_file file_;
};

ended run_recorded(const record_settings& with, const std::string& to, const program& what, program::output where) {
  return what.run({{"HEIST_RECORD", to}, {"HEIST_RECORD_GRAIN", std::to_string(with.grain)}}, where);
}

// Records it once more, and keeps what has less work: other programs disturbed that one less.
void record_again(const record_settings& with, const std::string& recording, int status) {
  constexpr std::uintmax_t most_bytes = 1u << 26;
  std::error_code none;
  if (std::filesystem::file_size(recording, none) > most_bytes) return;
  program quiet = with.what;
  quiet.output_file = "/dev/null";
  const new_file other(recording + ".again");
  if (run_recorded(with, other.draft(), quiet, program::output::to_file).status != status || !other.written()) return;
  if (analysis::read_recording(other.draft()).work < analysis::read_recording(recording).work)
    std::filesystem::rename(other.draft(), recording);
}

// Runs it again without recording: strands need not be charged for that, and it shows how far runs are apart.
void compare_with_plain_runs(const record_settings& with, const std::string& recording, int status,
                             const input_again& input) {
  plain_plan plan;
  if (with.plain) plan.least = plan.most = *with.plain;
  if (plan.most == 0 || program::was_told_to_end()) return;
  const std::string often = with.plain ? std::to_string(*with.plain) : fmt::format("{} to {}", plan.least, plan.most);
  fmt::print(stderr, "heist record: {} runs {} again, in turn without being recorded and recorded; its output is dropped\n",
             with.what.words[0], often == "1" ? "once" : often + " times");
  const plain_times plain = run_plain(with.what, status, plan, input, [&] { record_again(with, recording, status); });
  if (!plain.missing.empty() && (with.plain || recorder_shows(analysis::read_recording(recording))))
    fmt::print(stderr, "heist record: work includes the cost of recording, since {}\n", plain.missing);
  if (!plain.ns.empty()) analysis::add_plain_times(recording, plain.ns);
}

// The program is built for races, and runs serially; what it touches is written down instead of judged.
int record_addresses(const record_settings& with) {
  const std::string to = with.to.empty() ? "heist.addresses" : with.to;
  new_file file(to);
  const std::string asked =
      fmt::format("addresses={}\nsample={}", std::filesystem::absolute(file.draft()).string(), with.sample);
  const ended how =
      with.what.run({{"HEIST_RACE", asked}}, with.json ? program::output::to_stderr : program::output::own);
  if (!file.written()) {
    if (how.status == 127 || how.signal != 0 || how.status == 70)
      return with.what.left_nothing(how, "file of addresses");
    fmt::print(
        stderr,
        "heist: {} was not built to look for races: build it with heist_race(target) in CMake, or with pkg-config "
        "heist-race\n",
        with.what.words[0]);
    return how.status != 0 ? how.status : bad_usage;
  }
  const int status = with.what.tell(how);
  const auto trace = analysis::read_addresses(file.draft());
  file.keep();
  const std::size_t threads = trace->stored()->threads.size();
  if (with.json) {
    const nlohmann::json summary = {
        {"file", to}, {"accesses", trace->touches()}, {"threads", threads}, {"sample", with.sample}};
    fmt::print("{}\n", summary.dump(1));
    return status;
  }
  fmt::print("heist record: {} accesses{} in {} threads in {}\n", trace->touches(),
             with.sample > 1 ? fmt::format(" (to one block in {})", with.sample) : "", threads, to);
  fmt::print("to see the misses of processors with caches: heist sim cache {}\n", to);
  return status;
}

int record(const record_settings& given) {
  if (given.addresses) return record_addresses(given);
  record_settings with = given;
  if (with.to.empty()) with.to = "heist.recording";
  if (with.compare) return compare_runs(with.what, {with.comparison.runs, with.json});
  std::optional<drawing> picture;
  if (!with.drawing.empty()) picture.emplace(with.drawing, with.threads);
  new_file file(with.to);
  const input_again input;
  const ended how =
      run_recorded(with, file.draft(), with.what, with.json ? program::output::to_stderr : program::output::own);
  if (!file.written()) return with.what.left_nothing(how, "recording");
  const int status = with.what.tell(how);
  compare_with_plain_runs(with, file.draft(), status, input);
  const analysis::recorded_run run = analysis::read_recording(file.draft());
  file.keep();
  if (picture) picture->draw(with.to);
  if (with.json) {
    const nlohmann::json summary = {{"file", with.to},
                                    {"work", run.work},
                                    {"span", run.span},
                                    {"forks", run.all_forks},
                                    {"plain_ns", run.plain},
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
  CLI::App& app =
      *heist.add_subcommand("record", "Run a program; record its computation, to draw it, to predict its speed-up");
  auto with = std::make_shared<record_settings>();
  with->what.add_to(app);
  app.add_option("-o,--output", with->to, "write the recording to this file")->default_str("heist.recording");
  app.add_option("--grain", with->grain, "parts that take less than this, in ns, are recorded as one")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
  app.add_option("--plain", with->plain,
                 "run it again this often on one worker without recording it, so that the cost of recording is not "
                 "counted; by default 3 to 20 times, as fits into a second")
      ->check(CLI::Range(0, 1000));
  app.add_option("--draw", with->drawing,
                 "draw the computation, with its span marked: a file that ends in .svg (by Graphviz), or in .dot");
  app.add_option("--threads", with->threads, "threads in the drawing; smaller ones become part of a strand")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  CLI::Option* const compare =
      app.add_flag("--compare", with->compare,
                   "instead, run it on one worker and then on several; say whether computation, output and exit status "
                   "depend on the schedule (exit code 1)");
  for (const char* const other : {"--output", "--grain", "--plain", "--draw", "--threads"})
    compare->excludes(app.get_option(other));
  app.add_option("--runs", with->comparison.runs, "with --compare: runs on several workers")
      ->needs(compare)
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  CLI::Option* const addresses = app.add_flag("--addresses", with->addresses,
                                              "record which memory a program built for races touches, for heist sim "
                                              "cache; the default file is heist.addresses");
  for (const char* const other : {"--grain", "--plain", "--draw", "--threads", "--compare", "--runs"})
    addresses->excludes(app.get_option(other));
  app.add_option("--sample", with->sample, "with --addresses: record one block of 64 bytes in so many")
      ->needs(addresses)
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_flag("--json", with->json, "print JSON; the program's own output goes to stderr");
  app.footer(
      "Exit code: that of the program, or 128 + n if signal n killed it; 2 if there is no recording to keep.\n"
      "Examples:\n"
      "  heist record --workers 1 -- ./program\n"
      "  heist record --draw dag.svg -- ./program\n"
      "  heist record --compare -- ./program\n"
      "  heist record --addresses --sample 16 -- ./program-race\n"
      "  heist sim predict heist.recording");
  app.callback([with, &chosen] { chosen = [with] { return record(*with); }; });
}

}  // namespace heist::cli

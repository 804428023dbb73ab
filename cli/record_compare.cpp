#include <cli/command.hpp>
#include <cli/record_compare.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/replay/recorded.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace heist::cli {
namespace {

using namespace analysis;
using kind = recorded_step::kind;

const char* const names[] = {"strand",
                             "fork",
                             "second branch",
                             "join",
                             "child",
                             "end of a child",
                             "spawn_later",
                             "child of spawn_later",
                             "end of such a child",
                             "sync"};

// A folder that goes away.
class scratch {
 public:
  scratch() : path_((std::filesystem::temp_directory_path() / "heist.XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw bad_input(path_ + " cannot be made");
  }
  ~scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// What is to be the same: not how long strands took, nor whether one was too short for the clock to see.
struct one_run {
  unsigned workers, seed;
  int status;
  std::string output;
  std::vector<recorded_step> steps;
  double work, span;
};

std::string text_of(const std::string& file) {
  std::ifstream from(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

// Loops split by count, for how long their elements take is never the same.
std::optional<one_run> run_once(program what, unsigned workers, unsigned seed, const scratch& folder, int& code) {
  what.workers = workers;
  const std::string recording = folder.file("recording"), output = folder.file("output");
  what.output_file = output;
  std::filesystem::remove(recording);
  const ended how = what.run({{"HEIST_RECORD", recording},
                              {"HEIST_RECORD_GRAIN", "0"},
                              {"HEIST_RECORD_LOOPS", "count"},
                              {"HEIST_SEED", std::to_string(seed)}},
                             program::output::to_file);
  if (!std::filesystem::exists(recording) || std::filesystem::file_size(recording) == 0) {
    code = what.left_nothing(how, "recording");
    return {};
  }
  recorded_run run = read_recording(recording);
  std::erase_if(run.steps, [](const recorded_step& s) { return s.what == kind::strand; });
  return one_run{workers, seed, how.status, text_of(output), std::move(run.steps), run.work, run.span};
}

// Forks and scopes are numbered in serial order, so that equal computations have equal numbers.
std::string difference(const std::vector<recorded_step>& a, const std::vector<recorded_step>& b) {
  const auto same = [](const recorded_step& x, const recorded_step& y) {
    return x.what == y.what && x.number == y.number;
  };
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same);
  if (x == a.end() && y == b.end()) return "";
  const auto named = [](auto at, auto end) {
    return at == end ? std::string("the end") : std::string(names[static_cast<std::size_t>(at->what)]);
  };
  return fmt::format("step {} of {} is \"{}\", and \"{}\" of {}", x - a.begin() + 1, a.size(), named(x, a.end()),
                     named(y, b.end()), b.size());
}

std::string first_line(const std::string& a, const std::string& b) {
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return fmt::format("line {}", std::count(a.begin(), x, '\n') + 1);
}

}  // namespace

int compare_runs(const program& what, const compare_settings& with) {
  const unsigned most = what.workers > 1 ? what.workers : std::max(4u, std::thread::hardware_concurrency());
  const scratch folder;
  std::vector<one_run> runs;
  for (unsigned i = 0; i <= with.runs && !program::was_told_to_end(); ++i) {
    int code = 0;
    auto run = run_once(what, i == 0 ? 1 : std::max(2u, most >> (i - 1) % 2), i, folder, code);
    if (!run) return code;
    runs.push_back(std::move(*run));
  }
  bool same_dag = true, same_output = true, same_status = true;
  std::string how;  // they differ
  const one_run& first = runs[0];
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const one_run& r = runs[i];
    const std::string at = difference(first.steps, r.steps);
    if (!at.empty() && same_dag) how += fmt::format("computation, run {} on {} workers: {}\n", i + 1, r.workers, at);
    if (r.output != first.output && same_output)
      how += fmt::format("output, run {} on {} workers: from {} on\n", i + 1, r.workers,
                         first_line(first.output, r.output));
    if (r.status != first.status && same_status)
      how += fmt::format("exit status, run {} on {} workers: {} instead of {}\n", i + 1, r.workers, r.status,
                         first.status);
    same_dag = same_dag && at.empty();
    same_output = same_output && r.output == first.output;
    same_status = same_status && r.status == first.status;
  }
  const bool same = same_dag && same_output && same_status;
  if (with.json) {
    nlohmann::json json = {{"same_computation", same_dag},
                           {"same_output", same_output},
                           {"same_status", same_status},
                           {"differences", how}};
    for (const one_run& r : runs)
      json["runs"].push_back({{"workers", r.workers},
                              {"seed", r.seed},
                              {"status", r.status},
                              {"steps", r.steps.size()},
                              {"work", r.work},
                              {"span", r.span}});
    fmt::print("{}\n", json.dump(1));
    return same ? first.status : check_failed;
  }
  const auto verdict = [](bool is) { return is ? "the same in all runs" : "DIFFERENT: it depends on the schedule"; };
  fmt::print("{:<10}{:<10}{:<10}{:<10}{:<12}\n", "run", "workers", "seed", "status", "steps");
  for (std::size_t i = 0; i < runs.size(); ++i)
    fmt::print("{:<10}{:<10}{:<10}{:<10}{:<12}\n", i + 1, runs[i].workers, runs[i].seed, runs[i].status,
               runs[i].steps.size());
  fmt::print("computation  {}\noutput       {}\nexit status  {}\n{}", verdict(same_dag), verdict(same_output),
             verdict(same_status), how);
  return same ? first.status : check_failed;
}

}  // namespace heist::cli

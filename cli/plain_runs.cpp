#include <cli/plain_runs.hpp>
#include <cli/run_file.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace heist::cli {

input_again::input_again() {
  struct stat seen {};
  if (::fstat(STDIN_FILENO, &seen) != 0) return;
  if (S_ISREG(seen.st_mode)) {
    what_ = kind::file;
    at_ = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  } else if (S_ISFIFO(seen.st_mode) || S_ISSOCK(seen.st_mode)) {
    what_ = kind::pipe;
  }
}

// A pipe that is empty, and that somebody can still write to, cannot have told the program anything: it would wait.
bool input_again::rewind() const {
  if (what_ == kind::file) return ::lseek(STDIN_FILENO, at_, SEEK_SET) == at_;
  if (what_ == kind::other) return true;
  pollfd state{STDIN_FILENO, POLLIN, 0};
  return ::poll(&state, 1, 0) == 0;
}

bool recorder_shows(const analysis::recorded_run& run) {
  constexpr double recording_a_fork = 100, part = 0.02;
  return static_cast<double>(run.all_forks) * recording_a_fork > part * run.work;
}

namespace {

// A trace of one worker says how long it was busy, and costs nothing where nothing is stolen.
double busy_time(const std::string& trace) {
  double us = 0;
  for (const trace_summary::lane& l : read_run_file(trace).summary.lanes) us += l.busy;
  return us * 1e3;
}

}  // namespace

plain_times run_plain(program what, int status, plain_plan plan, const input_again& input,
                      const std::function<void()>& between) {
  plain_times all;
  what.workers = 1;
  what.output_file = "/dev/null";
  new_file trace((std::filesystem::temp_directory_path() / fmt::format("heist.plain.{}", ::getpid())).string());
  const auto began = std::chrono::steady_clock::now();
  const auto late = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() > plan.seconds;
  };
  const auto enough = [&](unsigned runs) { return runs >= plan.most || (runs >= plan.least && late()); };
  for (unsigned i = 0; !enough(i) && !program::was_told_to_end(); ++i) {
    if (!input.rewind()) return {{}, "what it read from a pipe cannot be read again"};
    const ended how = what.run({{"HEIST_TRACE", trace.draft()}, {"HEIST_RECORD", ""}}, program::output::to_file);
    if (how.status != status) return {{}, fmt::format("it ended with exit status {} then", how.status)};
    if (const run_file left = read_run_file(trace.draft()); left.summary.workers != 1 || left.summary.steals > 0)
      return {{}, "it does not leave the number of workers to HEIST_WORKERS"};
    // Where others had the core for a while, the processor time says more.
    const double busy = busy_time(trace.draft()), most = how.lost_cores > 0 ? how.seconds * 1e9 : busy;
    if (busy > 0 && most > 0) all.ns.push_back(std::min(busy, most));
    if (!late() && !program::was_told_to_end() && input.rewind()) between();
  }
  if (all.ns.empty()) all.missing = "no time was measured";
  return all;
}

}  // namespace heist::cli

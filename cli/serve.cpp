// heist serve: makes this machine a helper of a cluster's job.

#include <cli/command.hpp>
#include <cli/program.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace heist::cli {
namespace {

using analysis::bad_input;
namespace fs = std::filesystem;

struct serve_settings {
  program what;
  std::string cluster;
  bool drain = false;
};

// The helpers of this user on this machine: one empty file each, named after the process.
fs::path list_of_helpers() {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  return runtime != nullptr && *runtime != 0 ? fs::path(runtime) / "heist-serve"
                                             : fs::temp_directory_path() / fmt::format("heist-serve-{}", ::getuid());
}

// In that list while it lives.
class listed {
 public:
  listed() {
    std::error_code none;
    const fs::path folder = list_of_helpers();
    fs::create_directories(folder, none);
    fs::permissions(folder, fs::perms::owner_all, none);
    std::ofstream(file_ = folder / std::to_string(::getpid())).flush();  // it serves, listed or not
  }
  ~listed() {
    std::error_code none;
    fs::remove(file_, none);
  }
  listed(const listed&) = delete;
  listed& operator=(const listed&) = delete;

 private:
  fs::path file_;
};

// Whether the process is a `heist serve` of this user: numbers are used again.
bool serves(pid_t process) {
  struct stat whose{};
  const std::string folder = fmt::format("/proc/{}", process);
  if (::stat(folder.c_str(), &whose) != 0 || whose.st_uid != ::getuid()) return false;
  std::ifstream in(folder + "/cmdline");
  std::string words(std::istreambuf_iterator<char>(in), {});
  return words.find(std::string("\0serve\0", 7)) != std::string::npos;
}

int drain_all() {
  std::vector<pid_t> asked;
  std::error_code none;
  for (const auto& each : fs::directory_iterator(list_of_helpers(), none)) {
    const pid_t process = static_cast<pid_t>(std::atol(each.path().filename().c_str()));
    if (process <= 0 || process == ::getpid()) continue;
    if (serves(process) && ::kill(process, SIGTERM) == 0)
      asked.push_back(process);
    else
      fs::remove(each.path(), none);
  }
  if (asked.empty()) {
    fmt::print("no helper runs here\n");
    return ok;
  }
  fmt::print("{} helper{} leave{} when what {} borrowed is done\n", asked.size(), asked.size() == 1 ? "" : "s",
             asked.size() == 1 ? "s" : "", asked.size() == 1 ? "it has" : "they have");
  std::fflush(stdout);
  for (const pid_t process : asked)
    while (serves(process)) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  fmt::print("done\n");
  return ok;
}

int serve(const serve_settings& with) {
  if (with.drain) return drain_all();
  if (with.what.words.empty()) throw bad_input("no program; write: heist serve -- ./program arguments");
  std::vector<std::pair<std::string, std::string>> variables = {{"HEIST_CLUSTER_ROLE", "helper"}};
  if (!with.cluster.empty())
    variables.emplace_back("HEIST_CLUSTER", with.cluster);
  else if (const char* const set = std::getenv("HEIST_CLUSTER"); set == nullptr || *set == 0)
    throw bad_input("which cluster? set HEIST_CLUSTER, or pass --cluster, to the line that heist cluster up prints");
  const listed here;
  program::pass_signals_on();
  return with.what.tell(with.what.run(variables, program::output::own));
}

}  // namespace

void add_serve(CLI::App& heist, action& chosen) {
  const auto with = std::make_shared<serve_settings>();
  CLI::App* const app = heist.add_subcommand(
      "serve",
      "Run a program as a helper: this machine works for the driver of the job, until the job ends. The program is the same "
      "build as the driver's. SIGTERM lets the helper leave without losing work; a second one makes it leave at once.");
  app->add_option("program", with->what.words, "the program and its arguments, after --");
  app->add_option("-w,--workers", with->what.workers, "the number of workers (HEIST_WORKERS)")->check(CLI::Range(1, 4096));
  app->add_option("--cluster", with->cluster, "nats://user:password@host:port/job (HEIST_CLUSTER)");
  app->add_flag("--drain", with->drain, "Ask all helpers of this user on this machine to leave, and wait until they have");
  app->footer("Examples:\n  heist serve --cluster nats://job:PASSWORD@host:4222/job -- ./program 17\n  heist serve --drain");
  app->callback([with, &chosen] { chosen = [with] { return serve(*with); }; });
}

}  // namespace heist::cli

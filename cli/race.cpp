// heist race: runs a program that was built to look for races, and says what it found.

#include <cli/command.hpp>
#include <cli/program.hpp>
#include <cli/race_page.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace heist::cli {
namespace {

struct race_settings {
  program what;
  std::string page, suppress;
  bool determinacy = false, data = false, first = false, json = false, stacks = false, reversed = false;
};

std::string absolute(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).string();
}

// What the program reads in HEIST_RACE: analysis/race/settings.hpp.
std::string asked(const race_settings& with, const std::string& report) {
  std::string all = "json=" + report;
  if (with.determinacy) all += "\ndeterminacy";
  if (with.first) all += "\nfirst";
  if (with.reversed) all += "\nreversed";
  if (!with.suppress.empty()) all += "\nsuppress=" + absolute(with.suppress);
  return all;
}

nlohmann::json read_report(const std::string& path) {
  std::ifstream in(path);
  try {
    return nlohmann::json::parse(in);
  } catch (const nlohmann::json::exception&) {
    throw analysis::bad_input("the program's report of races cannot be read");
  }
}

// The program is run twice: what it reads is kept for the second time.
class kept_input {
 public:
  kept_input() {
    if (::isatty(STDIN_FILENO) != 0) return;
    file_ = std::tmpfile();
    if (file_ == nullptr) throw analysis::bad_input("there is no room for a copy of the program's input");
    char buffer[1 << 16];
    for (ssize_t n; (n = ::read(STDIN_FILENO, buffer, sizeof buffer)) > 0;)
      if (std::fwrite(buffer, 1, static_cast<std::size_t>(n), file_) != static_cast<std::size_t>(n))
        throw analysis::bad_input("there is no room for a copy of the program's input");
    std::fflush(file_);
    rewind();
  }
  ~kept_input() {
    if (file_ != nullptr) std::fclose(file_);
  }
  kept_input(const kept_input&) = delete;
  kept_input& operator=(const kept_input&) = delete;

  void rewind() {
    if (file_ == nullptr) return;
    ::lseek(::fileno(file_), 0, SEEK_SET);
    ::dup2(::fileno(file_), STDIN_FILENO);
  }

 private:
  std::FILE* file_ = nullptr;
};

// What the second run looks at: where the first access of each pair was.
std::string watched(const nlohmann::json& report) {
  std::ostringstream all;
  for (const auto& r : report.at("races"))
    all << r.at("address").get<std::string>() << ' ' << r.at("first").at("code").get<std::string>() << '\n';
  return all.str();
}

// The program runs on its main thread's stack, and instrumented frames are larger than others, up to four times.
void let_stacks_be_deeper() {
  rlimit stack;
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur > stack.rlim_max / 4) return;
  stack.rlim_cur *= 4;
  ::setrlimit(RLIMIT_STACK, &stack);
}

int race(const race_settings& with) {
  if (with.determinacy && with.data)
    throw analysis::bad_input("--data and --determinacy are two questions; ask one of them");
  if (!with.suppress.empty() && !std::ifstream(with.suppress))
    throw analysis::bad_input(fmt::format("{} cannot be read", with.suppress));
  new_file report((std::filesystem::temp_directory_path() / fmt::format("heist-race-{}.json", ::getpid())).string());
  std::unique_ptr<kept_input> input;
  std::unique_ptr<new_file> places;
  std::string settings = asked(with, report.draft());
  if (with.stacks) {
    // Empty in the first run. Both runs have the same variables: the stack begins where these end.
    places = std::make_unique<new_file>((std::filesystem::temp_directory_path() / fmt::format("heist-race-{}.watch", ::getpid())).string());
    settings += "\nwatch=" + places->draft();
    input = std::make_unique<kept_input>();
    // The same addresses both times.
    ::personality(static_cast<unsigned long>(::personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
  }
  if (with.json) settings += "\nquiet";
  let_stacks_be_deeper();
  ended how = with.what.run({{"HEIST_RACE", settings}}, with.json ? program::output::to_stderr : program::output::own);
  if (!report.written()) {
    if (how.status == 127 || how.signal != 0 || how.status == 70) return with.what.left_nothing(how, "report of races");
    fmt::print(stderr,
               "heist: {} was not built to look for races: build it with heist_race(target) in CMake, or with pkg-config "
               "heist-race\n",
               with.what.words[0]);
    return how.status != 0 ? how.status : bad_usage;
  }
  nlohmann::json found = read_report(report.draft());
  if (with.stacks && !found.at("races").empty()) {
    fmt::print(stderr, "heist: running it again to see the calls of the first accesses; its output is dropped this time\n");
    places->write(watched(found));
    input->rewind();
    std::fflush(stdout);
    const int own = ::dup(STDOUT_FILENO), nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    how = with.what.run({{"HEIST_RACE", settings}},
                        program::output::own);
    ::dup2(own, STDOUT_FILENO);
    ::close(own);
    ::close(nowhere);
    found = read_report(report.draft());
  }
  if (with.json) fmt::print("{}\n", found.dump(1));
  if (!with.page.empty()) {
    new_file page(with.page);
    page.write(race_page(found, with.what.words));
    page.keep();
  }
  if (how.signal != 0) return with.what.tell(how);
  // A program that became another one (exec) ends with that one's status.
  return how.status == 0 && !found.at("races").empty() ? 66 : how.status;
}

}  // namespace

void add_race(CLI::App& heist, action& chosen) {
  CLI::App& app = *heist.add_subcommand("race", "Run a program built with heist_race(); list its races, whatever the schedule");
  auto with = std::make_shared<race_settings>();
  app.add_option("program", with->what.words, "the program and its arguments, after --")->required();
  app.add_flag("--data", with->data, "data races: accesses under a common lock, and atomic ones, are none (the default)");
  app.add_flag("--determinacy", with->determinacy, "determinacy races: locks and atomics do not help");
  app.add_flag("--first", with->first, "end the program at its first race");
  app.add_flag("--reversed", with->reversed, "run second branches first, and loops backwards");
  app.add_flag("--stacks", with->stacks,
               "show the calls of both accesses: runs the program a second time, which repeats its side effects");
  app.add_option("--suppress", with->suppress,
                 "do not report races that this file names: lines function:NAME, file:NAME, variable:NAME or NAME; * is "
                 "anything");
  app.add_flag("--json", with->json, "print the report as JSON; the program's own output goes to stderr");
  app.add_option("--html", with->page, "also write a page with the source lines to this file");
  app.footer(
      "Exit code: 66 if there are races; 65 if the program waits for something that comes later in serial order; 70 if it cannot "
      "be judged; else that of the program, or 128 + n if signal n killed it.\n"
      "Examples:\n  heist race -- ./sort-race 1000\n  heist race --html races.html -- ./sort-race 1000");
  app.callback([with, &chosen] { chosen = [with] { return race(*with); }; });
}

}  // namespace heist::cli

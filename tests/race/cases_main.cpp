// Runs all cases, or those whose name has the argument in it, in one process each, and compares what the detector says: the
// exit status of a case is 66 if and only if it has a race. With --determinacy as the first argument it asks for those.

#include "cases.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

std::vector<cases::one>& cases::all() {
  static auto& list = *new std::vector<one>;
  return list;
}

namespace {

int run_alone(const char* self, std::size_t number, bool determinacy, bool reversed) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::string how = "quiet";
    if (determinacy) how += "\ndeterminacy";
    if (reversed) how += "\nreversed";
    ::setenv("HEIST_RACE", how.c_str(), 1);
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::dup2(STDOUT_FILENO, STDERR_FILENO);
    const std::string text = std::to_string(number);
    ::execl("/proc/self/exe", self, "--case", text.c_str(), static_cast<char*>(nullptr));
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const auto& all = cases::all();
  if (argc == 3 && std::strcmp(argv[1], "--case") == 0) {
    all[std::strtoul(argv[2], nullptr, 10)].run();
    return 0;
  }
  const char* const only = argc > 1 ? argv[1] : "";
  int wrong = 0, seen = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::strstr(all[i].name, only) == nullptr) continue;
    for (const bool determinacy : {false, true})
      for (const bool reversed : {false, true}) {
        const bool racy = all[i].is == cases::verdict::race || (determinacy && all[i].is == cases::verdict::determinacy);
        const int wanted = racy ? 66 : 0, got = run_alone(argv[0], i, determinacy, reversed);
        ++seen;
        // Backwards, what a program waits for may come later; another branch may be the one that does not run; and memory may
        // be gone before it is read, as in a run on two workers: then the program crashes, after the race was found.
        if (got == wanted || (reversed && (got == 65 || std::strstr(all[i].name, "throws") != nullptr ||
                                           std::strstr(all[i].name, "flag") != nullptr ||
                                           std::strstr(all[i].name, "pipeline") != nullptr ||
                                           std::strstr(all[i].name, "backwards") != nullptr ||
                                           std::strstr(all[i].name, "grandchild") != nullptr ||
                                           (got == 139 && (std::strstr(all[i].name, "unmapped while") != nullptr ||
                                                           std::strstr(all[i].name, "destroyed while") != nullptr))))) continue;
        ++wrong;
        std::printf("%s%s%s: status %d, should be %d\n", all[i].name, determinacy ? ", determinacy" : "",
                    reversed ? ", reversed" : "", got, wanted);
      }
  }
  std::printf("%d verdicts over %zu cases, %d wrong\n", seen, all.size(), wrong);
  return wrong == 0 ? 0 : 1;
}

#pragma once
// Processes that the tests send to their end, and what they are told meanwhile.

#include "tests/pool/threads.hpp"
#include "tests/support.hpp"

#include <heist/base/sanitizer.hpp>

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>

namespace heist_test {

// In a process that may die, or may hang: no core, and an end.
inline void expendable() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::alarm(240);
}

// A join whose two branches run at once: another worker is up.
inline void need_a_thief() {
  std::atomic<int> here{0};
  auto meet = [&] {
    ++here;
    if (!eventually([&] { return here == 2; })) std::_Exit(9);
  };
  heist::join(meet, meet);
}

[[nodiscard]] inline bool threads_rest() {
  return eventually([] {
    for (const thread_seen& t : heist_threads())
      if (t.state != 'S') return false;
    return true;
  });
}

struct ending {
  int code = -1;     // of exit; -1: a signal ended it
  int signal = 0;    // 0: none did
  std::string said;  // on stderr
};

// It ended with one of the sentences that say there is no memory, whole. Another thread may have said something, too.
inline bool ended_for_want_of_memory(const ending& e) {
  constexpr const char* sentences[] = {
      "heist: no memory to enlarge a deque of jobs; the recursion is too deep, or the machine is short of memory\n",
      "heist: no memory to keep a strand's measurements and reducer views; the machine is short of memory\n",
      "heist: no memory to queue a job; there are too many children, or the machine is short of memory\n",
  };
  return e.signal == SIGABRT && std::any_of(std::begin(sentences), std::end(sentences),
                                            [&](const char* sentence) { return e.said.find(sentence) != std::string::npos; });
}

// Calls fork(). In the child it returns nothing, and whoever goes on from there must not get far; in the parent it
// returns how the child ended.
inline std::optional<ending> fork_and_listen() {
  std::fflush(nullptr);
  int ear[2];
  if (::pipe(ear) != 0) return ending{};
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ear[1], STDERR_FILENO);
    ::close(ear[0]);
    ::close(ear[1]);
    expendable();
    return std::nullopt;
  }
  ::close(ear[1]);
  ending e;
  char text[512];
  for (ssize_t n; (n = ::read(ear[0], text, sizeof text)) > 0;) e.said.append(text, static_cast<std::size_t>(n));
  ::close(ear[0]);
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return ending{};
  if (WIFEXITED(status)) e.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) e.signal = WTERMSIG(status);
  return e;
}

// Runs `body` in a child of fork(), and returns how that ended.
template <class Body>
ending in_child(Body body) {
  if (const auto e = fork_and_listen()) return *e;
  body();
#if defined(HEIST_ASAN)
  std::_Exit(0);  // what only the parent's threads pointed to would count as leaked
#endif
  std::exit(0);
}

#define EXPECT_ENDS_WELL(e)                                                      \
  do {                                                                           \
    const heist_test::ending ended = (e);                                        \
    EXPECT_EQ(ended.code, 0) << "signal " << ended.signal << ": " << ended.said; \
  } while (false)

}  // namespace heist_test

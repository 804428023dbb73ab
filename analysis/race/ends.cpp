// Ends of a program that run no atexit(): _exit, quick_exit, and another program in its place.

#include <analysis/race/end.hpp>
#include <analysis/race/interpose.hpp>

#include <unistd.h>

#include <cstdarg>
#include <cstdlib>

using namespace heist::race;

#define REAL(name) real(kept, #name)

HEIST_RACE_BEFORE void _exit(int status) {
  static decltype(::_exit)* kept;
  const int ours = say_at_end();
  REAL(_exit)(ours != 0 ? ours : status);
  __builtin_unreachable();
}
HEIST_RACE_BEFORE void _Exit(int status) noexcept { ::_exit(status); }

// The other program has no detector: what was found is said before it begins.
HEIST_RACE_BEFORE int execve(const char* path, char* const* words, char* const* variables) noexcept {
  static int (*kept)(const char*, char* const*, char* const*);
  static_cast<void>(say_at_end());
  return REAL(execve)(path, words, variables);
}
HEIST_RACE_BEFORE int execv(const char* path, char* const* words) noexcept {
  static int (*kept)(const char*, char* const*);
  static_cast<void>(say_at_end());
  return REAL(execv)(path, words);
}
HEIST_RACE_BEFORE int execvp(const char* path, char* const* words) noexcept {
  static int (*kept)(const char*, char* const*);
  static_cast<void>(say_at_end());
  return REAL(execvp)(path, words);
}
HEIST_RACE_BEFORE int execvpe(const char* path, char* const* words, char* const* variables) noexcept {
  static int (*kept)(const char*, char* const*, char* const*);
  static_cast<void>(say_at_end());
  return REAL(execvpe)(path, words, variables);
}
HEIST_RACE_BEFORE int fexecve(int file, char* const* words, char* const* variables) noexcept {
  static int (*kept)(int, char* const*, char* const*);
  static_cast<void>(say_at_end());
  return REAL(fexecve)(file, words, variables);
}

// With the words one by one.
#define HEIST_RACE_EXEC_LIST(name, call)                                                     \
  HEIST_RACE_BEFORE int name(const char* path, const char* first, ...) noexcept {            \
    constexpr std::size_t most = 4096;                                                       \
    static char* words[most];                                                                \
    std::va_list given;                                                                      \
    va_start(given, first);                                                                  \
    words[0] = const_cast<char*>(first);                                                     \
    for (std::size_t n = 0; words[n] != nullptr && n + 1 < most; ++n) words[n + 1] = va_arg(given, char*); \
    words[most - 1] = nullptr;                                                               \
    [[maybe_unused]] const auto next = [&] { return va_arg(given, char* const*); };          \
    const int result = call;                                                                 \
    va_end(given);                                                                           \
    return result;                                                                           \
  }
HEIST_RACE_EXEC_LIST(execl, ::execv(path, words))
HEIST_RACE_EXEC_LIST(execlp, ::execvp(path, words))
HEIST_RACE_EXEC_LIST(execle, ::execve(path, words, next()))

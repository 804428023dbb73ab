#pragma once
// What the stress programs share: rounds and their seeds, progress, a last line that counts, and a watchdog for hangs.
//
//   stress_deque [--seconds S] [--rounds N] [--seed N] [--patience S] [--without membarrier]
//
// runs rounds until S seconds are over and N rounds are made. A round does what its seed says; the next round's seed is
// one more. Whoever fails names the seed of its round: the same program with that seed begins with that round.

#include <heist/base/random.hpp>
#include <heist/base/sanitizer.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace stress {

#if defined(HEIST_TSAN)
inline constexpr int slower = 10;
#elif defined(HEIST_ASAN) || !defined(__OPTIMIZE__)
inline constexpr int slower = 4;
#else
inline constexpr int slower = 1;
#endif

// Whose own books grow: what the process holds says nothing then.
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

// Every input gives an unrelated output.
constexpr std::uint64_t hash(std::uint64_t x) noexcept { return heist::detail::mix(x); }

// Random numbers from a seed.
class dice {
 public:
  explicit dice(std::uint64_t seed) noexcept : state_(hash(seed)) {}
  std::uint64_t next() noexcept { return hash(state_++); }
  // Uniform in [0, n), but for a bias that nobody can see.
  std::uint64_t below(std::uint64_t n) noexcept { return next() % n; }
  bool one_in(std::uint64_t n) noexcept { return below(n) == 0; }
  template <class T, std::size_t n>
  const T& among(const T (&list)[n]) noexcept {
    return list[below(n)];
  }

 private:
  std::uint64_t state_;
};

// How long, unless the command line says otherwise.
struct slice {
  double seconds;
  std::int64_t rounds;
};

// The one session of a program, made first in main().
class session {
 public:
  session(const char* name, int argc, char** argv, slice usual);
  ~session();
  session(const session&) = delete;

  // Main thread, before each round. False: that was enough.
  bool more();
  // Main thread: the seed of this round.
  std::uint64_t seed() const noexcept;

  // Main thread: adds to a figure of the last line.
  void count(const char* what, std::uint64_t n);
  // The same, but the largest that came.
  void most(const char* what, std::uint64_t n);

  // Main thread, last: prints the line, and returns what main() returns.
  int end();

 private:
  struct books;
  std::unique_ptr<books> books_;
};

// Any thread: what a round that hangs is said to have hung in. A literal.
void doing(const char* what) noexcept;

// Any thread: ends the program with one line that names the seed.
[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char* format, ...);

}  // namespace stress

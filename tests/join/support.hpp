#pragma once
// What the tests of forks share: events between strands, forced schedules, counted objects, and an alarm for hangs.

#include "tests/support.hpp"

#include <heist/base/sanitizer.hpp>
#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace heist_test {

#if defined(HEIST_TSAN)
inline constexpr int slower = 12;
#elif defined(HEIST_ASAN) || defined(HEIST_CHAOS) || !defined(__OPTIMIZE__)
inline constexpr int slower = 5;
#else
inline constexpr int slower = 1;
#endif

// The calling thread. std::this_thread::get_id() is something a compiler may ask once and keep, in a function whose
// strand has moved meanwhile.
[[gnu::noinline]] inline std::thread::id this_thread() noexcept {
  asm volatile("");
  return std::this_thread::get_id();
}

// How often something is repeated: less often under sanitizers, under chaos (there are more seeds), and without
// optimisation.
constexpr int rounds(int n) { return n / slower > 0 ? n / slower : 1; }

// Every case: one that hangs ends the program with its name, after minutes, where it would not end at all.
class alarm_clock : public testing::EmptyTestEventListener {
 public:
  static constexpr unsigned patience_s = 240;

  void OnTestStart(const testing::TestInfo& info) override {
    std::strncpy(name(), (std::string("this case hangs: ") + info.test_suite_name() + "." + info.name() + "\n").c_str(), 255);
    std::signal(SIGALRM, [](int) {
      [[maybe_unused]] const auto n = ::write(STDERR_FILENO, name(), std::strlen(name()));
      std::abort();
    });
    ::alarm(patience_s);
  }
  void OnTestEnd(const testing::TestInfo&) override { ::alarm(0); }

  static bool set() {
    testing::UnitTest::GetInstance()->listeners().Append(new alarm_clock);
    return true;
  }

 private:
  static char* name() {
    static char text[256];
    return text;
  }
};
inline const bool alarm_is_set = alarm_clock::set();

// One strand raises it, others wait for it.
class event {
 public:
  void raise() noexcept { up_.store(true, std::memory_order_release); }
  bool raised() const noexcept { return up_.load(std::memory_order_acquire); }
  [[nodiscard]] bool come() const {
    return eventually([this] { return raised(); });
  }

 private:
  std::atomic<bool> up_{false};
};

// Raises an event when it leaves, by return or by exception.
class raise_at_end {
 public:
  explicit raise_at_end(event& e) noexcept : e_(e) {}
  ~raise_at_end() { e_.raise(); }
  raise_at_end(const raise_at_end&) = delete;

 private:
  event& e_;
};

// What happened, in order. Atomic: to ThreadSanitizer a child and the rest of its parent are two threads, even where one
// worker runs them one after the other.
class chronicle {
 public:
  void note(char what) noexcept { text_[used_.fetch_add(1)].store(what); }
  std::string text() const {
    std::string s;
    for (std::size_t i = 0; i < used_.load(); ++i) s += text_[i].load();
    return s;
  }

 private:
  std::atomic<std::size_t> used_{0};
  std::atomic<char> text_[256]{};
};

// An object whose live instances are counted. Movable only, without a default constructor.
class counted {
 public:
  explicit counted(int v) noexcept : value(v) { ++live_; }
  counted(counted&& from) noexcept : value(std::exchange(from.value, -1)) { ++live_; }
  counted& operator=(counted&&) = delete;
  ~counted() { --live_; }
  static int live() noexcept { return live_.load(); }
  int value;

 private:
  static inline std::atomic<int> live_{0};
};

// An exception that says who threw it, with counted instances.
class failure : public std::runtime_error {
 public:
  explicit failure(int thrower) : std::runtime_error("failure " + std::to_string(thrower)), who(thrower) { ++live_; }
  failure(const failure& from) noexcept : std::runtime_error(from), who(from.who) { ++live_; }
  ~failure() override { --live_; }
  static int live() noexcept { return live_.load(); }
  const int who;

 private:
  static inline std::atomic<int> live_{0};
};

// After a case that threw: nothing of it is left.
inline void expect_nothing_left() {
  EXPECT_EQ(failure::live(), 0);
  EXPECT_EQ(counted::live(), 0);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  EXPECT_EQ(std::current_exception(), nullptr);
}

inline constexpr int nobody = -1;

// Who threw out of f.
template <class F>
int thrower(F&& f) {
  try {
    std::forward<F>(f)();
  } catch (const failure& e) {
    return e.who;
  }
  return nobody;
}

// How the two branches of a join meet.
enum class meeting {
  alone,         // one worker: nobody steals
  thief_first,   // the second branch is stolen and ends before the first
  forker_parks,  // the second branch is stolen, and goes on only when the forker is about to park
};
// Whose worker the forker is.
enum class place { root, pool_thread };

struct schedule {
  meeting how;
  place where;
  heist::fences fences = heist::fences::automatic;

  friend std::ostream& operator<<(std::ostream& to, const schedule& s) {
    constexpr const char* hows[] = {"alone", "thief_first", "forker_parks"};
    constexpr const char* wheres[] = {"root", "pool_thread"};
    constexpr const char* fence_kinds[] = {"automatic", "asymmetric", "symmetric"};
    return to << hows[static_cast<int>(s.how)] << "_in_" << wheres[static_cast<int>(s.where)] << "_"
              << fence_kinds[static_cast<int>(s.fences)];
  }
};

inline const auto every_schedule = testing::Values(
    schedule{meeting::alone, place::root}, schedule{meeting::thief_first, place::root},
    schedule{meeting::forker_parks, place::root}, schedule{meeting::thief_first, place::pool_thread},
    schedule{meeting::forker_parks, place::pool_thread},
    schedule{meeting::alone, place::root, heist::fences::symmetric},
    schedule{meeting::thief_first, place::pool_thread, heist::fences::symmetric},
    schedule{meeting::forker_parks, place::root, heist::fences::symmetric});

// A pool whose joins meet as the parameter says.
class scheduled : public testing::TestWithParam<schedule> {
 protected:
  heist::pool& pool() { return pool_; }
  bool alone() const { return GetParam().how == meeting::alone; }

  // In the pool, at the place the parameter says.
  template <class F>
  void run(F&& f) {
    if (GetParam().where == place::root) return pool_.run(std::forward<F>(f));
    pool_.run([&] {
      event taken;
      const std::size_t before = suspends();
      heist::join([&] { EXPECT_TRUE(taken.come()); },
                  [&] {
                    taken.raise();
                    EXPECT_TRUE(eventually([&] { return suspends() > before; }));
                    f();
                  });
    });
  }

  // join(left, right), as the parameter says.
  template <class L, class R>
  auto join(L left, R right) {
    event taken, ended;
    const std::size_t before = suspends();
    return heist::join(
        [&] {
          EXPECT_TRUE(GetParam().how != meeting::forker_parks || taken.come());
          EXPECT_TRUE(GetParam().how != meeting::thief_first || ended.come());
          return left();
        },
        [&] {
          taken.raise();
          const raise_at_end at_end(ended);
          EXPECT_TRUE(GetParam().how != meeting::forker_parks || eventually([&] { return suspends() > before; }));
          return right();
        });
  }

  // The pool does its work.
  void expect_usable() {
    EXPECT_EQ(pool_.run([] {
      auto [a, b] = heist::join([] { return 1; }, [] { return 2; });
      return a + b;
    }), 3);
  }

 private:
  std::size_t suspends() { return pool_.stats().suspends; }
  heist::pool pool_{{.workers = alone() ? 1u : 2u, .fences = GetParam().fences}};
};

inline const auto schedule_name = [](const testing::TestParamInfo<schedule>& info) {
  std::ostringstream text;
  text << info.param;
  return text.str();
};

}  // namespace heist_test

// What a pool can be told, and what it says to nonsense.

#include <heist/heist.hpp>
#include <heist/meter/recording.hpp>
#include <heist/sched/scheduler.hpp>

#include <gtest/gtest.h>

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

namespace {

// The sentence of the exception that `make` throws; "" if it throws none.
std::string refusal(const std::function<void()>& make) {
  try {
    make();
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

template <class Change>
std::string refusal_of(Change change) {
  heist::options o;
  o.workers = 2;
  change(o);
  return refusal([&] { heist::pool p(o); });
}

void expect_names(const std::string& sentence, const std::string& option, const std::string& value,
                  const std::string& range) {
  EXPECT_NE(sentence.find(option), std::string::npos) << '"' << sentence << '"';
  EXPECT_NE(sentence.find(value), std::string::npos) << '"' << sentence << '"';
  EXPECT_NE(sentence.find(range), std::string::npos) << '"' << sentence << '"';
}

TEST(an_option_out_of_range, is_refused_with_its_value_and_range) {
  expect_names(refusal_of([](auto& o) { o.workers = 4097; }), "workers", "4097", "4096");
  expect_names(refusal_of([](auto& o) { o.stack_size = 1; }), "stack_size", "is 1,", "32768 … 68719476736");
  expect_names(refusal_of([](auto& o) { o.stack_size = 32 * 1024 - 1; }), "stack_size", "32767", "32768 … 68719476736");
  expect_names(refusal_of([](auto& o) { o.stack_size = (std::size_t{1} << 36) + 1; }), "stack_size", "68719476737",
               "32768 … 68719476736");
  expect_names(refusal_of([](auto& o) { o.fences = static_cast<heist::fences>(3); }), "fences", "3", "0 … 2");
  expect_names(refusal_of([](auto& o) { o.search_time = std::chrono::nanoseconds(-1); }), "search_time", "-1",
               "0 … 1000000000");
  expect_names(refusal_of([](auto& o) { o.search_time = std::chrono::nanoseconds(1'000'000'001); }), "search_time",
               "1000000001", "0 … 1000000000");
  expect_names(refusal_of([](auto& o) { o.most_backoff = 1025; }), "most_backoff", "1025", "0 … 1024");
  expect_names(refusal_of([](auto& o) { o.placement = static_cast<heist::placement>(4); }), "placement", "4", "0 … 3");
}

// The soft limit, where it is of use; else 8 MiB.
TEST(the_size_of_a_stack, is_that_of_the_systems_limit) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_STACK, &before), 0);
  auto size_with = [&](rlim_t limit) {
    const rlimit now{limit, before.rlim_max};
    if (::setrlimit(RLIMIT_STACK, &now) != 0) return std::size_t{0};
    heist::options o;
    o.workers = 1;
    heist::pool p(o);
    const std::size_t size = heist::detail::scheduler_of(p).stacks.stack_size();
    ::setrlimit(RLIMIT_STACK, &before);
    return size;
  };
  constexpr std::size_t kib = 1024, usual = 8192 * kib;
  EXPECT_EQ(size_with(3072 * kib), 3072 * kib);
  EXPECT_EQ(size_with(32 * kib), 32 * kib);
  EXPECT_EQ(size_with(32 * kib - 1), usual);
  if (before.rlim_max == RLIM_INFINITY) {
    EXPECT_EQ(size_with(RLIM_INFINITY), usual);
    EXPECT_EQ(size_with((std::size_t{64} << 30) + 1), usual);
  }
}

TEST(an_option_at_the_end_of_its_range, is_accepted) {
  const auto fib = [](auto& self, int n) -> long {
    if (n < 2) return n;
    auto [a, b] = heist::join([&, n] { return self(self, n - 1); }, [&, n] { return self(self, n - 2); });
    return a + b;
  };
  auto works = [&](auto change) {
    heist::options o;
    o.workers = 2;
    change(o);
    heist::pool p(o);
    return p.run([&] { return fib(fib, 12); }) == 144;
  };
  EXPECT_TRUE(works([](auto& o) { o.workers = 1; }));
  EXPECT_TRUE(works([](auto& o) { o.workers = 4096; }));
  EXPECT_TRUE(works([](auto& o) { o.stack_size = 32 * 1024; }));
  EXPECT_TRUE(works([](auto& o) { o.stack_size = 32 * 1024 + 1; }));
  EXPECT_TRUE(works([](auto& o) { o.stack_size = std::size_t{1} << 30; }));
  EXPECT_TRUE(works([](auto& o) { o.search_time = std::chrono::nanoseconds(0); }));
  EXPECT_TRUE(works([](auto& o) { o.search_time = std::chrono::seconds(1); }));
  EXPECT_TRUE(works([](auto& o) { o.most_backoff = 0; }));
  EXPECT_TRUE(works([](auto& o) { o.most_backoff = 1024; }));
  EXPECT_TRUE(works([](auto& o) { o.most_callers = 1; }));
  EXPECT_TRUE(works([](auto& o) { o.most_callers = ~0u; }));
  EXPECT_TRUE(works([](auto& o) { o.fences = heist::fences::symmetric; }));
  EXPECT_TRUE(works([](auto& o) { o.placement = heist::placement::all; }));
}

TEST(no_wish, gives_as_many_workers_as_can_run) {
  heist::pool p;
  EXPECT_EQ(p.workers(), heist::available_parallelism());
}

// A stack limit that is no size for a stack is not taken for one.
TEST(the_stack_limit, may_be_unlimited_or_tiny) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_STACK, &before), 0);
  for (const rlim_t soft : {static_cast<rlim_t>(RLIM_INFINITY), rlim_t{4096}}) {
    if (soft > before.rlim_max) continue;
    const rlimit now{soft, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_STACK, &now), 0);
    heist::options o;
    o.workers = 1;
    EXPECT_EQ(refusal([&] { EXPECT_EQ(heist::pool(o).run([] { return 3; }), 3); }), "");
    ASSERT_EQ(::setrlimit(RLIMIT_STACK, &before), 0);
  }
}

// HEIST_WORKERS: each in a process of its own, as the default pool starts once. ---------------------------------------

// Runs `use` with the variable set and ends the process: 0 and "N workers" on stderr, or 3 and the refusal.
template <class Use>
[[noreturn]] void use_default_pool(const char* value, Use use) {
  ::alarm(60);
  ::setenv("HEIST_WORKERS", value, 1);
  const std::string why = refusal(use);
  if (!why.empty()) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::_Exit(3);
  }
  std::fprintf(stderr, "%u workers\n", heist::default_pool().workers());
  std::_Exit(0);
}

class HEIST_WORKERS : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(HEIST_WORKERS, sets_the_size_of_the_default_pool) {
  auto join = [] { heist::join([] {}, [] {}); };
  EXPECT_EXIT(use_default_pool("3", join), testing::ExitedWithCode(0), "^3 workers");
  EXPECT_EXIT(use_default_pool("1", join), testing::ExitedWithCode(0), "^1 workers");
  EXPECT_EXIT(use_default_pool("4096", join), testing::ExitedWithCode(0), "^4096 workers");
}

TEST_F(HEIST_WORKERS, that_is_no_number_in_range_is_refused_with_its_value_and_the_range) {
  auto join = [] { heist::join([] {}, [] {}); };
  EXPECT_EXIT(use_default_pool("abc", join), testing::ExitedWithCode(3), "HEIST_WORKERS.*\"abc\".*1 … 4096");
  EXPECT_EXIT(use_default_pool("0", join), testing::ExitedWithCode(3), "HEIST_WORKERS.*\"0\".*1 … 4096");
  EXPECT_EXIT(use_default_pool("5000", join), testing::ExitedWithCode(3), "HEIST_WORKERS.*\"5000\".*1 … 4096");
  EXPECT_EXIT(use_default_pool("-1", join), testing::ExitedWithCode(3), "HEIST_WORKERS.*\"-1\".*1 … 4096");
  EXPECT_EXIT(use_default_pool("3x", join), testing::ExitedWithCode(3), "HEIST_WORKERS.*\"3x\".*1 … 4096");
  EXPECT_EXIT(use_default_pool(" 3", join), testing::ExitedWithCode(3), "HEIST_WORKERS.*\" 3\".*1 … 4096");
  EXPECT_EXIT(use_default_pool("2.5", join), testing::ExitedWithCode(3), "HEIST_WORKERS.*\"2.5\".*1 … 4096");
  EXPECT_EXIT(use_default_pool("4294967297", join), testing::ExitedWithCode(3), "HEIST_WORKERS.*\"4294967297\".*1 … 4096");
}

// As a script does that passes on a variable which it may not have.
TEST_F(HEIST_WORKERS, that_is_empty_is_not_set) {
  const std::string usual = std::to_string(heist::available_parallelism()) + " workers";
  EXPECT_EXIT(use_default_pool("", [] { heist::join([] {}, [] {}); }), testing::ExitedWithCode(0), usual);
}

TEST_F(HEIST_WORKERS, is_refused_by_whatever_starts_the_default_pool) {
  EXPECT_EXIT(use_default_pool("abc", [] { heist::default_pool(); }), testing::ExitedWithCode(3), "HEIST_WORKERS");
  EXPECT_EXIT(use_default_pool("abc", [] { heist::scope s; }), testing::ExitedWithCode(3), "HEIST_WORKERS");
  EXPECT_EXIT(use_default_pool("abc", [] { heist::for_each_index(0, 100, [](int) {}); }), testing::ExitedWithCode(3),
              "HEIST_WORKERS");
}

TEST_F(HEIST_WORKERS, may_be_mended_after_a_refusal) {
  EXPECT_EXIT(use_default_pool("abc",
                               [] {
                                 EXPECT_THROW(heist::join([] {}, [] {}), std::invalid_argument);
                                 ::setenv("HEIST_WORKERS", "5", 1);
                                 heist::join([] {}, [] {});
                               }),
              testing::ExitedWithCode(0), "^5 workers");
}

TEST_F(HEIST_WORKERS, is_nothing_to_a_pool_of_ones_own) {
  EXPECT_EXIT(
      {
        ::setenv("HEIST_WORKERS", "abc", 1);
        heist::pool p;
        std::_Exit(p.run([] { return 17; }));
      },
      testing::ExitedWithCode(17), "");
}

// The other variables, likewise. ---------------------------------------------------------------------------------------

// Sets a variable, makes the default pool, and ends the process: 0, or 3 and the refusal.
template <class Look>
[[noreturn]] void set_and_look(const char* variable, const char* value, Look look) {
  ::alarm(60);
  ::setenv(variable, value, 1);
  const std::string why = refusal([] { heist::default_pool().run([] { heist::join([] {}, [] {}); }); });
  std::fprintf(stderr, "%s\n", why.c_str());
  std::_Exit(!why.empty() ? 3 : look() ? 0 : 1);
}
[[noreturn]] void set(const char* variable, const char* value) {
  set_and_look(variable, value, [] { return true; });
}

class a_variable : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(a_variable, sets_an_option_of_the_default_pool) {
  EXPECT_EXIT(set_and_look("HEIST_STACK_SIZE", "98304",
                           [] { return heist::detail::scheduler_of(heist::default_pool()).stacks.stack_size() == 98304; }),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(set_and_look("HEIST_PLACEMENT", "all",
                           [] { return heist::detail::scheduler_of(heist::default_pool()).callers.placed(); }),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(set("HEIST_FENCES", "symmetric"), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(set("HEIST_SEARCH_TIME", "1000000000"), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(set("HEIST_MOST_BACKOFF", "0"), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(set("HEIST_MOST_CALLERS", "1"), testing::ExitedWithCode(0), "");
}

TEST_F(a_variable, shapes_the_threads_of_the_default_pool) {
  auto each = [](auto look) {
    std::atomic<int> wrong{0};
    heist::default_pool().broadcast([&] { wrong += !look(); });
    return wrong == 0;
  };
  EXPECT_EXIT(set_and_look("HEIST_NICE", "19", [&] { return each([] { return ::getpriority(PRIO_PROCESS, 0) == 19; }); }),
              testing::ExitedWithCode(0), "");
  auto named = [] {
    char name[16] = "";
    ::pthread_getname_np(::pthread_self(), name, sizeof name);
    return std::string(name).starts_with("mine-");
  };
  EXPECT_EXIT(set_and_look("HEIST_THREAD_NAME", "mine", [&] { return each(named); }), testing::ExitedWithCode(0), "");
  cpu_set_t mask;
  ASSERT_EQ(::sched_getaffinity(0, sizeof mask, &mask), 0);
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &mask)) --last;
  auto bound = [last] {
    cpu_set_t mine;
    return ::sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) == 1 && CPU_ISSET(last, &mine);
  };
  EXPECT_EXIT(set_and_look("HEIST_PROCESSORS", std::to_string(last).c_str(),
                           [&] { return heist::default_pool().workers() == 1 && each(bound); }),
              testing::ExitedWithCode(0), "");
}

TEST_F(a_variable, that_is_misspelt_is_refused_with_its_value_and_what_it_may_be) {
  EXPECT_EXIT(set("HEIST_STACK_SIZE", "8M"), testing::ExitedWithCode(3),
              "^heist: HEIST_STACK_SIZE is \"8M\", not a number in 32768 … 68719476736\n$");
  EXPECT_EXIT(set("HEIST_SEARCH_TIME", "1s"), testing::ExitedWithCode(3),
              "^heist: HEIST_SEARCH_TIME is \"1s\", not a number in 0 … 1000000000\n$");
  EXPECT_EXIT(set("HEIST_MOST_BACKOFF", "1025"), testing::ExitedWithCode(3),
              "^heist: HEIST_MOST_BACKOFF is \"1025\", not a number in 0 … 1024\n$");
  EXPECT_EXIT(set("HEIST_MOST_CALLERS", "-1"), testing::ExitedWithCode(3),
              "^heist: HEIST_MOST_CALLERS is \"-1\", not a number in 0 … 4294967295\n$");
  EXPECT_EXIT(set("HEIST_FENCES", "none"), testing::ExitedWithCode(3),
              "^heist: HEIST_FENCES is \"none\", not automatic, asymmetric or symmetric\n$");
  EXPECT_EXIT(set("HEIST_PLACEMENT", "on"), testing::ExitedWithCode(3),
              "^heist: HEIST_PLACEMENT is \"on\", not off, workers or all\n$");
  EXPECT_EXIT(set("HEIST_BIND", "near"), testing::ExitedWithCode(3),
              "^heist: HEIST_BIND is \"near\", not none, spread, compact or a list such as 0-3,8\n$");
  EXPECT_EXIT(set("HEIST_BIND", "1023"), testing::ExitedWithCode(3),
              "^heist: HEIST_BIND names processor 1023, on which the pool's threads may not run\n$");
  // Two variables that contradict each other.
  cpu_set_t mask;
  ASSERT_EQ(::sched_getaffinity(0, sizeof mask, &mask), 0);
  if (CPU_COUNT(&mask) > 1) {
    int first = 0, last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(first, &mask)) ++first;
    while (!CPU_ISSET(last, &mask)) --last;
    const std::string one = std::to_string(first), other = std::to_string(last);
    auto set_both = [&] {
      ::setenv("HEIST_PROCESSORS", one.c_str(), 1);
      set("HEIST_BIND", other.c_str());
    };
    EXPECT_EXIT(set_both(), testing::ExitedWithCode(3),
                "^heist: HEIST_BIND names processor " + other + ", on which the pool's threads may not run\n$");
  }
  EXPECT_EXIT(set("HEIST_PROCESSORS", "0-"), testing::ExitedWithCode(3),
              "^heist: HEIST_PROCESSORS is \"0-\", not a list such as 0-3,8\n$");
  EXPECT_EXIT(set("HEIST_PROCESSORS", "1023"), testing::ExitedWithCode(3), "^heist: HEIST_PROCESSORS names processor 1023, ");
  for (const char* const wrong : {"20", "-21", "1x", "high"})
    EXPECT_EXIT(set("HEIST_NICE", wrong), testing::ExitedWithCode(3),
                std::string("^heist: HEIST_NICE is \"") + wrong + "\", not a number in -20 … 19\n$");
}

// Whether the program wrote a file with this in it when it ended: it is looked at by its parent.
bool has(const std::string& file, const std::string& text) {
  std::ifstream in(file);
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  ::unlink(file.c_str());
  return all.find(text) != std::string::npos;
}

class the_tools : public a_variable {
 protected:
  // The same in the process that the test starts again.
  static std::string file(const char* name) {
    return testing::TempDir() + "heist_options_" + std::to_string(::getppid()) + name;
  }
  static std::string written(const char* name) {
    return testing::TempDir() + "heist_options_" + std::to_string(::getpid()) + name;
  }
  [[noreturn]] static void work_and_exit(heist::pool& p) {
    ::alarm(60);
    p.run([] { heist::join([] {}, [] {}); });
    std::exit(0);
  }
};

TEST_F(the_tools, are_begun_by_the_first_pools_options) {
  auto program = [] {
    const std::string profile = "json:" + file("profile"), trace = file("trace"), record = file("record");
    heist::tools all{.profile = profile.c_str(), .profile_unit = "strand", .trace = trace.c_str()};
    all.record = record.c_str();
    all.record_grain = 77;
    all.record_loops = "count";
    heist::pool p({.workers = 2, .tools = all});
    if (!heist::detail::recording::by_count()) std::_Exit(9);
    heist::pool without({.workers = 1});
    work_and_exit(p);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "");
  EXPECT_TRUE(has(written("profile"), "strand"));
  EXPECT_TRUE(has(written("trace"), "traceEvents"));
  EXPECT_TRUE(has(written("record"), "\"grain\": 77"));
}

TEST_F(the_tools, of_the_environment_go_before) {
  auto program = [] {
    ::setenv("HEIST_TRACE", file("theirs").c_str(), 1);
    const std::string trace = file("ours");
    heist::pool p({.workers = 2, .tools = {.trace = trace.c_str()}});
    work_and_exit(p);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "");
  EXPECT_NE(::access(written("ours").c_str(), F_OK), 0);
  EXPECT_TRUE(has(written("theirs"), "traceEvents"));
}

TEST_F(the_tools, of_a_later_pool_may_be_the_same_and_not_others) {
  auto program = [] {
    const std::string trace = file("same");
    heist::pool first({.workers = 1, .tools = {.trace = trace.c_str()}});
    heist::pool second({.workers = 1, .tools = {.trace = trace.c_str()}});
    const std::string why = refusal([] { heist::pool({.workers = 1, .tools = {.profile = "text"}}); });
    std::fprintf(stderr, "%s\n", why.c_str());
    std::_Exit(0);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "^heist: options::tools differ from those of the program's first pool");
}

TEST_F(the_tools, are_refused_if_they_are_misspelt) {
  auto pool_with = [](heist::tools wanted) {
    const std::string why = refusal([&] { heist::pool({.workers = 1, .tools = wanted}); });
    std::fprintf(stderr, "%s\n", why.c_str());
    std::_Exit(0);
  };
  const heist::tools form{.profile = "txt"}, unit{.profile = "text", .profile_unit = "ms"};
  const heist::tools events{.trace = "t", .trace_events = 0};
  EXPECT_EXIT(pool_with(form), testing::ExitedWithCode(0), "\"txt\", not text, json, text:FILE or json:FILE");
  EXPECT_EXIT(pool_with(unit), testing::ExitedWithCode(0), "\"ms\", not time or strand");
  EXPECT_EXIT(pool_with(events), testing::ExitedWithCode(0), "trace_events is 0, outside 1");
}

TEST_F(a_variable, for_placement_is_every_pools_and_off_goes_before_the_option) {
  auto callers_placed = [](const char* variable, heist::placement option) {
    ::alarm(60);
    ::setenv("HEIST_PLACEMENT", variable, 1);
    heist::pool p({.workers = 1, .placement = option});
    std::_Exit(heist::detail::scheduler_of(p).callers.placed() ? 17 : 0);
  };
  EXPECT_EXIT(callers_placed("all", heist::placement::automatic), testing::ExitedWithCode(17), "");
  EXPECT_EXIT(callers_placed("all", heist::placement::workers), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(callers_placed("workers", heist::placement::all), testing::ExitedWithCode(17), "");
  EXPECT_EXIT(callers_placed("off", heist::placement::all), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(callers_placed("", heist::placement::automatic), testing::ExitedWithCode(0), "");
}

}  // namespace

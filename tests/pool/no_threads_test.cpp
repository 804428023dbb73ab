// A system that starts fewer threads than asked for, or none. pthread_create is ours here and fails on demand.

#include "tests/pool/threads.hpp"
#include "tests/support.hpp"

#include <heist/base/sanitizer.hpp>
#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace heist_test;

// How many threads may still be started; the tests' own threads are not counted.
std::atomic<int> threads_left{INT_MAX};
thread_local bool starting_my_own = false;

using creator = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

}  // namespace

// The sanitizers' own, where it is linked in statically.
extern "C" [[gnu::weak]] int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*),
                              void* argument) noexcept {
  static const creator real = __interceptor_pthread_create != nullptr
                                  ? &__interceptor_pthread_create
                                  : reinterpret_cast<creator>(::dlsym(RTLD_NEXT, "pthread_create"));
  if (!starting_my_own && threads_left.load() != INT_MAX && threads_left.fetch_sub(1) <= 0) return EAGAIN;
  return real(thread, attributes, main, argument);
}

namespace {

// Before anything starts the default pool: several workers, also on a machine with one processor.
const int workers_set = ::setenv("HEIST_WORKERS", "4", 1);

template <class F>
std::thread my_thread(F f) {
  starting_my_own = true;
  std::thread t(f);
  starting_my_own = false;
  return t;
}

std::size_t count_of(const std::string& what, const std::string& in) {
  std::size_t n = 0;
  for (auto at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++n;
  return n;
}

const std::string sentence = "heist: the system refuses to start more threads, so the pool runs with fewer workers than asked for";

class a_pool_short_of_threads : public testing::Test {
 protected:
  void SetUp() override { testing::internal::CaptureStderr(); }
  const threads_since the_start;
  void TearDown() override {
    threads_left = INT_MAX;
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_LE(count_of(sentence, said), expected_sentences) << said;
    EXPECT_GE(count_of(sentence, said), std::min(least_sentences, expected_sentences)) << said;
    EXPECT_EQ(count_of("\n", said), count_of(sentence, said)) << said;
  }
  std::size_t expected_sentences = 1;
  std::size_t least_sentences = 1;
};

TEST_F(a_pool_short_of_threads, that_gets_all_it_asks_for_says_nothing) {
  expected_sentences = 0;
  threads_left = 2;
  heist::pool p(workers(2));
  EXPECT_EQ(p.run([] { return fib(18); }), 2584);
}

TEST_F(a_pool_short_of_threads, runs_with_fewer_workers_and_says_so_once) {
  threads_left = 2;
  heist::pool p(workers(8));
  // The caller and two threads; every further thread is refused.
  std::atomic<int> here{0};
  p.run([&] {
    heist::for_each_index(
        0, 3,
        [&](int) {
          ++here;
          EXPECT_TRUE(eventually([&] { return here == 3; }));
        },
        heist::grain{1});
  });
  for (int i = 0; i < 50; ++i) ASSERT_EQ(p.run([] { return fib(18); }), 2584);
  EXPECT_EQ(the_start.count(), 2u);
}

TEST_F(a_pool_short_of_threads, runs_joins_and_spawns_on_its_caller_alone) {
  threads_left = 0;
  heist::pool p(workers(8));
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(p.run([] { return fib(15); }), 610);
    const int sum = p.run([] {
      std::atomic<int> n{0};
      heist::scope s;
      for (int k = 0; k < 100; ++k) s.spawn([&] { ++n; });
      for (int k = 0; k < 100; ++k) s.spawn_later([&] { ++n; });
      s.sync();
      return n.load();
    });
    ASSERT_EQ(sum, 200);
  }
  EXPECT_EQ(p.stats().steals, 0u);
  EXPECT_EQ(the_start.count(), 0u);
}

TEST_F(a_pool_short_of_threads, runs_on_its_caller_what_that_begins_and_detaches) {
  threads_left = 0;
  heist::pool p(workers(8));
  std::atomic<int> n{0};
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(heist::async(p, [] { return fib(10); }).get(), 55);
    EXPECT_EQ(p.run([] { return heist::async([] { return fib(10); }).get(); }), 55);
    p.detach([&] { ++n; });
    p.wait_idle();
    EXPECT_EQ(n, i + 1);
  }
}

TEST_F(a_pool_short_of_threads, goes_on_with_strands_that_wait_for_each_other) {
  threads_left = 0;
  heist::pool p(workers(4));
  for (int i = 0; i < 20; ++i) {
    p.run([] {
      heist::latch open(1);
      heist::with_scope([&](heist::scope& s) {
        s.spawn([&] { open.wait(); });
        s.spawn([&] { open.count_down(); });
      });
    });
    heist::channel<int> c(0);
    EXPECT_EQ(p.run([&] {
      std::optional<int> got;
      heist::join([&] { got = c.pop(); }, [&] { c.push(7); });
      return got;
    }), 7);
    heist::latch both(2);
    for (int k = 0; k < 2; ++k) p.detach([&] { both.arrive_and_wait(); });
    p.wait_idle();
    EXPECT_TRUE(both.try_wait());
  }
}

TEST_F(a_pool_short_of_threads, still_throws_what_branches_throw) {
  threads_left = 0;
  heist::pool p(workers(4));
  EXPECT_THROW(p.run([] { heist::join([] {}, [] { throw 1; }); }), int);
  EXPECT_THROW(p.run([] {
    heist::scope s;
    s.spawn([] { throw 2L; });
    s.sync();
  }), long);
}

// A strand that waits for the lock is resumed by whoever takes it from the pool's queue: with no pool thread at all,
// that is the caller who waits.
TEST_F(a_pool_short_of_threads, hands_a_mutex_over_between_its_callers) {
  least_sentences = 0;  // a lock that is free again by the time the strand is parked needs no thread
  threads_left = 0;
  heist::pool p(workers(4));
  heist::mutex m;
  long guarded = 0;
  std::atomic<int> wrong{0};
  constexpr int callers = 8, rounds = 200;
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i) {
    threads.push_back(my_thread([&] {
      for (int round = 0; round < rounds; ++round) {
        const long sum = p.run([&] {
          m.lock();
          const long seen = guarded;
          const long f = fib(5);
          std::this_thread::yield();
          guarded = seen + 1;
          m.unlock();
          return f;
        });
        if (sum != 5) ++wrong;
      }
    }));
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(guarded, callers * rounds);
  const auto s = p.stats();
  EXPECT_EQ(s.suspends, s.resumes);
}

// The seats are all there is, and callers who find none leave their roots to those who wait.
TEST_F(a_pool_short_of_threads, with_a_cap_on_callers_serves_them_all) {
  for (const int threads : {0, 1}) {
    least_sentences = 0;
    expected_sentences = 2;  // one for each pool, if it comes to that
    threads_left = threads;
    heist::options o = workers(3);
    o.most_callers = 3;
    heist::pool p(o);
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 8; ++i)
      callers.push_back(my_thread([&] {
        for (int round = 0; round < 50; ++round) wrong += p.run([] { return fib(8); }) != 21;
      }));
    for (std::thread& t : callers) t.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(p.stats().workers.size(), 3u);
  }
}

TEST_F(a_pool_short_of_threads, ends_a_scope_outside_of_every_pool) {
  static bool started = false;
  if (std::exchange(started, true)) {
    expected_sentences = 0;
    GTEST_SKIP() << "the default pool starts once in a process";
  }
  threads_left = 0;
  std::atomic<int> n{0};
  heist::scope s;
  for (int i = 0; i < 1000; ++i) s.spawn([&] { n += static_cast<int>(fib(5)); });
  s.sync();
  EXPECT_EQ(n, 5000);
  for (int i = 0; i < 10; ++i)
    s.spawn([&, i] {
      ++n;
      if (i == 9) throw 9;
    });
  EXPECT_THROW(s.sync(), int);
  EXPECT_EQ(n, 5010);
  // Later the system has threads again; the pool may use them or not, but it works.
  threads_left = INT_MAX;
  s.spawn([&] { ++n; });
  s.sync();
  EXPECT_EQ(n, 5011);
}

}  // namespace

// What comes after a failure stops, what comes before goes on, and a stop token stops all.

#include "tests/join/support.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace heist_test;

// Forks for a long time, unless it is stopped.
bool fork_on(std::atomic<long>& forks, int depth = 26) {
  if (depth == 0) return true;
  forks.fetch_add(1, std::memory_order_relaxed);
  const auto [a, b] = heist::join([&] { return fork_on(forks, depth - 1); }, [&] { return fork_on(forks, depth - 1); });
  return a && b;
}
constexpr long all_forks = (1L << 26) - 1;

void a_little_work() { std::this_thread::sleep_for(std::chrono::microseconds(100)); }

class what_comes_after_a_failure : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, what_comes_after_a_failure, testing::Values(2u, 4u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

// Loops -----------------------------------------------------------------------------------------------------------------

// Calls loop(body), where body(k) is to be called for every k < elements: element 0 fails when others are at work.
constexpr std::size_t elements = 20'000;
template <class Loop>
void expect_it_stops(heist::pool& pool, const char* name, Loop&& loop) {
  std::atomic<std::size_t> bodies{0};
  event stolen;
  auto body = [&](std::size_t k) {
    ++bodies;
    if (k == 0) {
      EXPECT_TRUE(stolen.come()) << name;
      throw failure(1);
    }
    if (k >= elements / 2) stolen.raise();
    a_little_work();
  };
  EXPECT_EQ(thrower([&] { pool.run([&] { loop(body); }); }), 1) << name;
  EXPECT_LT(bodies.load(), elements / 4) << name;
}

TEST_P(what_comes_after_a_failure, stops_in_every_loop) {
  std::vector<std::size_t> in(elements), out(elements);
  std::iota(in.begin(), in.end(), std::size_t{0});
  const auto value_of = [](auto& body) {
    return [&body](std::size_t k) { body(k); return k; };
  };
  expect_it_stops(pool, "for_each_index", [&](auto& b) { heist::for_each_index(std::size_t{0}, elements, b); });
  expect_it_stops(pool, "for_each", [&](auto& b) { heist::for_each(in, b); });
  expect_it_stops(pool, "for_each with a grain", [&](auto& b) { heist::for_each(in, b, heist::grain{4}); });
  expect_it_stops(pool, "transform", [&](auto& b) { heist::transform(in, out.begin(), value_of(b)); });
  expect_it_stops(pool, "transform_reduce", [&](auto& b) {
    static_cast<void>(heist::transform_reduce(in, std::size_t{0}, std::plus<>(), value_of(b)));
  });
  expect_it_stops(pool, "count_if", [&](auto& b) {
    static_cast<void>(heist::count_if(in, [&](std::size_t k) { b(k); return false; }));
  });
  expect_it_stops(pool, "copy_if", [&](auto& b) {
    heist::copy_if(in, out.begin(), [&](std::size_t k) { b(k); return false; });
  });
}

// Nobody forks inside a leaf of a fold or a scan; a strand that is in one looks all the same. Element 0 fails when another
// strand has begun a leaf of a thousand elements, each of which then takes a millisecond.
template <class Fold>
void expect_leaves_stop(heist::pool& pool, const char* name, Fold&& fold, int most = 1000) {
  std::atomic<int> after{0};
  std::atomic<bool> failed{false};
  event stolen;
  auto body = [&](std::size_t k) {
    if (k == 0) {
      EXPECT_TRUE(stolen.come()) << name;
      failed = true;
      throw failure(1);
    }
    if (k < elements) return k;
    stolen.raise();
    while (!failed) std::this_thread::yield();
    ++after;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return k;
  };
  EXPECT_EQ(thrower([&] { pool.run([&] { fold(body); }); }), 1) << name;
  EXPECT_LT(after.load(), most) << name;
}

// Every element is one of the largest that were seen, so there are many selections.
TEST_P(what_comes_after_a_failure, stops_between_the_comparisons_of_a_selection) {
  std::vector<std::size_t> in(2 * elements);
  std::iota(in.begin(), in.end(), std::size_t{0});
  expect_leaves_stop(pool, "top_k", [&](auto& b) {
    const auto less = [&b](std::size_t x, std::size_t y) { return b(x) < b(y); };
    static_cast<void>(heist::top_k(in, 100, less));
  });
}

TEST_P(what_comes_after_a_failure, stops_in_leaves_of_folds) {
  std::vector<std::size_t> in(2 * elements), out(2 * elements);
  std::iota(in.begin(), in.end(), std::size_t{0});
  const auto most = [](std::size_t a, std::size_t b) { return std::max(a, b); };
  const auto longest = [](const std::string& a, const std::string& b) { return std::max(a, b); };
  expect_leaves_stop(pool, "in lanes", [&](auto& b) {
    static_cast<void>(heist::transform_reduce(in, std::size_t{0}, std::plus<>(), b));
  }, 5000);  // a leaf of 256 does not look, and a part that was stolen from it stops after it
  expect_leaves_stop(pool, "in order", [&](auto& b) {
    static_cast<void>(heist::transform_reduce(in, std::size_t{0}, most, b));
  });
  expect_leaves_stop(pool, "of strings", [&](auto& b) {
    static_cast<void>(heist::transform_reduce(in, std::string(), longest, [&](std::size_t k) { return std::to_string(b(k)); }));
  });
  expect_leaves_stop(pool, "a scan", [&](auto& b) { heist::transform_inclusive_scan(in, out.begin(), most, b); });
  expect_leaves_stop(pool, "lazy", [&](auto& b) {
    static_cast<void>(heist::par(in) | heist::stage::filter([](std::size_t) { return true; }) | heist::stage::transform(b) |
                      heist::stage::reduce(std::size_t{0}, most));
  });
}

TEST_P(what_comes_after_a_failure, stops_in_loops_inside_branches_and_children) {
  const auto endless = [](std::atomic<std::size_t>& bodies) {
    heist::for_each_index(std::size_t{0}, elements, [&](std::size_t) { ++bodies; a_little_work(); });
  };
  std::atomic<std::size_t> bodies{0};
  const auto begun = [&] { while (bodies.load() < 4) std::this_thread::yield(); };
  EXPECT_EQ(thrower([&] { pool.run([&] {
    heist::join([&] { begun(); throw failure(1); }, [&] { heist::join([&] { endless(bodies); }, [&] { endless(bodies); }); });
  }); }), 1);
  EXPECT_LT(bodies.exchange(0), elements / 2);
  EXPECT_EQ(thrower([&] { pool.run([&] {
    heist::scope s;
    s.spawn([&] { begun(); throw failure(2); });
    s.spawn([&] { endless(bodies); });
    s.spawn([&] { heist::scope inner; inner.spawn([&] { endless(bodies); }); inner.spawn_later([&] { endless(bodies); }); });
    s.sync();
  }); }), 2);
  EXPECT_LT(bodies.load(), elements / 2);
}

// Sorts and merges compare for long between two forks, and hand exceptions back as results where every element must
// arrive. Element 0 fails when another strand compares; the others stop all the same.
template <class Call>
void expect_comparisons_stop(heist::pool& pool, const char* name, Call&& call) {
  std::atomic<unsigned> at_work{0};
  std::atomic<int> after{0};
  std::atomic<bool> failed{false};
  event others;
  auto less = [&](std::size_t a, std::size_t b) {
    const unsigned mine = 1u << heist::worker_index();
    if ((at_work.fetch_or(mine) & ~mine) != 0) others.raise();
    if (failed) {
      ++after;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    } else if (std::min(a, b) == 0) {
      EXPECT_TRUE(others.come()) << name;
      failed = true;
      throw failure(1);
    }
    return a < b;
  };
  EXPECT_EQ(thrower([&] { pool.run([&] { call(less); }); }), 1) << name;
  EXPECT_LT(after.load(), 5000) << name;  // 9,000 and more without looks; the thread that throws may lose its core
}

TEST_P(what_comes_after_a_failure, stops_in_sorts_merges_and_sets) {
  constexpr std::size_t many = 200'000;  // enough for a partition that is shared
  std::vector<std::size_t> in(elements), out(2 * elements), mixed(many);
  std::iota(in.begin(), in.end(), std::size_t{0});
  // 0 is in the first chunk, and not where a sort looks before it divides.
  for (std::size_t k = 0; k < many; ++k) mixed[k] = (k + many - 5) * 7919 % many;
  std::vector<std::size_t> halves(in);
  std::stable_partition(halves.begin(), halves.end(), [](std::size_t k) { return k % 2 == 0; });
  expect_comparisons_stop(pool, "sort", [&](auto& less) { auto v = mixed; heist::sort(v, less); });
  expect_comparisons_stop(pool, "stable_sort", [&](auto& less) { auto v = mixed; heist::stable_sort(v, less); });
  expect_comparisons_stop(pool, "merge", [&](auto& less) { heist::merge(in, in, out.begin(), less); });
  expect_comparisons_stop(pool, "inplace_merge", [&](auto& less) {
    heist::inplace_merge(halves, halves.begin() + elements / 2, less);
  });
  expect_comparisons_stop(pool, "set_union", [&](auto& less) { heist::set_union(in, in, out.begin(), less); });
}

// Forks -----------------------------------------------------------------------------------------------------------------

TEST_P(what_comes_after_a_failure, stops_at_a_fork) {
  std::atomic<long> forks{0};
  const auto begun = [&] { while (forks.load() < 100) std::this_thread::yield(); };
  EXPECT_EQ(thrower([&] { pool.run([&] {
    heist::join([&] { begun(); throw failure(1); }, [&] { return fork_on(forks); });
  }); }), 1);
  EXPECT_LT(forks.exchange(0), all_forks);
  EXPECT_EQ(thrower([&] { pool.run([&] {
    heist::scope s;
    s.spawn([&] { begun(); throw failure(2); });
    s.spawn([&] { fork_on(forks); });
    s.sync();
  }); }), 2);
  EXPECT_LT(forks.load(), all_forks);
}

TEST_P(what_comes_after_a_failure, and_what_comes_before_goes_on) {
  for (int i = 0; i < rounds(50); ++i) {
    std::atomic<std::size_t> bodies{0};
    event failed;
    pool.run([&] {
      EXPECT_EQ(thrower([&] {
        heist::join(
            [&] {
              EXPECT_TRUE(failed.come());
              heist::for_each_index(0, 1000, [&](int) { ++bodies; });
              heist::join([&] { ++bodies; }, [&] { ++bodies; });
            },
            [&] { const raise_at_end at_end(failed); throw failure(1); });
      }), 1);
      EXPECT_EQ(bodies.exchange(0), 1002u);
    });
    event late;
    pool.run([&] {
      heist::scope s;
      s.spawn([&] {
        EXPECT_TRUE(late.come());
        heist::for_each_index(0, 1000, [&](int) { ++bodies; });
        throw failure(1);
      });
      s.spawn([&] { const raise_at_end at_end(late); throw failure(2); });
      EXPECT_EQ(thrower([&] { s.sync(); }), 1);
      EXPECT_EQ(bodies.load(), 1000u);
    });
  }
}

// What is not wanted any more still cleans up: destructors fork, while their strand unwinds and when it does not.
TEST_P(what_comes_after_a_failure, may_fork_in_its_destructors) {
  for (int i = 0; i < rounds(20) && !HasFailure(); ++i) {
    std::atomic<long> forks{0}, made{0}, ended{0};
    struct parallel_end {
      std::atomic<long>& count;
      ~parallel_end() {
        heist::join([&]() noexcept { ++count; }, [&]() noexcept { ++count; });
      }
    };
    const auto forker = [&](auto& self, int depth) -> void {
      if (depth == 0) return;
      ++made;
      const parallel_end at_end{ended};
      ++forks;
      heist::join([&] { self(self, depth - 1); }, [&] { self(self, depth - 1); });
    };
    EXPECT_EQ(thrower([&] { pool.run([&] {
      heist::join([&] { while (forks.load() < 100) std::this_thread::yield(); throw failure(1); },
                  [&] { forker(forker, 22); });
    }); }), 1);
    EXPECT_EQ(ended.load(), 2 * made.load());
  }
}

// A strand that unwinds is not stopped, nor is what it forks.
TEST_P(what_comes_after_a_failure, may_sort_and_loop_in_a_destructor_that_an_exception_runs) {
  for (int i = 0; i < rounds(40) && !HasFailure(); ++i) {
    std::atomic<int> begun{0}, wrong{0};
    struct at_end {
      std::atomic<int>&begun, &wrong;
      ~at_end() {
        ++begun;
        std::vector<int> v(3000);
        for (std::size_t k = 0; k < v.size(); ++k) v[k] = static_cast<int>(k * 7919 % 3001);
        heist::sort(v, {}, {}, heist::grain{64});
        std::atomic<int> n{0};
        heist::for_each_index(0, 200, [&](int) { ++n; }, heist::grain{1});
        wrong += !std::is_sorted(v.begin(), v.end()) || n != 200;
      }
    };
    EXPECT_EQ(thrower([&] { pool.run([&] {
      heist::join([&] { while (begun.load() == 0) std::this_thread::yield(); throw failure(1); },
                  [&] { const at_end e{begun, wrong}; throw failure(2); });
    }); }), 1);
    EXPECT_EQ(wrong.load(), 0);
  }
}

// Tokens ----------------------------------------------------------------------------------------------------------------

template <class F>
bool cancels(F&& f) {
  try {
    f();
    return false;
  } catch (const heist::cancelled&) {
    return true;
  }
}

class a_stop_token : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, a_stop_token, testing::Values(1u, 2u, 4u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

TEST_P(a_stop_token, stops_forks_and_loops_below_join_scope_and_run) {
  std::atomic<long> forks{0};
  std::atomic<std::size_t> bodies{0};
  const auto loop = [&] { heist::for_each_index(std::size_t{0}, elements, [&](std::size_t) { ++bodies; a_little_work(); }); };
  const auto with = [&](auto&& f) {
    forks = 0, bodies = 0;
    std::stop_source source;
    std::thread stopper([&] {
      while (forks.load() < 100 && bodies.load() < 10) std::this_thread::yield();
      source.request_stop();
    });
    EXPECT_TRUE(cancels([&] { f(source.get_token()); }));
    stopper.join();
    EXPECT_LT(forks.load(), all_forks);
    EXPECT_LT(bodies.load(), elements / 4);
  };
  with([&](std::stop_token t) { pool.run([&] { return fork_on(forks); }, t); });
  with([&](std::stop_token t) { pool.run(loop, t); });
  with([&](std::stop_token t) { pool.run([&] { heist::join([&] { fork_on(forks); }, loop, t); }); });
  with([&](std::stop_token t) { pool.run([&] { heist::join([] {}, [] {}, [&] { fork_on(forks); }, t); }); });
  with([&](std::stop_token t) {
    pool.run([&] {
      heist::scope s(t);
      s.spawn([&] { fork_on(forks); });
      s.spawn_later(loop);
      s.sync();
    });
  });
  with([&](std::stop_token t) { heist::join([&] { fork_on(forks); }, loop, t); });  // outside
  with([&](std::stop_token t) {
    heist::scope s(t);
    s.spawn([&] { fork_on(forks); });
    s.sync();
  });
}

TEST_P(a_stop_token, lets_nothing_begin_that_it_has_stopped_before) {
  std::stop_source source;
  source.request_stop();
  const std::stop_token t = source.get_token();
  int n = 0;
  EXPECT_TRUE(cancels([&] { pool.run([&] { ++n; }, t); }));
  EXPECT_TRUE(cancels([&] { pool.run([&] { heist::join([&] { ++n; }, [&] { ++n; }, t); }); }));
  pool.run([&] {
    heist::scope s(t);
    s.spawn([&] { ++n; });
    s.spawn_later([&] { ++n; });
    EXPECT_TRUE(cancels([&] { s.sync(); }));
    s.sync();
  });
  EXPECT_EQ(n, 0);
}

// However far apart the forks are.
TEST(a_token_for_one_worker, stops_between_comparisons) {
  constexpr std::size_t n = 20'000;
  heist::pool one({.workers = 1});
  std::vector<std::size_t> in(n), out(2 * n), mixed(n);
  std::iota(in.begin(), in.end(), std::size_t{0});
  for (std::size_t k = 0; k < n; ++k) mixed[k] = k * 7919 % n;
  const heist::grain rarely{1 << 14};
  const auto stops = [&](const char* name, auto&& call) {
    std::stop_source stop;
    long calls = 0;
    const auto less = [&](std::size_t a, std::size_t b) {
      if (++calls == 100) stop.request_stop();
      return a < b;
    };
    EXPECT_TRUE(cancels([&] { one.run([&] { call(less, stop.get_token()); }); })) << name;
    EXPECT_LT(calls, 1100) << name;
  };
  stops("sort", [&](auto& less, auto t) { auto v = mixed; heist::sort(v, less, t, rarely); });
  stops("sort of a descending range", [&](auto& less, auto t) {
    auto v = in;
    heist::sort(v, [&](std::size_t a, std::size_t b) { return less(b, a); }, t, rarely);
  });
  stops("stable_sort", [&](auto& less, auto t) { auto v = mixed; heist::stable_sort(v, less, t, rarely); });
  stops("nth_element", [&](auto& less, auto t) { auto v = mixed; heist::nth_element(v, v.begin() + n / 2, less, t, rarely); });
  stops("top_k", [&](auto& less, auto t) { static_cast<void>(heist::top_k(mixed, 10, less, t, rarely)); });
  stops("merge", [&](auto& less, auto t) { heist::merge(in, in, out.begin(), less, t, rarely); });
  stops("inplace_merge", [&](auto& less, auto t) {
    auto v = mixed;
    std::sort(v.begin(), v.begin() + n / 2);
    std::sort(v.begin() + n / 2, v.end());
    heist::inplace_merge(v, v.begin() + n / 2, less, t, rarely);
  });
  stops("set_union", [&](auto& less, auto t) { heist::set_union(in, in, out.begin(), less, t, rarely); });
  stops("includes", [&](auto& less, auto t) { static_cast<void>(heist::includes(in, in, less, t, rarely)); });
}

TEST_P(a_stop_token, changes_nothing_while_it_is_not_asked) {
  std::stop_source source;
  const auto [a, b, c] = pool.run([&] { return heist::join([] { return 1; }, [] {}, [] { return 3; }, source.get_token()); });
  EXPECT_EQ(a + c, 4);
  EXPECT_EQ(pool.run([] { return std::string("whole"); }, source.get_token()), "whole");
  EXPECT_EQ(thrower([&] { pool.run([] { throw failure(3); }, source.get_token()); }), 3);
  EXPECT_EQ(pool.run([] { return 5; }, std::stop_token()), 5);
  pool.run([&] { heist::join([] {}, [] {}, source.get_token()); }, source.get_token());
}

// A body that asks for a stop and throws: its exception arrives, whatever the others did.
TEST_P(a_stop_token, lets_the_exception_of_who_asked_win) {
  for (int i = 0; i < rounds(20) && !HasFailure(); ++i) {
    for (const int culprit : {0, 50, 99}) {
      const auto body = [culprit](std::stop_source& source) {
        return [&source, culprit](int k) {
          if (k != culprit) return a_little_work();
          source.request_stop();
          throw failure(7);
        };
      };
      std::stop_source of_loop, of_run;
      EXPECT_EQ(thrower([&] { pool.run([&] {
        heist::for_each_index(0, 100, body(of_loop), of_loop.get_token());
      }); }), 7);
      EXPECT_EQ(thrower([&] { pool.run([&] { heist::for_each_index(0, 100, body(of_run)); }, of_run.get_token()); }), 7);
    }
  }
}

}  // namespace

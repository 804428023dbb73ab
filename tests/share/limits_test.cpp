// How much runs at once, and how far it has come.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <numeric>
#include <stdexcept>

using heist_test::workers;

namespace {

// How many are here at once, at most.
class crowd {
 public:
  template <class F>
  void visit(F&& f) {
    const int here = ++now_;
    int seen = most_;
    while (here > seen && !most_.compare_exchange_weak(seen, here)) {
    }
    f();
    --now_;
  }
  int most() const { return most_; }

 private:
  std::atomic<int> now_{0}, most_{0};
};

void nap() { std::this_thread::sleep_for(std::chrono::microseconds(100)); }
void doze() { heist::sleep_for(std::chrono::microseconds(100)); }

}  // namespace

TEST(limit, of_a_loop_counts_bodies_that_wait) {
  heist::pool p(workers(4));
  for (const auto& body : {nap, doze}) {
    crowd all;
    std::vector<int> seen(300);
    p.run([&] {
      heist::for_each_index(
          0, 300, [&](int i) { all.visit([&] { body(), ++seen[static_cast<std::size_t>(i)]; }); }, heist::limit{2});
    });
    EXPECT_LE(all.most(), 2);
    EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), 0), 300);
  }
  crowd waiting;
  p.run([&] { heist::for_each_index(0, 60, [&](int) { waiting.visit(doze); }, heist::grain{1}, heist::limit{20}); });
  EXPECT_GT(waiting.most(), 4);  // more than workers: they wait
  EXPECT_LE(waiting.most(), 20);
}

TEST(limit, of_a_loop_throws_the_first_failure) {
  heist::pool p(workers(4));
  for (int round = 0; round < 50; ++round) {
    try {
      p.run([&] {
        heist::for_each_index(
            0, 1000,
            [](int i) {
              if (i >= 500) throw i;
            },
            heist::limit{3});
      });
      ADD_FAILURE();
    } catch (int i) {
      EXPECT_EQ(i, 500);
    }
  }
  std::vector<int> v(100, 1), out(100);
  heist::transform(v, out.begin(), [](int x) { return x + 1; }, heist::limit{0});
  EXPECT_EQ(out, std::vector<int>(100, 2));
  heist::for_each(v, [](int& x) { x = 3; }, heist::limit{1});
  EXPECT_EQ(v, std::vector<int>(100, 3));
}

TEST(limit, of_a_scope_counts_children_that_wait) {
  for (const unsigned n : {1u, 4u}) {
    heist::pool p(workers(n));
    for (const std::size_t most : {std::size_t{1}, std::size_t{3}}) {
      crowd all;
      std::atomic<int> ran{0};
      p.run([&] {
        heist::scope s(heist::limit{most});
        for (int i = 0; i < 100; ++i)
          s.spawn([&, i] {
            all.visit([&] { i % 2 == 0 ? nap() : doze(); });
            ++ran;
            if (i < 20) s.spawn([&] { all.visit(nap), ++ran; });  // from a child, when no lane may be free
          });
        s.sync();
        EXPECT_EQ(ran, 120);
        s.spawn_later([&] { all.visit(nap), ++ran; });
      });
      EXPECT_EQ(ran, 121);
      EXPECT_LE(all.most(), static_cast<int>(most));
    }
  }
  // From threads that are not in the scope's pool.
  heist::pool two(workers(2));
  crowd mixed;
  std::atomic<int> came{0};
  two.run([&] {
    heist::scope s(heist::limit{2});
    std::thread other([&] {
      for (int i = 0; i < 50; ++i) s.spawn([&] { mixed.visit(nap), ++came; });
    });
    for (int i = 0; i < 50; ++i) s.spawn([&] { mixed.visit(nap), ++came; });
    other.join();
  });
  EXPECT_EQ(came, 100);
  EXPECT_LE(mixed.most(), 2);
  // Outside every pool.
  crowd all;
  {
    heist::scope s(heist::limit{2});
    for (int i = 0; i < 50; ++i) s.spawn([&] { all.visit(nap); });
  }
  EXPECT_LE(all.most(), 2);
}

TEST(limit, of_a_scope_stops_after_a_failure_and_on_request) {
  heist::pool p(workers(4));
  EXPECT_THROW(p.run([&] {
    heist::with_scope(
        [&](heist::scope& s) {
          for (int i = 0; i < 100; ++i)
            s.spawn([i] {
              nap();
              if (i == 10) throw std::runtime_error("ten");
            });
        },
        heist::limit{2});
  }),
               std::runtime_error);
  std::stop_source stop;
  std::atomic<int> ran{0};
  EXPECT_THROW(p.run([&] {
    heist::scope s(stop.get_token(), heist::limit{1});
    for (int i = 0; i < 100; ++i)
      s.spawn([&] {
        if (++ran == 5) stop.request_stop();
        doze();
      });
    s.sync();
  }),
               heist::cancelled);
  EXPECT_LT(ran, 100);
}

TEST(progress, counts_what_loops_and_folds_have_done) {
  heist::pool p(workers(3));
  heist::progress counted(50'000);
  std::vector<int> v(50'000, 1);
  p.run([&] {
    heist::for_each(v, [](int& x) { x = 2; }, counted);
    EXPECT_EQ(counted.done(), 50'000u);
    EXPECT_EQ(heist::reduce(v, 0, std::plus<>(), counted), 100'000);
    EXPECT_EQ(counted.done(), 100'000u);
    heist::par(v).for_each([](int& x) { x = 1; }, counted);
    heist::for_each_index(0, 100, [](int) {}, heist::limit{2}, counted);
    EXPECT_EQ(counted.done(), 150'100u);
  });
}

TEST(progress, reports_seldom_and_once_more_at_the_end) {
  std::vector<std::size_t> reports;
  {
    heist::progress all(1000, [&](const heist::progress::state& s) {
      reports.push_back(s.done);
      EXPECT_EQ(s.total, 1000u);
    }, 1000);
    heist::for_each_index(0, 1000, [](int) { std::this_thread::sleep_for(std::chrono::microseconds(20)); }, all);
  }
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.back(), 1000u);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
  int last = 0;
  {
    heist::progress seldom(10, [&](std::size_t done, std::size_t) { last = static_cast<int>(done); }, 1e-9);
    for (int i = 0; i < 10; ++i) seldom.add();
    EXPECT_EQ(last, 0);
  }
  EXPECT_EQ(last, 10);
  EXPECT_THROW(heist::progress(1, [](std::size_t, std::size_t) {}, 0.0), std::invalid_argument);
}

TEST(progress, draws_a_bar) {
  const heist::progress_bar bar("sorting");
  using namespace std::chrono_literals;
  EXPECT_EQ(bar.line({.done = 1024, .total = 2048, .elapsed = 65s, .finished = false}, 80),
            "sorting [##################··················]  50 %  1,024 of 2,048  1:05 left");
  EXPECT_EQ(bar.line({.done = 5, .total = 5, .elapsed = 3700s, .finished = true}, 20), "sorting 100 %  5 of 5  1:01:40");
  EXPECT_EQ(heist::progress_bar().line({.done = 1234567, .total = 0, .elapsed = 1s, .finished = false}, 80), "1,234,567  0:01");
}

// Futures and promises: what one strand brings, another one gets.

#include "tests/waiting/places.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

using namespace std::chrono_literals;
using heist_test::eventually;
using heist_test::everywhere;

template <class F>
std::error_code error_of(F&& f) {
  try {
    f();
  } catch (const std::future_error& e) {
    return e.code();
  }
  return {};
}

class promise : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(places, promise, everywhere);

TEST_P(promise, brings_its_value_before_it_is_asked_for) {
  run([] {
    heist::promise<int> p;
    heist::future<int> f = p.get_future();
    EXPECT_TRUE(f.valid());
    EXPECT_FALSE(f.ready());
    p.set_value(42);
    EXPECT_TRUE(f.ready());
    EXPECT_EQ(f.get(), 42);
    EXPECT_FALSE(f.valid());
  });
}

TEST_P(promise, wakes_the_one_that_waits) {
  for (int i = 0; i < 100; ++i) run([&] {
      heist::promise<std::string> p;
      heist::future<std::string> f = p.get_future();
      std::thread other([&] {
        if (i % 2 == 0) std::this_thread::sleep_for(20us);
        p.set_value("here");
      });
      EXPECT_EQ(f.get(), "here");
      other.join();
    });
}

TEST_P(promise, of_void_and_of_what_only_moves) {
  run([] {
    heist::promise<void> v;
    auto fv = v.get_future();
    v.set_value();
    fv.get();
    EXPECT_FALSE(fv.valid());

    heist::promise<std::unique_ptr<int>> u;
    auto fu = u.get_future();
    u.set_value(std::make_unique<int>(7));
    EXPECT_EQ(*fu.get(), 7);
  });
}

TEST_P(promise, carries_an_exception) {
  run([] {
    heist::promise<int> p;
    auto f = p.get_future();
    p.set_exception(std::make_exception_ptr(std::runtime_error("no")));
    EXPECT_THROW(f.get(), std::runtime_error);
    EXPECT_FALSE(f.valid());
  });
}

TEST_P(promise, destroyed_unused_breaks_the_future) {
  run([] {
    heist::future<int> f;
    {
      heist::promise<int> p;
      f = p.get_future();
    }
    EXPECT_EQ(error_of([&] { f.get(); }), std::future_errc::broken_promise);

    heist::promise<int> q;
    f = q.get_future();
    q = heist::promise<int>();
    EXPECT_EQ(error_of([&] { f.get(); }), std::future_errc::broken_promise);
  });
}

TEST_P(promise, moved_from_breaks_nothing) {
  run([] {
    heist::promise<int> p;
    auto f = p.get_future();
    {
      heist::promise<int> q = std::move(p);
      EXPECT_EQ(error_of([&] { p.set_value(1); }), std::future_errc::no_state);
      EXPECT_EQ(error_of([&] { (void)p.get_future(); }), std::future_errc::no_state);
      p = std::move(q);
    }
    p.set_value(3);
    EXPECT_EQ(f.get(), 3);
  });
}

TEST_P(promise, is_kept_once) {
  run([] {
    heist::promise<int> p;
    auto f = p.get_future();
    EXPECT_EQ(error_of([&] { (void)p.get_future(); }), std::future_errc::future_already_retrieved);
    p.set_value(1);
    EXPECT_EQ(error_of([&] { p.set_value(2); }), std::future_errc::promise_already_satisfied);
    EXPECT_EQ(error_of([&] { p.set_exception(nullptr); }), std::future_errc::promise_already_satisfied);
    EXPECT_EQ(f.get(), 1);
    EXPECT_EQ(error_of([&] { f.get(); }), std::future_errc::no_state);
  });
}

TEST_P(promise, whose_value_cannot_be_made_can_still_be_kept) {
  struct stubborn {
    explicit stubborn(bool fail) {
      if (fail) throw std::runtime_error("not now");
    }
  };
  run([] {
    heist::promise<stubborn> p;
    auto f = p.get_future();
    EXPECT_THROW(p.set_value(true), std::runtime_error);
    EXPECT_FALSE(f.ready());
    p.set_value(false);
    f.get();
  });
}

TEST_P(promise, may_be_destroyed_by_the_one_that_gets_the_value) {
  for (int i = 0; i < 200; ++i) run([] {
      auto p = std::make_unique<heist::promise<int>>();
      heist::promise<int>& keeps = *p;
      auto f = p->get_future();
      std::thread other([&keeps] { keeps.set_value(1); });
      EXPECT_EQ(f.get(), 1);
      p.reset();
      other.join();
    });
}

TEST(empty_future, refuses_everything) {
  heist::future<int> f;
  EXPECT_FALSE(f.valid());
  EXPECT_EQ(error_of([&] { f.get(); }), std::future_errc::no_state);
  EXPECT_EQ(error_of([&] { f.wait(); }), std::future_errc::no_state);
  EXPECT_EQ(error_of([&] { (void)f.ready(); }), std::future_errc::no_state);
  EXPECT_EQ(error_of([&] { (void)f.wait_for(1ns); }), std::future_errc::no_state);
  EXPECT_EQ(error_of([&] { (void)f.shared(); }), std::future_errc::no_state);
  EXPECT_EQ(error_of([&] { (void)f.then([](int) {}); }), std::future_errc::no_state);
  EXPECT_EQ(error_of([&] { heist::shared_future<int>().get(); }), std::future_errc::no_state);
}

class future_wait : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(places, future_wait, everywhere);

TEST_P(future_wait, returns_at_the_deadline_and_not_before) {
  run([] {
    heist::promise<int> p;
    auto f = p.get_future();
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(f.wait_for(2ms), std::future_status::timeout);
    EXPECT_GE(std::chrono::steady_clock::now() - start, 2ms);
    const auto by_another_clock = std::chrono::system_clock::now() + 2ms;
    EXPECT_EQ(f.wait_until(by_another_clock), std::future_status::timeout);
    EXPECT_GE(std::chrono::system_clock::now(), by_another_clock);
    EXPECT_EQ(f.wait_for(-1h), std::future_status::timeout);
    EXPECT_EQ(f.wait_for(0ns), std::future_status::timeout);
    p.set_value(5);
    EXPECT_EQ(f.wait_for(std::chrono::hours::max()), std::future_status::ready);
    EXPECT_EQ(f.wait_until(std::chrono::steady_clock::now() - 1h), std::future_status::ready);
    EXPECT_EQ(f.get(), 5);
  });
}

TEST_P(future_wait, with_a_far_deadline_ends_with_the_value) {
  run([] {
    heist::promise<void> p;
    auto f = p.get_future();
    std::thread other([&] { p.set_value(); });
    EXPECT_EQ(f.wait_until(std::chrono::steady_clock::time_point::max()), std::future_status::ready);
    other.join();
  });
}

TEST_P(future_wait, ends_by_a_stop_and_the_future_stays_valid) {
  run([] {
    heist::promise<int> p;
    auto f = p.get_future();
    std::stop_source stop;
    std::thread other([&] { stop.request_stop(); });
    EXPECT_THROW(f.get(stop.get_token()), heist::cancelled);
    EXPECT_THROW(f.wait(stop.get_token()), heist::cancelled);
    EXPECT_THROW(f.wait_for(1h, stop.get_token()), heist::cancelled);
    EXPECT_EQ(f.wait_for(0s, stop.get_token()), std::future_status::timeout);
    other.join();
    EXPECT_TRUE(f.valid());
    p.set_value(9);
    EXPECT_EQ(f.get(stop.get_token()), 9);
  });
}

TEST_P(future_wait, of_many_is_ended_for_all) {
  run([] {
    heist::promise<int> p;
    const heist::shared_future<int> all = p.get_future().shared();
    std::atomic<int> got{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&got, mine = all] { got += mine.get(); });
    std::this_thread::sleep_for(200us);
    p.set_value(2);
    for (auto& t : threads) t.join();
    EXPECT_EQ(got, 16);
    EXPECT_EQ(&all.get(), &all.get());
  });
}

TEST_P(future_wait, of_a_shared_one_throws_each_time) {
  run([] {
    heist::promise<void> p;
    heist::shared_future<void> a = p.get_future();
    const heist::shared_future<void> b = a;
    EXPECT_EQ(b.wait_for(1us), std::future_status::timeout);
    p.set_exception(std::make_exception_ptr(std::runtime_error("no")));
    EXPECT_THROW(a.get(), std::runtime_error);
    EXPECT_THROW(a.get(), std::runtime_error);
    a = {};
    EXPECT_FALSE(a.valid());
    EXPECT_THROW(b.get(), std::runtime_error);
  });
}

// Every strand gets what its neighbour has promised: no tree has these edges.
TEST_P(future_wait, passes_sideways_between_strands) {
  run([] {
    constexpr int n = 64;
    std::vector<heist::promise<int>> promises(n);
    std::vector<heist::future<int>> futures;
    for (auto& p : promises) futures.push_back(p.get_future());
    promises[0].set_value(1);
    // From the left to the right, so that one worker does not wait for itself.
    heist::scope s;
    for (int i = 1; i < n; ++i)
      s.spawn([&, i] { promises[static_cast<std::size_t>(i)].set_value(futures[static_cast<std::size_t>(i) - 1].get() + 1); });
    EXPECT_EQ(futures[n - 1].get(), n);
    s.sync();
  });
}

}  // namespace

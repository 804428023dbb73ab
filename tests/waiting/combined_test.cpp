// then, when_all and when_any.

#include "tests/waiting/places.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {

using heist_test::everywhere;

struct failed : std::runtime_error {
  explicit failed(int n) : std::runtime_error("failed"), number(n) {}
  int number;
};

std::exception_ptr failure(int n) { return std::make_exception_ptr(failed(n)); }

class then : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(places, then, everywhere);

TEST_P(then, is_called_with_the_value_when_it_comes) {
  run([] {
    heist::promise<int> p;
    auto before = p.get_future();
    bool called = false;
    heist::future<std::string> f = before.then([&](int n) {
      called = true;
      return std::to_string(n);
    });
    EXPECT_FALSE(before.valid());
    EXPECT_FALSE(called);
    p.set_value(12);
    EXPECT_TRUE(called);
    EXPECT_EQ(f.get(), "12");
  });
}

TEST_P(then, is_called_at_once_if_the_value_is_there) {
  run([] {
    heist::promise<int> p;
    p.set_value(12);
    heist::future<int> f = p.get_future().then([](int n) { return n + 1; });
    EXPECT_TRUE(f.ready());
    EXPECT_EQ(f.then([](int n) { return n + 1; }).get(), 14);
  });
}

TEST_P(then, of_void_and_of_what_only_moves) {
  run([] {
    heist::promise<void> p;
    heist::future<std::unique_ptr<int>> a = p.get_future().then([] { return std::make_unique<int>(1); });
    heist::future<void> b = a.then([held = std::make_unique<int>(1)](std::unique_ptr<int> n) { EXPECT_EQ(*n, *held); });
    heist::future<int> c = b.then([] { return 5; });
    p.set_value();
    EXPECT_EQ(c.get(), 5);
  });
}

TEST_P(then, is_not_called_after_a_failure_which_travels_on) {
  run([] {
    heist::promise<int> p;
    int calls = 0;
    auto f = p.get_future().then([&](int n) { return ++calls, n; }).then([&](int) { ++calls; });
    p.set_exception(failure(1));
    EXPECT_THROW(f.get(), failed);
    EXPECT_EQ(calls, 0);

    heist::promise<int> q;
    q.set_exception(failure(2));
    EXPECT_THROW(q.get_future().then([&](int) { ++calls; }).get(), failed);
    EXPECT_EQ(calls, 0);
  });
}

TEST_P(then, fails_with_what_its_function_throws) {
  run([] {
    heist::promise<int> p;
    auto f = p.get_future().then([](int n) -> int { throw failed(n); });
    p.set_value(3);
    EXPECT_THROW(f.get(), failed);
    heist::promise<int> q;
    q.set_value(3);
    EXPECT_THROW(q.get_future().then([](int n) -> int { throw failed(n); }).get(), failed);
  });
}

TEST_P(then, of_a_future_that_is_dropped_is_still_called) {
  run([] {
    heist::promise<int> p;
    int got = 0;
    static_cast<void>(p.get_future().then([&](int n) { got = n; }));
    p.set_value(4);
    EXPECT_EQ(got, 4);
  });
}

TEST_P(then, destroys_its_function_before_the_future_is_ready) {
  run([] {
    heist::promise<int> p;
    auto held = std::make_shared<int>(0);
    auto f = p.get_future().then([held](int n) { return n; });
    EXPECT_EQ(held.use_count(), 2);
    p.set_value(4);
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_EQ(f.get(), 4);
  });
}

TEST_P(then, in_a_chain_of_100000_needs_no_deep_stack) {
  run([] {
    heist::promise<int> p;
    heist::future<int> f = p.get_future();
    for (int i = 0; i < 100'000; ++i) f = f.then([](int n) { return n + 1; });
    p.set_value(0);
    EXPECT_EQ(f.get(), 100'000);

    heist::promise<int> broken;
    f = broken.get_future();
    for (int i = 0; i < 100'000; ++i) f = f.then([](int n) { return n + 1; });
    broken = {};
    EXPECT_THROW(f.get(), std::future_error);
  });
}

class when_all : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(places, when_all, everywhere);

TEST_P(when_all, gives_the_values_in_the_order_of_the_arguments) {
  run([] {
    heist::promise<int> a;
    heist::promise<void> b;
    heist::promise<std::unique_ptr<int>> c;
    auto all = heist::when_all(a.get_future(), b.get_future(), c.get_future());
    c.set_value(std::make_unique<int>(3));
    a.set_value(1);
    EXPECT_FALSE(all.ready());
    b.set_value();
    EXPECT_TRUE(all.ready());
    std::tuple<int, std::monostate, std::unique_ptr<int>> got = all.get();
    EXPECT_EQ(std::get<0>(got), 1);
    EXPECT_EQ(*std::get<2>(got), 3);
  });
}

TEST_P(when_all, waits_for_all_and_fails_as_the_first_argument_that_failed) {
  run([] {
    heist::promise<int> a, b, c;
    auto all = heist::when_all(a.get_future(), b.get_future(), c.get_future());
    c.set_exception(failure(3));
    b.set_exception(failure(2));
    EXPECT_FALSE(all.ready());
    a.set_value(1);
    try {
      all.get();
      FAIL();
    } catch (const failed& e) {
      EXPECT_EQ(e.number, 2);
    }
  });
}

TEST_P(when_all, of_a_vector) {
  run([] {
    std::vector<heist::promise<int>> promises(1000);
    std::vector<heist::future<int>> futures;
    for (auto& p : promises) futures.push_back(p.get_future());
    auto all = heist::when_all(std::move(futures));
    for (std::size_t i = promises.size(); i-- > 0;) promises[i].set_value(static_cast<int>(i));
    const std::vector<int> got = all.get();
    ASSERT_EQ(got.size(), promises.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], static_cast<int>(i));
  });
}

TEST_P(when_all, of_a_vector_fails_as_its_first_failure) {
  run([] {
    std::vector<heist::promise<void>> promises(3);
    std::vector<heist::future<void>> futures;
    for (auto& p : promises) futures.push_back(p.get_future());
    auto all = heist::when_all(std::move(futures));
    promises[2].set_exception(failure(2));
    promises[1].set_exception(failure(1));
    promises[0].set_value();
    try {
      all.get();
      FAIL();
    } catch (const failed& e) {
      EXPECT_EQ(e.number, 1);
    }
  });
}

TEST_P(when_all, of_nothing_is_ready) {
  run([] {
    EXPECT_TRUE(heist::when_all().ready());
    EXPECT_TRUE(heist::when_all(std::vector<heist::future<int>>()).get().empty());
    heist::when_all(std::vector<heist::future<void>>()).get();
  });
}

TEST_P(when_all, refuses_an_empty_future) {
  run([] { EXPECT_THROW((void)heist::when_all(heist::future<int>()), std::future_error); });
}

class when_any : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(places, when_any, everywhere);

TEST_P(when_any, gives_the_first_that_is_ready_and_leaves_the_futures) {
  run([] {
    heist::promise<int> a;
    heist::promise<std::string> b;
    auto fa = a.get_future();
    auto fb = b.get_future();
    auto any = heist::when_any(fa, fb);
    EXPECT_FALSE(any.ready());
    b.set_value("b");
    EXPECT_EQ(any.get(), 1u);
    EXPECT_EQ(fb.get(), "b");
    EXPECT_TRUE(fa.valid());
    EXPECT_FALSE(fa.ready());
    a.set_value(1);
    EXPECT_EQ(fa.get(), 1);
  });
}

TEST_P(when_any, counts_a_failure_as_ready) {
  run([] {
    heist::promise<int> a, b;
    auto fa = a.get_future(), fb = b.get_future();
    auto any = heist::when_any(fa, fb);
    a.set_exception(failure(1));
    EXPECT_EQ(any.get(), 0u);
    EXPECT_THROW(fa.get(), failed);
  });
}

TEST_P(when_any, of_a_vector_prefers_what_is_ready_already) {
  run([] {
    std::vector<heist::promise<int>> promises(10);
    std::vector<heist::future<int>> futures;
    for (auto& p : promises) futures.push_back(p.get_future());
    promises[7].set_value(7);
    promises[4].set_value(4);
    EXPECT_EQ(heist::when_any(futures).get(), 4u);

  });
}

TEST_P(when_any, asked_again_and_again_leaves_nothing_behind) {
  run([] {
    heist::promise<int> slow;
    auto waits = slow.get_future();
    for (int i = 0; i < 1000; ++i) {
      heist::promise<int> quick;
      auto comes = quick.get_future();
      auto any = heist::when_any(waits, comes);
      quick.set_value(i);
      EXPECT_EQ(any.get(), 1u);
    }
    slow.set_value(1);
    EXPECT_EQ(waits.get(), 1);
  });
}

TEST_P(when_any, of_nothing_is_refused) {
  run([] {
    EXPECT_THROW((void)heist::when_any(std::vector<heist::future<int>>()), std::invalid_argument);
    heist::future<int> empty;
    EXPECT_THROW((void)heist::when_any(empty), std::future_error);
  });
}

TEST_P(when_any, is_right_when_two_come_at_once) {
  for (int i = 0; i < 200; ++i) run([] {
      heist::promise<int> a, b;
      auto fa = a.get_future(), fb = b.get_future();
      std::thread first([&] { a.set_value(0); });
      std::thread second([&] { b.set_value(1); });
      auto any = heist::when_any(fa, fb);
      const std::size_t which = any.get();
      EXPECT_TRUE(which == 0 ? fa.ready() : fb.ready());
      first.join();
      second.join();
    });
}

// Futures that are asked by several, and futures that are not moved --------------------------------------------------

class combined : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(places, combined, everywhere);

TEST_P(combined, a_shared_future_is_continued_any_number_of_times) {
  run([] {
    heist::promise<std::string> p;
    const heist::shared_future<std::string> s = p.get_future();
    std::vector<heist::future<std::size_t>> all;
    for (std::size_t i = 0; i < 100; ++i) all.push_back(s.then([i](const std::string& v) { return v.size() + i; }));
    EXPECT_FALSE(all.front().ready());
    p.set_value("four");
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(all[i].get(), 4 + i);
    EXPECT_EQ(s.then([](const std::string& v) { return v + "!"; }).get(), "four!");
    EXPECT_EQ(s.get(), "four");

    const heist::shared_future<void> nothing = heist::async([] {});
    EXPECT_EQ(nothing.then([] { return 1; }).get() + nothing.then([] { return 2; }).get(), 3);

    heist::promise<std::unique_ptr<int>> q;
    const heist::shared_future<std::unique_ptr<int>> only = q.get_future();
    heist::future<int> seen = only.then([](const std::unique_ptr<int>& n) { return *n; });
    q.set_value(std::make_unique<int>(7));
    EXPECT_EQ(seen.get() + *only.get(), 14);

    heist::promise<int> fails;
    const heist::shared_future<int> failing = fails.get_future();
    heist::future<int> after = failing.then([](int n) { return n; });
    fails.set_exception(failure(3));
    EXPECT_THROW(after.get(), failed);
    EXPECT_THROW(failing.then([](int n) { return n; }).get(), failed);
    EXPECT_THROW((void)heist::shared_future<int>().then([](int) {}), std::future_error);
  });
}

TEST_P(combined, shared_futures_are_waited_for_together) {
  run([] {
    heist::promise<int> p;
    heist::promise<void> never;
    const heist::shared_future<int> s = p.get_future();
    const heist::shared_future<void> n = never.get_future();
    heist::future<std::size_t> first = heist::when_any(n, s);
    auto both = heist::when_all(s, heist::async([] { return 1; }), s);
    heist::future<std::vector<int>> twice = heist::when_all(std::vector{s, s});
    EXPECT_FALSE(both.ready());
    p.set_value(5);
    EXPECT_EQ(first.get(), 1u);
    EXPECT_EQ(both.get(), std::tuple(5, 1, 5));
    EXPECT_EQ(twice.get(), (std::vector{5, 5}));
    EXPECT_EQ(heist::when_any(std::vector{s, s}).get(), 0u);
    EXPECT_EQ(s.get(), 5);
  });
}

TEST_P(combined, when_all_uses_up_futures_that_are_not_moved) {
  run([] {
    heist::future<int> a = heist::async([] { return 1; });
    heist::promise<std::string> p;
    heist::future<std::string> b = p.get_future();
    auto both = heist::when_all(a, b);
    EXPECT_FALSE(a.valid());
    EXPECT_FALSE(b.valid());
    p.set_value("b");
    EXPECT_EQ(both.get(), std::tuple(1, std::string("b")));
    std::vector<heist::future<int>> several;
    for (int i = 0; i < 3; ++i) several.push_back(heist::async([i] { return i; }));
    EXPECT_EQ(heist::when_all(several).get(), (std::vector{0, 1, 2}));
    EXPECT_FALSE(several.front().valid());
  });
}

}  // namespace

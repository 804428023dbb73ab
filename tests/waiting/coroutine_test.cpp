// Coroutines that wait for futures and enter pools; senders and receivers.

#include <heist/coroutine.hpp>
#include <heist/sender.hpp>

#include "tests/waiting/places.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>

#if defined(__cpp_impl_coroutine)  // not clang before 15

namespace {

using heist_test::fib;
using heist_test::in_pools;

// A coroutine whose result is a heist::future.
template <class T>
struct task {
  struct promise_type {
    heist::promise<T> result;
    task get_return_object() { return {result.get_future()}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_value(T v) { result.set_value(std::move(v)); }
    void unhandled_exception() { result.set_exception(std::current_exception()); }
  };
  heist::future<T> result;
};

class coroutine : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(pools, coroutine, in_pools);

task<int> add(heist::future<int> a, heist::future<int> b) {
  const int first = co_await std::move(a);
  co_return first + co_await std::move(b);
}

TEST_P(coroutine, waits_for_futures) {
  heist::promise<int> a, b;
  task<int> sum = add(a.get_future(), b.get_future());
  EXPECT_FALSE(sum.result.ready());
  b.set_value(2);
  EXPECT_FALSE(sum.result.ready());
  a.set_value(1);
  EXPECT_EQ(sum.result.get(), 3);
}

TEST_P(coroutine, goes_on_at_once_if_the_value_is_there) {
  heist::promise<int> a, b;
  a.set_value(1);
  b.set_value(2);
  EXPECT_EQ(add(a.get_future(), b.get_future()).result.get(), 3);
}

TEST_P(coroutine, gets_the_exception) {
  heist::promise<int> a, b;
  task<int> sum = add(a.get_future(), b.get_future());
  a.set_exception(std::make_exception_ptr(std::runtime_error("no")));
  EXPECT_THROW(sum.result.get(), std::runtime_error);
}

task<int> ask_all(heist::pool& p, heist::future<int> a, heist::shared_future<int> b, heist::shared_future<void> c) {
  int sum = co_await a;  // used up, as by get()
  if (a.valid()) co_return -1;
  for (int i = 0; i < 3; ++i) sum += co_await b;
  const int& same = co_await heist::resume_on(p, b);
  co_await c;
  co_return sum + same + b.get();
}

TEST_P(coroutine, waits_for_futures_that_have_names_and_for_shared_ones) {
  heist::promise<int> a, b;
  heist::promise<void> c;
  task<int> sum = ask_all(*pool(), a.get_future(), b.get_future(), c.get_future());
  a.set_value(100);
  EXPECT_FALSE(sum.result.ready());
  b.set_value(1);
  c.set_value();
  EXPECT_EQ(sum.result.get(), 105);
}

task<bool> visits(heist::pool& p) {
  const auto before = std::this_thread::get_id();
  co_await heist::enter(p);
  const bool inside = std::this_thread::get_id() != before && heist::detail::this_worker() != nullptr;
  const auto there = std::this_thread::get_id();
  co_await heist::enter(p);
  co_return inside && std::this_thread::get_id() == there;
}

TEST_P(coroutine, enters_a_pool) {
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(visits(*pool()).result.get());
}

task<long> forks_there(heist::pool& p, int n) {
  co_await heist::enter(p);
  const long a = fib(n);
  const long b = co_await heist::async([n] { return fib(n); });
  co_return a + b;
}

TEST_P(coroutine, forks_and_begins_other_computations_there) {
  std::vector<heist::future<long>> all;
  for (int i = 0; i < 200; ++i) all.push_back(forks_there(*pool(), 8).result);
  for (long n : heist::when_all(std::move(all)).get()) EXPECT_EQ(n, 42);
  pool()->wait_idle();
}

task<bool> comes_back(heist::pool& p, heist::future<std::string> f) {
  const std::string got = co_await heist::resume_on(p, std::move(f));
  co_return got == "here" && heist::detail::this_worker() != nullptr;
}

TEST_P(coroutine, is_resumed_in_a_pool) {
  for (int i = 0; i < 100; ++i) {
    heist::promise<std::string> p;
    if (i % 2 == 0) p.set_value("here");
    task<bool> t = comes_back(*pool(), p.get_future());
    if (i % 2 != 0) p.set_value("here");
    EXPECT_TRUE(t.result.get());
  }
}

// Runs what it was given when it is told to, as a GUI's loop would.
class loop {
 public:
  template <class F>
  void execute(F f) {
    const std::lock_guard hold(lock_);
    todo_.emplace_back(std::move(f));
  }
  void run_one() {
    ASSERT_TRUE(heist_test::eventually([&] {
      const std::lock_guard hold(lock_);
      return !todo_.empty();
    }));
    std::function<void()> f;
    {
      const std::lock_guard hold(lock_);
      f = std::move(todo_.front());
      todo_.pop_front();
    }
    f();
  }

 private:
  std::mutex lock_;
  std::deque<std::function<void()>> todo_;
};

task<bool> asks(heist::pool& p, loop& gui) {
  const auto here = std::this_thread::get_id();
  const long n = co_await heist::resume_on(gui, heist::async(p, [] { return fib(12); }));
  co_return n == 144 && std::this_thread::get_id() == here;
}

TEST_P(coroutine, is_resumed_where_an_executor_wants) {
  loop gui;
  task<bool> t = asks(*pool(), gui);
  EXPECT_FALSE(t.result.ready());
  gui.run_one();
  EXPECT_TRUE(t.result.get());
}

}  // namespace

#endif

namespace {

struct heard {
  std::atomic<int> values{0}, stops{0};
  std::atomic<bool> on_worker{false};
};

struct receiver {
  heard* in;
  std::stop_token token;
  std::stop_token get_stop_token() const noexcept { return token; }
  void set_value() && noexcept {
    in->on_worker = heist::detail::this_worker() != nullptr;
    ++in->values;
  }
  void set_stopped() && noexcept { ++in->stops; }
};

class sender : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(pools, sender, heist_test::in_pools);

TEST_P(sender, tells_its_receiver_on_a_worker) {
  const auto where = heist::scheduler_of(*pool());
  EXPECT_EQ(where, heist::scheduler_of(*pool()));
  heard ears;
  auto operation = where.schedule().connect(receiver{&ears, {}});
  EXPECT_EQ(ears.values, 0);
  operation.start();
  pool()->wait_idle();
  EXPECT_EQ(ears.values, 1);
  EXPECT_EQ(ears.stops, 0);
  EXPECT_TRUE(ears.on_worker);
}

TEST_P(sender, tells_its_receiver_of_a_stop) {
  heard ears;
  std::stop_source stop;
  stop.request_stop();
  auto operation = heist::scheduler_of(*pool()).schedule().connect(receiver{&ears, stop.get_token()});
  operation.start();
  pool()->wait_idle();
  EXPECT_EQ(ears.values, 0);
  EXPECT_EQ(ears.stops, 1);
}

}  // namespace

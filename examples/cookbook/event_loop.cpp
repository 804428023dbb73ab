// Recipe: a window whose thread must never wait starts work in a pool, gets the answer as an event, and can cancel it.

#include <heist/async.hpp>
#include <heist/cancelled.hpp>
#include <heist/coroutine.hpp>
#include <heist/pool.hpp>
#include <heist/reduce.hpp>

#include <condition_variable>
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <ranges>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

// region: loop
// Stands for the loop of a toolkit. Qt has QMetaObject::invokeMethod for execute(), GTK has g_idle_add.
class event_loop {
 public:
  // Any thread: calls f on the thread of the loop, later.
  void execute(std::function<void()> f) {
    {
      const std::lock_guard hold(lock_);
      events_.push_back(std::move(f));
    }
    came_.notify_one();
  }

  // The thread of the window: handles events until done() is true.
  template <class Done>
  void run(Done done) {
    while (!done()) {
      std::unique_lock hold(lock_);
      came_.wait(hold, [this] { return !events_.empty(); });
      const std::function<void()> event = std::move(events_.front());
      events_.pop_front();
      hold.unlock();
      event();
    }
  }

 private:
  std::mutex lock_;
  std::condition_variable came_;
  std::deque<std::function<void()>> events_;
};
// end

std::uint64_t steps(std::uint64_t n) {
  std::uint64_t count = 0;
  for (; n != 1; ++count) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return count;
}

// region: work
// All steps that the numbers below n take to reach 1. Throws heist::cancelled after a stop request.
std::uint64_t all_steps(std::uint64_t n, const std::stop_token& stop) {
  return heist::transform_reduce(std::views::iota(std::uint64_t{1}, n), std::uint64_t{0}, std::plus<>(), steps, stop);
}
// end

// region: coroutine
// A coroutine that nobody waits for. Libraries for coroutines have such a type.
struct handler {
  struct promise_type {
    handler get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};
// end

class window {
 public:
  explicit window(event_loop& loop) : loop_(loop) {}
  ~window() { cancel(); }

  // region: window
  // A button: starts the computation and returns.
  void compute(std::uint64_t n) {
    pool_.detach([this, n, stop = new_token()] {
      std::string answer;
      try {
        answer = std::to_string(all_steps(n, stop));
      } catch (const std::exception& e) {
        answer = e.what();
      }
      loop_.execute([this, answer] { show(answer); });
    });
  }

  // Another button.
  void cancel() {
    if (stop_) stop_->request_stop();
  }
  // end

  // region: handler
  // The first button again, as a coroutine.
  handler compute_and_tell(std::uint64_t n) {
    try {
      show("please wait");
      heist::future<std::uint64_t> later = heist::async(pool_, [n, stop = new_token()] { return all_steps(n, stop); });
      const std::uint64_t found = co_await heist::resume_on(loop_, std::move(later));
      show(std::to_string(found));  // on the window's thread, as before the co_await
    } catch (const heist::cancelled&) {
      show("cancelled");
    }
  }
  // end

  const std::vector<std::string>& shown() const { return shown_; }

 private:
  // Only the window's thread may draw.
  void show(const std::string& text) {
    shown_.push_back(std::this_thread::get_id() == drawer_ ? text : "on a wrong thread: " + text);
  }
  std::stop_token new_token() { return stop_.emplace().get_token(); }

  const std::thread::id drawer_ = std::this_thread::get_id();
  event_loop& loop_;
  std::optional<std::stop_source> stop_;
  std::vector<std::string> shown_;
  // region: pool
  heist::pool pool_;  // the last member: its destructor waits for the functions that use the others
  // end
};

}  // namespace

int main() {
  event_loop loop;
  window w(loop);
  auto shown = [&](std::size_t n) { return [&w, n] { return w.shown().size() == n; }; };
  const std::uint64_t few = 100'000, many = 100'000'000'000;
  w.compute(few);
  loop.run(shown(1));
  w.compute(many);
  w.cancel();
  loop.run(shown(2));
  w.compute_and_tell(few);
  loop.run(shown(4));
  w.compute_and_tell(many);
  w.cancel();
  loop.run(shown(6));
  for (const std::string& s : w.shown()) std::printf("%s\n", s.c_str());
  const auto& s = w.shown();
  return s[0] == "10753712" && s[1].find("cancelled") != s[1].npos && s[3] == s[0] && s[5] == "cancelled" ? 0 : 1;
}

// Strands that wait for each other and for a thread outside: trees with suspends, futures, sleeps and mutexes, channels
// between producers and consumers, and waits without an event that are stopped at some time.

#include "random_program.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using stress::dice;
using stress::fail;

// A thread outside the pool that resumes what it is given, in any order, and forgets nothing.
class bell {
 public:
  explicit bell(std::uint64_t seed) : thread_([this, seed] { ring(seed); }) {}
  ~bell() {
    stop_ = true;
    thread_.join();
  }
  bell(const bell&) = delete;

  void put(heist::resumption r) {
    const std::lock_guard hold(lock_);
    waiting_.push_back(std::move(r));
  }

 private:
  void ring(std::uint64_t seed) {
    dice d(seed);
    for (;;) {
      std::optional<heist::resumption> one;
      {
        const std::lock_guard hold(lock_);
        if (waiting_.empty() && stop_) return;
        if (!waiting_.empty()) {
          std::swap(waiting_[d.below(waiting_.size())], waiting_.back());
          one = std::move(waiting_.back());
          waiting_.pop_back();
        }
      }
      if (one)
        one->resume();
      else
        std::this_thread::yield();
    }
  }

  std::mutex lock_;
  std::vector<heist::resumption> waiting_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

struct world {
  heist::pool& pool;
  bell& by;
  heist::mutex locks[4] = {};
  heist::shared_mutex shared = {};
  heist::counting_semaphore<> permits{3};
  std::atomic<std::uint64_t> waits{0};
};

std::uint64_t serial(std::uint64_t name, int level) {
  if (level == 0) return stress::hash(name);
  return stress::hash(serial(stress::hash(name + 1), level - 1) * 31 + serial(stress::hash(name + 2), level - 1));
}

void wait_somehow(dice& d, world& w) {
  ++w.waits;
  switch (d.below(8)) {
    case 0: return heist::suspend([](heist::resumption r) { r.resume(); });
    case 1: return heist::suspend([&](heist::resumption r) { w.by.put(std::move(r)); });
    case 2: return heist::suspend([&](heist::resumption r) { w.by.put(std::move(r)); }, std::stop_token());
    case 3: return heist::sleep_for(std::chrono::microseconds(d.below(200)));
    case 4: return heist::blocking([&] { std::this_thread::sleep_for(std::chrono::microseconds(d.below(300))); });
    case 5: {
      const std::lock_guard hold(w.shared);
      return;
    }
    case 6:
      w.permits.acquire();
      heist::suspend([&](heist::resumption r) { w.by.put(std::move(r)); });
      return w.permits.release();
    default: {
      const std::lock_guard hold(w.locks[d.below(4)]);
      if (d.one_in(4)) heist::sleep_for(std::chrono::microseconds(1));
    }
  }
}

std::uint64_t tree(std::uint64_t name, int level, world& w) {
  dice d(name);
  if (d.one_in(3)) wait_somehow(d, w);
  if (level == 0) return stress::hash(name);
  auto left = [&w, name, level] { return tree(stress::hash(name + 1), level - 1, w); };
  auto right = [&w, name, level] { return tree(stress::hash(name + 2), level - 1, w); };
  std::uint64_t a = 0, b = 0;
  if (d.one_in(3)) {
    heist::future<std::uint64_t> later = heist::async(right);
    a = left();
    b = d.one_in(2) ? std::move(later).then([](std::uint64_t x) { return x; }).get() : later.get();
  } else {
    std::tie(a, b) = heist::join(left, right);
  }
  if (d.one_in(4)) wait_somehow(d, w);
  return stress::hash(a * 31 + b);
}

void channels(dice& d, world& w) {
  const std::uint64_t producers = 1 + d.below(5), consumers = 1 + d.below(5), each = d.below(200);
  heist::channel<std::uint64_t> c(d.below(4));
  std::atomic<std::uint64_t> sum{0}, left{producers};
  w.pool.run([&] {
    heist::with_scope([&](heist::scope& s) {
      for (std::uint64_t i = 0; i < consumers; ++i)
        s.spawn([&] {
          for (const std::uint64_t v : c) sum += v;
        });
      for (std::uint64_t i = 0; i < producers; ++i)
        s.spawn([&] {
          for (std::uint64_t v = 1; v <= each; ++v)
            while (v % 3 == 0 ? !c.push_for(v, std::chrono::microseconds(50)) : (c.push(v), false)) {
            }
          if (--left == 0) c.close();
        });
    });
  });
  if (sum != producers * each * (each + 1) / 2) fail("a channel has lost or doubled a value");
}

// Nobody brings what these wait for.
void stopped(dice& d, world& w) {
  std::stop_source source;
  heist::latch closed(1);
  heist::channel<int> empty(0);
  heist::promise<int> unkept;
  heist::shared_future<int> never = unkept.get_future().shared();
  std::mutex lock;
  std::vector<heist::resumption> kept;
  std::atomic<int> ended{0};
  auto wait = [&](std::uint64_t how) {
    struct end {
      std::atomic<int>& n;
      ~end() { ++n; }
    } const at_end{ended};
    switch (how) {
      case 0: return closed.wait();
      case 1: return static_cast<void>(empty.pop());
      case 2: return never.wait();
      case 3: return heist::sleep_for(std::chrono::hours(1));
      default:
        heist::suspend(
            [&](heist::resumption r) {
              const std::lock_guard hold(lock);
              kept.push_back(std::move(r));
            },
            std::stop_token());
    }
  };
  const int n = 1 + static_cast<int>(d.below(40));
  std::thread stopper([&, after = d.below(300)] {
    std::this_thread::sleep_for(std::chrono::microseconds(after));
    source.request_stop();
  });
  bool cancelled = false;
  try {
    w.pool.run(
        [&] {
          heist::with_scope([&](heist::scope& s) {
            for (int i = 0; i < n; ++i) s.spawn([&wait, how = d.below(5)] { wait(how); });
          });
        },
        source.get_token());
  } catch (const heist::cancelled&) {
    cancelled = true;
  }
  stopper.join();
  if (!cancelled) fail("waits without an event have ended, and were not stopped");
  if (ended > n) fail("a wait has ended twice");
  for (heist::resumption& r : kept)
    if (d.one_in(2)) r.resume();
  unkept.set_value(1);
}

void round(stress::session& s) {
  dice d(s.seed());
  stress::doing("the pool was made");
  heist::options o = stress::random_options(d);
  o.workers = 1 + o.workers % 5;
  bell by(d.next());
  heist::pool pool(o);
  world w{pool, by};
  stress::doing("trees waited");
  auto call = [&](std::uint64_t name) {
    if (pool.run([&] { return tree(name, 7, w); }) != serial(name, 7)) fail("a tree that waits gives a wrong answer");
  };
  std::vector<std::thread> others;
  for (auto n = d.below(3); n > 0; --n) others.emplace_back(call, d.next());
  call(d.next());
  for (std::thread& t : others) t.join();
  stress::doing("channels were used");
  channels(d, w);
  stress::doing("waits were stopped");
  stopped(d, w);
  if (pool.stats().waiting != 0) fail("a wait that has ended is counted");
  s.count("trees", others.size() + 1);
  s.count("waits", w.waits);
  s.most("at once", pool.stats().waiting_peak);
  stress::doing("the pool was to end");
}

}  // namespace

int main(int argc, char** argv) {
  stress::session s("stress_waits", argc, argv, {1.5, 1});
  while (s.more()) round(s);
  return s.end();
}

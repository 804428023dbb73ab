// Compiled in chaos builds only.

#include <heist/base/random.hpp>
#include <heist/check/chaos.hpp>
#include <heist/base/cpu.hpp>

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace heist::detail::chaos {

namespace {

// How often a store is held back, in 256ths: with most seeds often, or now and then.
unsigned holding_heat(std::uint64_t seed) noexcept {
  const std::uint64_t r = mix(seed ^ 0x5107e5) % 4;
  return r == 0 ? 0 : r == 1 ? 32 : 192;
}

// How often a worker waits at a place, in 256ths. Each seed has a few places of its own where most
// of the waiting is done: equal waits everywhere would not change the order of events. A worker may
// wait while it holds back a store.
unsigned heat(std::uint64_t seed, at where) noexcept {
  const std::uint64_t r = mix(seed ^ mix(static_cast<std::uint64_t>(where) + 1)) % 16;
  const unsigned h = r < 8 ? 1 : r < 11 ? 8 : r < 14 ? 48 : 160;
  return where >= at::pushed && holding_heat(seed) > 0 ? std::max(h, 96u) : h;
}

std::uint64_t draw(std::uint64_t seed, unsigned worker, std::uint64_t step) noexcept {
  return mix(seed ^ mix((std::uint64_t{worker} << 40) ^ step));
}

struct whole {
  const char* text;
  std::uint64_t seed;
};

const whole& setting() noexcept {
  static const whole w = [] {
    const char* const text = std::getenv("HEIST_CHAOS");
    return text == nullptr || *text == 0 ? whole{nullptr, 0} : whole{text, seed_of(text)};
  }();
  return w;
}

// What a thread knows of itself. Its functions are out of line, since a strand may come back from a step on another
// thread and no caller may keep the address; and not instrumented by ThreadSanitizer, which takes a thread's stacks for
// threads.
constinit thread_local struct {
  unsigned worker = 0;  // plus 1; 0: not numbered yet
  std::uint64_t steps = 0;
  late* holding = nullptr;
} self;

struct turn {
  unsigned worker;
  std::uint64_t step;
};

[[gnu::noinline]] HEIST_NO_TSAN turn next_turn() noexcept {
  static std::atomic<unsigned> strangers{0};
  if (self.worker == 0) self.worker = (1u << 20 | strangers.fetch_add(1, std::memory_order_relaxed)) + 1;
  return {self.worker - 1, self.steps++};
}

[[gnu::noinline]] HEIST_NO_TSAN late* hold_instead(late* l) noexcept {
  late* const before = self.holding;
  self.holding = l;
  return before;
}

[[gnu::noinline]] HEIST_NO_TSAN bool holds(const late* l) noexcept { return self.holding == l; }

void carry_out(decision d) noexcept {
  switch (d.what) {
    case decision::kind::nothing:
      return;
    case decision::kind::spin:
      for (unsigned i = 0; i < d.amount; ++i) relax();
      return;
    case decision::kind::yield:
      ::sched_yield();
      return;
    case decision::kind::sleep: {
      const timespec t{0, static_cast<long>(d.amount) * 1000};
      ::nanosleep(&t, nullptr);
    }
  }
}

// Every late atomic, newest first.
std::mutex& list_lock() noexcept {
  static std::mutex& lock = *new std::mutex;  // static objects of the program may have pools
  return lock;
}
late* newest = nullptr;

}  // namespace

// Any text: FNV-1a.
std::uint64_t seed_of(const char* text) noexcept {
  std::uint64_t h = 0xcbf29ce484222325ull;
  for (; *text != 0; ++text) h = (h ^ static_cast<unsigned char>(*text)) * 0x100000001b3ull;
  return mix(h);
}

const char* seed_text() noexcept { return setting().text; }

decision decide(std::uint64_t seed, unsigned worker, std::uint64_t step, at where) noexcept {
  const std::uint64_t r = draw(seed, worker, step);
  if ((r & 255) >= heat(seed, where)) return {decision::kind::nothing, 0};
  // Short waits are the most frequent, because many more of them fit into a second. But another
  // thread meets a place that a strand passes in a nanosecond only by luck. So some waits are as
  // long as a whole steal, and a few let others run for long.
  const auto amount = static_cast<unsigned>(r >> 32 & 1023) >> (r >> 48 & 7);
  const auto lot = static_cast<unsigned>(r >> 8 & 63);
  if (lot == 0) return {decision::kind::sleep, 1 + amount / 8};
  if (lot < 6) return {decision::kind::yield, 0};
  return {decision::kind::spin, 1 + amount};
}

HEIST_NO_TSAN void work_as(unsigned worker) noexcept { self.worker = worker + 1; }

decision next(at where) noexcept {
  const auto [worker, n] = next_turn();
  return decide(setting().seed, worker, n, where);
}

void step(at where) noexcept {
  if (seed_text() == nullptr) return;
  carry_out(next(where));
  if (where >= at::pushed) drain();
}

late::late(std::int64_t value) noexcept : seen_(value) {
  const std::lock_guard hold(list_lock());
  older_ = newest;
  if (newest != nullptr) newest->newer_ = this;
  newest = this;
}

late::~late() {
  const std::lock_guard hold(list_lock());
  if (newer_ != nullptr) newer_->older_ = older_;
  if (older_ != nullptr) older_->newer_ = newer_;
  if (newest == this) newest = older_;
}

std::int64_t late::load(std::memory_order order) const noexcept {
  return seed_text() != nullptr && holds(this) ? held_ : seen_.load(order);
}

void late::store(std::int64_t value, std::memory_order order) noexcept {
  if (seed_text() == nullptr) return seen_.store(value, order);
  drain();
  const auto [worker, n] = next_turn();
  const std::uint64_t r = draw(setting().seed, worker, n);
  if ((r & 255) >= holding_heat(setting().seed)) return seen_.store(value, order);
  const std::lock_guard hold(lock_);
  held_ = value;
  order_ = order;
  holds_ = true;
  hold_instead(this);
}

void late::let_out() noexcept {
  const std::lock_guard hold(lock_);
  if (holds_) seen_.store(held_, order_);
  holds_ = false;
}

void drain() noexcept {
  if (seed_text() == nullptr) return;
  if (late* const l = hold_instead(nullptr)) l->let_out();
}

void drain_all() noexcept {
  if (seed_text() == nullptr) return;
  const std::lock_guard hold(list_lock());
  for (late* l = newest; l != nullptr; l = l->older_) l->let_out();
}

}  // namespace heist::detail::chaos

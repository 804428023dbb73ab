#include <heist/base/clock.hpp>
#include <heist/base/cpu.hpp>
#include <heist/measure.hpp>
#include <heist/sched/belongings.hpp>
#include <heist/sched/scheduler.hpp>

#include <algorithm>
#include <limits>

namespace heist {

namespace {

// How the processor's counter compares with time, and what reading it costs.
struct calibration {
  double ns_per_tick;
  std::uint64_t read_cost;

  static const calibration& get() {
    static const calibration c = make();
    return c;
  }

 private:
  static calibration make() {
    constexpr detail::nanoseconds long_enough = 5'000'000;
    const detail::nanoseconds start = detail::now();
    const std::uint64_t first = detail::ticks();
    std::uint64_t last = first, least = std::numeric_limits<std::uint64_t>::max();
    detail::nanoseconds end = start;
    do {
      for (int i = 0; i < 100; ++i) {
        const std::uint64_t next = detail::ticks();
        least = std::min(least, next - last);
        last = next;
      }
      end = detail::now();
      last = detail::ticks();
    } while (end - start < long_enough);
    return {static_cast<double>(end - start) / static_cast<double>(last - first), least};
  }
};

detail::scheduler& pool_here() {
  detail::worker* const w = detail::this_worker();
  return w != nullptr ? w->pool : detail::scheduler_of(default_pool());
}

}  // namespace

measurement::range measurement::time_on(unsigned processors) const {
  const double each = work / processors;
  return {std::max(each, span), each + burdened_span};
}

measurement::range measurement::speedup_on(unsigned processors) const {
  const range t = time_on(processors);
  return {work / t.most, work / t.least};
}

region::region(const char* name) noexcept : name_(name) {
  if (detail::this_worker() == nullptr) return;
  detail::strand_clock* const c = detail::own_clock();
  if (c == nullptr) return;
  c->touch();
  work_ = c->work();
  span_ = c->path().plain;
}

region::~region() {
  if (detail::this_worker() == nullptr) return;
  detail::strand_clock* const c = detail::own_clock();
  if (c == nullptr) return;
  c->touch();
  c->count_region({name_, 1, c->work() - work_, c->path().plain - span_});
}

void charge(std::size_t cost) noexcept {
  if (detail::this_worker() == nullptr) return;
  if (detail::strand_clock* const c = detail::own_clock()) c->charge(cost);
}

measurement detail::measure_call(void (*f)(void*), void* argument, unit in) {
  if (this_worker() == nullptr) return default_pool().run([=] { return measure_call(f, argument, in); });
  const calibration& scale = calibration::get();
  const double per_unit = in == unit::time ? scale.ns_per_tick : 1;
  scheduler& pool = pool_here();
  measuring by{in, 0, scale.read_cost};
  by.burden = in == unit::time ? static_cast<std::uint64_t>(static_cast<double>(pool.steal_cost()) / scale.ns_per_tick) : 1;
  const statistics before = pool.stats();
  const auto shares_before = pool.shares();
  measured_stretch stretch(by);
  f(argument);
  const strand_clock total = stretch.take();
  const statistics after = pool.stats();
  const auto shares_after = pool.shares();

  measurement m;
  auto scaled = [&](std::uint64_t n) { return static_cast<double>(n) * per_unit; };
  m.in = in;
  m.work = scaled(total.work());
  m.span = scaled(total.path().plain);
  m.burdened_span = scaled(total.path().burdened);
  m.burden = scaled(by.burden);
  m.forks = total.forks();
  m.steals = after.steals - before.steals;
  m.steal_attempts = after.steal_attempts - before.steal_attempts;
  m.suspends = after.suspends - before.suspends;
  for (std::size_t i = 0; i < shares_after.size(); ++i) {
    const auto former = i < shares_before.size() ? shares_before[i] : scheduler::share{};
    m.workers.push_back({shares_after[i].strands - former.strands, scaled(shares_after[i].busy_ticks - former.busy_ticks)});
  }
  for (const region_total& r : total.regions()) m.regions.push_back({r.name, r.times, scaled(r.work), scaled(r.span)});
  return m;
}

}  // namespace heist

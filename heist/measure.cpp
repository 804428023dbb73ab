#include <heist/measure.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/meter/program.hpp>
#include <heist/sched/belongings.hpp>
#include <heist/sched/scheduler.hpp>

#include <algorithm>

namespace heist {

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
  if (detail::strand_clock* const c = detail::own_clock()) c->charge({0, cost});
}

void detail::describe(const strand_clock& total, measurement& m) {
  const bool in_time = m.in == unit::time;
  const double ns = calibration::get().ns_per_tick;
  auto amount = [&](cost l) {
    return in_time ? static_cast<double>(l.ticks) * ns : static_cast<double>(l.strands);
  };
  m.work = amount(total.work());
  m.span = amount(total.path().plain);
  m.burdened_span = amount(total.path().burdened);
  m.burden = amount({burden_ticks.load(std::memory_order_relaxed), 1});
  m.forks = total.forks();
  for (measurement::share& w : m.workers) w.busy *= ns;
  for (const region_total& r : total.regions()) m.regions.push_back({r.name, r.times, amount(r.work), amount(r.span)});
}

void detail::count_pool(scheduler& pool, measurement& m) {
  const statistics s = pool.stats();
  m.steals += s.steals;
  m.steal_attempts += s.steal_attempts;
  m.suspends += s.suspends;
  m.stack_bytes_peak += s.stack_bytes_peak;
  for (const scheduler::share& w : pool.shares()) m.workers.push_back({w.strands, static_cast<double>(w.busy_ticks)});
}

measurement detail::measure_call(void (*f)(void*), void* argument, unit in) {
  if (this_worker() == nullptr) return default_pool().run([=] { return measure_call(f, argument, in); });
  scheduler& pool = this_worker()->pool;
  burden_ticks.store(static_cast<std::uint64_t>(static_cast<double>(pool.steal_cost()) / calibration::get().ns_per_tick),
                     std::memory_order_relaxed);
  measurement before, m;
  count_pool(pool, before);
  measured_stretch stretch;
  f(argument);
  const strand_clock total = stretch.take();
  m.in = in;
  count_pool(pool, m);
  m.steals -= before.steals;
  m.steal_attempts -= before.steal_attempts;
  m.suspends -= before.suspends;
  for (std::size_t i = 0; i < before.workers.size(); ++i) {
    m.workers[i].strands -= before.workers[i].strands;
    m.workers[i].busy -= before.workers[i].busy;
  }
  describe(total, m);
  return m;
}

}  // namespace heist

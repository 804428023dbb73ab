#include <heist/measure.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/meter/report.hpp>
#include <heist/pool.hpp>
#include <heist/sched/measured.hpp>
#include <heist/sched/program_profile.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist {

region::region(const char* name) noexcept : name_(name) {
  if (const detail::strand_clock* const c = detail::touch_measured_strand()) work_ = c->work(), span_ = c->path().plain;
}

region::~region() {
  if (detail::strand_clock* const c = detail::touch_measured_strand())
    c->count_region({name_, 1, c->work() - work_, c->path().plain - span_});
}

void charge(std::size_t cost) noexcept {
  if (detail::strand_clock* const c = detail::touch_measured_strand()) c->charge({0, cost});
}

measurement detail::measure_call(void (*f)(void*), void* argument, unit in) {
  if (this_worker() == nullptr) return default_pool().run([=] { return measure_call(f, argument, in); });
  scheduler& pool = this_worker()->pool;
  learn_burden(pool.steal_cost());
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

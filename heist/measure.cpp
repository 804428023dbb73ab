#include <heist/measure.hpp>
#include <heist/measure/report.hpp>
#include <heist/measure/stretch.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/pool.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/trace/program_trace.hpp>

namespace heist {

region::region(const char* name) noexcept : name_(name) {
  // Outside every pool it may not be known yet whether the program is traced: the first pool
  // decides.
  const detail::seat* const s = detail::this_seat();
  if (s == nullptr || s->by.get()->lane != nullptr) since_ = detail::now(), lane_ = s != nullptr ? s->by.get()->index : 0;
  if (const detail::strand_clock* const c = detail::touch_own_clock())
    work_ = c->work(), path_ = c->path(), forks_ = c->forks();
}

region::~region() {
  if (detail::strand_clock* const c = detail::touch_own_clock())
    detail::keep_belongings([&] {
      const detail::path_length span = c->path() - path_;
      c->count_region({name_, 1, c->work() - work_, span, span.plain, c->forks() - forks_});
    });
  if (since_ == 0) return;
  const detail::seat* const s = detail::this_seat();
  detail::program_trace* const t = s == nullptr ? detail::program_trace::begun() : nullptr;
  detail::trace_lane* const here = s != nullptr ? s->by.get()->lane : t != nullptr ? &t->outside() : nullptr;
  if (here != nullptr) here->note_region(name_, lane_, since_);
}

void charge(std::size_t cost) noexcept {
  if (detail::strand_clock* const c = detail::touch_own_clock()) c->charge({0, cost});
}

measurement detail::measure_call(void (*f)(void*), void* argument, unit in) {
#if defined(HEIST_RACE)
  f(argument);  // strands are judged, not measured
  measurement nothing;
  nothing.in = in;
  return nothing;
#endif
  if (this_worker() == nullptr) return default_pool().run([=] { return measure_call(f, argument, in); });
  metering& meters = this_worker()->pool.meters;
  learn_burden();
  measurement before, m;
  meters.count(before);
  const interruptions until_here = interruptions::until_now();
  const metered_block until_its_end(&meters);
  measured_stretch stretch;
  f(argument);
  const strand_clock total = stretch.take();
  m.in = in;
  meters.count(m);
  m.steals -= before.steals;
  m.steal_attempts -= before.steal_attempts;
  m.suspends -= before.suspends;
  for (std::size_t i = 0; i < before.workers.size(); ++i) {
    m.workers[i].strands -= before.workers[i].strands;
    m.workers[i].busy -= before.workers[i].busy;
  }
  describe(total, until_here, m);
  return m;
}

}  // namespace heist

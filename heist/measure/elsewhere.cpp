#include <heist/measure/elsewhere.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/seat.hpp>

#include <mutex>
#include <set>

namespace heist::detail {

namespace {

cost scaled(cost c, double by) { return {static_cast<std::uint64_t>(static_cast<double>(c.ticks) * by), c.strands}; }
path_length scaled(path_length p, double by) { return {scaled(p.plain, by), scaled(p.burdened, by)}; }

// A region's name lives as long as the program, and this one came in a message.
const char* lasting(const std::string& name) {
  static std::mutex lock;
  static auto* const names = new std::set<std::string>;
  const std::lock_guard hold(lock);
  return names->insert(name).first->c_str();
}

// The strand that waits for the task goes on when it has ended, and counts as one: the task's last strand is the beginning
// of that.
void leave_out_last(task_figures& f) {
  for (cost* const c : {&f.work, &f.span.plain, &f.span.burdened}) --c->strands;
}

}  // namespace

measured_task::metered::metered(metered_pool& p) : pool(p) {
  learn_burden();
  pool.begin();
}

measured_task::metered::~metered() { pool.end(); }

measured_task::measured_task(metered_pool& in) : until_its_end_(in) {}

measured_task::~measured_task() = default;

task_figures measured_task::end() {
  const strand_clock c = stretch_.take();
  const double ns = calibration::get().ns_per_tick;
  auto plain = [&](std::uint64_t ticks) { return scaled(cost{ticks, 0}, ns).ticks; };
  task_figures f{.work = scaled(c.work(), ns),
                 .short_work = scaled(c.short_work(), ns),
                 .here = scaled(c.work() - c.elsewhere(), ns),
                 .span = scaled(c.path(), ns),
                 .longest = plain(c.longest_ticks()),
                 .forks = c.forks(),
                 .deepest = c.deepest(),
                 .regions = {}};
  for (const region_total& r : c.regions())
    f.regions.push_back({r.name, r.times, r.forks, scaled(r.work, ns), scaled(r.longest, ns), scaled(r.span, ns)});
  leave_out_last(f);
  return f;
}

void leave_out_of_profile() noexcept {
  if (own_clock() == nullptr) return;
  own_belongings().clock.reset();
  this_seat()->measured_from.set(seat::never);
}

void count_task(const task_figures& done) {
  strand_clock* const mine = touch_own_clock();
  if (mine == nullptr) return;
  keep_belongings([&] {
    const double ticks = 1 / calibration::get().ns_per_tick;
    strand_clock::totals t{scaled(done.work, ticks),
                           scaled(done.short_work, ticks),
                           scaled(done.span, ticks),
                           scaled(cost{done.longest, 0}, ticks).ticks,
                           done.forks,
                           done.deepest,
                           {}};
    for (const task_figures::region& r : done.regions)
      t.regions.push_back({lasting(r.name), r.times, scaled(r.work, ticks), scaled(r.span, ticks), scaled(r.longest, ticks), r.forks});
    mine->append_from_elsewhere(t);
  });
}

bool strand_is_measured() noexcept { return this_worker() != nullptr && has_clock(); }

}  // namespace heist::detail

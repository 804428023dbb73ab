#include <heist/base/fatal.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/topology/parallelism.hpp>
#include <heist/check/chaos.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/seats.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/stack/overflow.hpp>
#include <heist/trace/program_trace.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <system_error>

namespace heist::detail {

seats::seats(scheduler& of, const options& wanted)
    : pool_(of),
      workers_(wanted.workers),
      most_blocked_(wanted.most_blocked),
      placed_(wanted.placement),
      name_(wanted.thread_name != nullptr ? wanted.thread_name : "heist"),
      on_start_(wanted.on_thread_start),
      on_stop_(wanted.on_thread_stop),
      inherited_(processors_in(wanted.processors), wanted.nice != inherited_nice ? std::optional(wanted.nice) : std::nullopt),
      program_trace_(program_trace::get()),
      trace_(program_trace_ != nullptr ? &program_trace_->enlist(workers_) : nullptr) {
  threadless_.reserve(workers_);  // room, when there is no memory for a thread
  for (unsigned i = 0; i < workers_; ++i) add(role::worker);
  // The last one listed is the first to be taken.
  for (unsigned i = workers_; i-- > 0;) {
    pool_.enlist(*all_threads_[i].at.get());
    pool_.sleepers.add_asleep(all_threads_[i]);
  }
}

void seats::stop() noexcept {
  {
    const std::lock_guard hold(lock_);
    stopping_.store(true, std::memory_order_relaxed);  // the post below carries it to each thread
  }
  for (pool_thread& t : all_threads_) {
    if (!t.system.joinable()) continue;
    t.bed.post();
    t.system.join();
  }
}

seats::~seats() {
  if (trace_ != nullptr) program_trace_->strike(*trace_);
}

// At the start, and later under lock_.
pool_thread& seats::add(role as) {
  const auto number = static_cast<unsigned>(all_threads_.size());
  trace_lane* const lane = trace_ != nullptr ? &program_trace_->add_lane(*trace_) : nullptr;
  pool_thread& t = all_threads_.emplace_back(pool_.stacks, number, as, lane);
  t.at.set(&make_seat(t));
  tsan_release(&t);  // see thread_at()
  return t;
}

// Likewise.
seat& seats::make_seat(pool_thread& sitter) {
  spare_.reserve(seats_.size() + 1);  // room for all, when they are retired
  seat& s = seats_.emplace_back(pool_, pool_.alarms.count(), sitter, static_cast<unsigned>(seats_.size()));
  tsan_release(&s.by);  // see this_seat()
  return s;
}

bool seats::has_this_thread() noexcept {
  const std::lock_guard hold(lock_);
  bool here = false;
  for (const pool_thread& t : all_threads_) here = here || t.system.get_id() == std::this_thread::get_id();
  return here;
}

// Callers from outside ---------------------------------------------------------------------------------------------

// model: idle.pml, take_seat()
pool_thread* seats::take_free() noexcept {
  if (sleeper* const z = pool_.sleepers.borrow()) return static_cast<pool_thread*>(z);
  const std::lock_guard hold(lock_);
  if (threadless_.empty()) return nullptr;
  pool_thread* const t = threadless_.back();
  threadless_.pop_back();
  return t;
}

// model: idle.pml, take_seat()
pool_thread& seats::take() {
  if (pool_thread* const t = take_free()) return *t;
  const std::lock_guard hold(lock_);
  if (vacant_.empty()) {
    // Room for its return, which must not throw.
    vacant_.reserve(all_threads_.size() + 1);
    pool_thread& t = add(role::caller);
    vacant_.push_back(&t);
  }
  pool_thread& t = *vacant_.back();
  pool_.enlist(*t.at.get());
  vacant_.pop_back();
  chaos::step(chaos::at::seat_taken);
  // order[idle.guest]: before the guest asks who sleeps; a thread lists the seat it returns, then asks for guests
  guests_.fetch_add(1, std::memory_order_seq_cst);
  return t;
}

// model: idle.pml, return_seat()
bool seats::give_back(pool_thread& t, spot where) noexcept {
  t.at.get()->note(trace_event::kind::rest);
  if (t.as == role::caller) {
    pool_.victims.remove(*t.at.get());
    // order[idle.guest]: after what the guest left, and a strand of its that waits is counted
    guests_.fetch_sub(1, std::memory_order_release);
    const std::lock_guard hold(lock_);
    vacant_.push_back(&t);
    return false;
  }
  if (t.threadless) {
    const std::lock_guard hold(lock_);
    threadless_.push_back(&t);
    return false;
  }
  pool_.sleepers.add_asleep(t);
  chaos::step(chaos::at::seat_returned);
  if (t.mail.load(std::memory_order_relaxed) > 0) rouse_for_mail(t);  // it came while the place was lent
  // While the seat was lent its thread could not be roused. A worker that searches now will look,
  // or wake the next one.
  if (pool_.sleepers.searching() > 0) return false;
  // If all workers sleep, there is no work either, unless a strand has left a seat with jobs in it.
  const bool nothing_to_do = all_rest() && pool_.waits.waiting() == 0;
  return !nothing_to_do && pool_.search.ask_and_look() && rouse_one(where);
}

bool seats::all_rest() const noexcept {
  // order[idle.guest]: after the seat is listed: a guest not counted yet will see it asleep
  return pool_.sleepers.asleep() + static_cast<int>(failures_.load(std::memory_order_relaxed)) == static_cast<int>(workers_) &&
         guests_.load(std::memory_order_seq_cst) == 0 && pool_.injected.empty() && all_threads_are_known();
}

// Seats that change hands -------------------------------------------------------------------------------------------

// Under lock_.
seat& seats::spare_seat() {
  if (spare_.empty()) spare_.push_back(&make_seat(all_threads_.front()));
  seat& s = *spare_.back();
  pool_.enlist(s);
  spare_.pop_back();
  return s;
}

// model: wait.pml, leave()
void seats::leave(pool_thread& t) noexcept {
  if_there_is_memory("no memory for another seat; too many strands wait, or the machine is short of memory", [&] {
    const std::lock_guard hold(lock_);
    seat& fresh = spare_seat();
    fresh.by.set(&t);
    fresh.running.set(t.at.get()->running.get());
    t.at.set(&fresh);
  });
  sit_at(t.at.get());
}

// model: wait.pml, take_up()
void seats::sit(pool_thread& t, seat& s) noexcept {
  seat& former = *t.at.get();
  s.by.set(&t);
  s.running.set(former.running.get());
  t.at.set(&s);
  sit_at(&s);
  retire(former);
}

void seats::retire(seat& s) noexcept {
  s.deaf.store(false, std::memory_order_relaxed);
  pool_.victims.remove(s);
  const std::lock_guard hold(lock_);
  spare_.push_back(&s);
}

// Mail ----------------------------------------------------------------------------------------------------------------

bool seats::send(unsigned worker, job& j, fp_mode mode) noexcept {
  pool_thread* t = nullptr;
  if_there_is_memory("no memory to queue a job; there are too many children, or the machine is short of memory", [&] {
    const std::lock_guard hold(lock_);
    t = &all_threads_[worker];
    mail_.push_back({t, &j, mode});
    // Relaxed: one that lies down is listed, under the list's lock, before it reads this, and we ask the list after it.
    t->mail.fetch_add(1, std::memory_order_relaxed);
  });
  if (rouse_for_mail(*t)) return true;
  const std::lock_guard hold(lock_);
  const auto unread = std::find_if(mail_.begin(), mail_.end(), [&](const letter& l) { return l.what == &j; });
  if (unread == mail_.end()) return true;
  mail_.erase(unread);
  t->mail.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

// Wakes the thread if it sleeps. If not, it searches by itself, or a caller has its place and gives it back. False if the
// thread cannot be started.
bool seats::rouse_for_mail(pool_thread& t) noexcept {
  if (!pool_.sleepers.rouse(t)) {
    const std::lock_guard hold(lock_);
    return !t.threadless;
  }
  if (call_thread(t, spot::beside)) return t.bed.post(), true;
  pool_.sleepers.strike();
  return false;
}

job* seats::take_mail(pool_thread& t) noexcept {
  const std::lock_guard hold(lock_);
  const auto mine = std::find_if(mail_.begin(), mail_.end(), [&](const letter& l) { return l.to == &t; });
  if (mine == mail_.end()) return nullptr;
  const letter taken = *mine;
  mail_.erase(mine);
  t.mail.fetch_sub(1, std::memory_order_relaxed);
  t.at.get()->accept({taken.mode, pool_.profiled()});
  return taken.what;
}

// Substitutes ---------------------------------------------------------------------------------------------------------

bool seats::replace() noexcept {
  const std::lock_guard hold(lock_);
  if (surplus_.load(std::memory_order_relaxed) > 0) {
    surplus_.fetch_sub(1, std::memory_order_relaxed);  // one that was to retire stays
    return true;
  }
  if (substitutes_ >= most_blocked_ || stopping()) return false;
  try {
    if (reserve_.empty()) {
      reserve_.reserve(all_threads_.size() + 1);  // room for its return, which must not throw
      substituted_.store(true, std::memory_order_relaxed);
      reserve_.push_back(&add(role::substitute));
    }
    pool_thread& t = *reserve_.back();
    if (!t.system.joinable()) start_thread(t);
    pool_.enlist(*t.at.get());
    reserve_.pop_back();
    ++substitutes_;
    pool_.sleepers.begin_search();
    t.bed.post();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void seats::end_replacement() noexcept {
  const std::lock_guard hold(lock_);
  surplus_.fetch_add(1, std::memory_order_relaxed);
}

bool seats::retires() noexcept {
  if (surplus_.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard hold(lock_);
  if (surplus_.load(std::memory_order_relaxed) == 0) return false;
  surplus_.fetch_sub(1, std::memory_order_relaxed);
  --substitutes_;
  return true;
}

void seats::wait_in_reserve(pool_thread& t) noexcept {
  t.at.get()->note(trace_event::kind::rest);
  t.stacks.hand_back();
  pool_.victims.remove(*t.at.get());
  {
    const std::lock_guard hold(lock_);
    reserve_.push_back(&t);
  }
  t.bed.wait();
  t.retired.set(false);
  search::get_up(t);
}

// Pool threads -----------------------------------------------------------------------------------------------------

// model: idle.pml, rouse_one()
bool seats::rouse_one(spot where) noexcept {
  while (sleeper* const z = pool_.sleepers.rouse()) {
    chaos::step(chaos::at::roused);
    auto& t = static_cast<pool_thread&>(*z);
    if (call_thread(t, where)) {
      t.bed.post();
      return true;
    }
    pool_.sleepers.strike();
  }
  return false;
}

// The caller has just taken the thread off the list of sleepers: it will run once the bed is
// posted. False if it cannot be started.
bool seats::call_thread(pool_thread& t, spot where) noexcept {
  const std::lock_guard hold(lock_);
  try {
    if (!t.system.joinable()) start_thread(t);
    // While the pool does not end, the thread has not been joined. A low-priority thread may not
    // get to run where it is sent.
    if (!stopping() && inherited_.ordinary() && placed_ != heist::placement::off)
      t.processor.send(t.system.native_handle(), where);
    return true;
  } catch (const std::exception&) {
    t.threadless = true;
    threadless_.push_back(&t);
    if (failures_.fetch_add(1, std::memory_order_relaxed) == 0)
      say("the system refuses to start more threads, so the pool runs with fewer workers than asked for; raise the limit "
          "on processes (ulimit -u, pids.max), or ask for fewer workers (HEIST_WORKERS)");
    return false;
  }
}

// Under lock_.
void seats::start_thread(pool_thread& t) {
  if (stopping()) throw std::system_error(std::make_error_code(std::errc::operation_canceled));
  // The kernel keeps 15 characters: the number is worth more than the end of the name.
  const std::string number = "-" + std::to_string(t.index);
  t.system = inherited_.start((name_.substr(0, 15 - number.size()) + number).c_str(), [this, &t] { thread_main(t); });
  if (t.as == role::worker) threads_.fetch_add(1, std::memory_order_relaxed);
}

// model: idle.pml, thread()
void seats::thread_main(pool_thread& t) noexcept {
  prepare_signal_stack();
  if (on_start_) on_start_(t.index);
  context home;
  introduce_native(home);
  t.bed.wait();  // the thread that started us has the seat until then
  t.sit({&home, &thread_exceptions(), nullptr});
  search::get_up(t);
  while (!stopping()) {
    stack* next = t.stacks.take();
    if (next != nullptr) {
      restart_for_work(*next);
    } else {
      t.stackless.add();
      next = search::work();
    }
    if (next != nullptr) visit_stacks(t, home, *next);
    t.retired.get() ? wait_in_reserve(t) : pool_.search.sleep(t);
  }
  sit_at(nullptr);  // destructors of thread-local objects may use heist
  if (on_stop_) on_stop_(t.index);
}

}  // namespace heist::detail

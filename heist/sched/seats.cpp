#include <heist/base/environment.hpp>
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
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace heist::detail {

seats::seats(scheduler& of, const options& wanted, unsigned workers)
    : pool_(of),
      placed_(wanted.placement),
      name_(wanted.thread_name != nullptr ? wanted.thread_name : "heist"),
      on_start_(wanted.on_thread_start),
      on_stop_(wanted.on_thread_stop),
      bound_to_(detail::bound_to(wanted.bind, processors_in(wanted.processors))),
      inherited_(processors_in(wanted.processors), wanted.nice != inherited_nice ? std::optional(wanted.nice) : std::nullopt),
      seed_(number_from_environment("HEIST_SEED", 0, 1'000'000'000).value_or(0)),
      program_trace_(program_trace::get()),
      trace_(program_trace_ != nullptr ? &program_trace_->enlist(workers) : nullptr) {
  for (unsigned i = 0; i < workers; ++i) add(role::worker);
  // The last one listed is the first to be taken.
  for (unsigned i = workers; i-- > 0;) pool_.service.enter(all_threads_[i]);
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
  if (as == role::worker) {  // room for its return, which must not throw
    pool_.service.expect(number + 1);
    threadless_.reserve(number + 1);
  }
  trace_lane* const lane = trace_ != nullptr ? &program_trace_->add_lane(*trace_) : nullptr;
  pool_thread& t = all_threads_.emplace_back(pool_.stacks, number, as, lane, seed_ << 32 | number);
  t.rank = as == role::worker ? made_++ : 0;
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
  return take_threadless();
}

pool_thread* seats::take_threadless() noexcept {
  if (threadless_.empty()) return nullptr;
  pool_thread* const t = threadless_.back();
  threadless_.pop_back();
  return t;
}

// It is not listed as asleep.
void seats::stand_down(pool_thread& t) noexcept {
  if (std::exchange(t.threadless, false)) failures_.fetch_sub(1, std::memory_order_relaxed);
  pool_.victims.remove(*t.at.get());
}

unsigned seats::lent() const noexcept {
  return static_cast<unsigned>(std::count_if(all_threads_.begin(), all_threads_.end(), [](const pool_thread& t) {
    return t.as == role::worker && t.serving && t.lent();
  }));
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
  {
    const std::lock_guard hold(lock_);
    pool_.service.end_relief();
    if (pool_.service.leaves(t)) {
      pool_.service.dismiss(t);
    } else if (t.threadless) {
      threadless_.push_back(&t);
      return false;
    } else {
      pool_.sleepers.add_asleep(t);
    }
  }
  chaos::step(chaos::at::seat_returned);
  if (t.mail.load(std::memory_order_relaxed) > 0) rouse_for_mail(t);  // it came while the place was lent
  pool_.outside.lies_down();
  // While the seat was lent its thread could not be roused.
  return rouse_if_needed(where);
}

bool seats::rouse_if_needed(spot where) noexcept {
  // A worker that searches now will look, or wake the next one.
  if (pool_.sleepers.searching() > 0) return false;
  // If all workers sleep, there is no work either, unless a strand has left a seat with jobs in it.
  const bool nothing_to_do = all_rest() && pool_.waits.waiting() == 0;
  return !nothing_to_do && pool_.search.ask_and_look() && rouse_one(where);
}

bool seats::no_thread_can_start() const noexcept {
  return failures_.load(std::memory_order_relaxed) >= pool_.service.serving();
}

bool seats::all_rest() const noexcept {
  // order[idle.guest]: after the seat is listed: a guest not counted yet will see it asleep
  return pool_.sleepers.asleep() + static_cast<int>(failures_.load(std::memory_order_relaxed)) ==
             static_cast<int>(pool_.service.serving()) &&
         guests_.load(std::memory_order_seq_cst) == 0 && pool_.injected.empty();
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

void seats::change(pool_thread& t) noexcept {
  seat& former = *t.at.get();
  leave(t);
  retire(former);
}

// Mail ----------------------------------------------------------------------------------------------------------------

std::vector<pool_thread*> seats::in_service() {
  std::vector<pool_thread*> all;
  const std::lock_guard hold(lock_);
  for (pool_thread& t : all_threads_)
    if (t.serving) all.push_back(&t);
  return all;
}

bool seats::send(pool_thread& t, job& j, fp_mode mode, void (*unread)(job&) noexcept) noexcept {
  bool sent = false;
  if_there_is_memory("no memory to queue a job; there are too many children, or the machine is short of memory", [&] {
    const std::lock_guard hold(lock_);
    if (!t.serving || t.threadless) return;
    mail_.put({&t, &j, mode, unread});
    sent = true;
  });
  if (sent) rouse_for_mail(t);
  return sent;
}

// Wakes the thread if it sleeps. If not, it searches by itself, or a caller has its place and gives it back.
void seats::rouse_for_mail(pool_thread& t) noexcept {
  if (pool_.sleepers.rouse(t)) wake(t, spot::beside);
}

job* seats::take_mail(pool_thread& t) noexcept {
  const std::lock_guard hold(lock_);
  const std::optional<letter> mine = mail_.take(t);
  if (!mine) return nullptr;
  t.at.get()->accept({mine->mode, pool_.profiled()});
  return mine->what;
}

// Processors ----------------------------------------------------------------------------------------------------------

unsigned seats::most_processors() noexcept {
  const std::lock_guard hold(lock_);
  int most = 0;
  for (pool_thread& t : all_threads_) {
    cpu_set_t mask;
    if (t.system.joinable() && ::pthread_getaffinity_np(t.system.native_handle(), sizeof mask, &mask) == 0)
      most = std::max(most, CPU_COUNT(&mask));
  }
  return static_cast<unsigned>(most);
}

void seats::start_like_me() noexcept {
  cpu_set_t mask;
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return;
  const std::lock_guard hold(lock_);
  processors_ = mask;
}

// Pool threads -----------------------------------------------------------------------------------------------------

// model: idle.pml, rouse_one()
bool seats::rouse_one(spot where) noexcept {
  while (sleeper* const z = pool_.sleepers.rouse()) {
    chaos::step(chaos::at::roused);
    if (wake(static_cast<pool_thread&>(*z), where)) return true;
  }
  return false;
}

// A sleeper that was taken off the list, and counts as a searcher. False if its thread cannot be started.
bool seats::wake(pool_thread& t, spot where) noexcept {
  {
    const std::lock_guard hold(lock_);
    if (!call_thread(t, where)) return pool_.sleepers.strike(), false;
  }
  t.bed.post();
  return true;
}

// The caller has just taken the thread off the list of sleepers: it will run once the bed is
// posted. False if it cannot be started. Under lock_.
bool seats::call_thread(pool_thread& t, spot where) noexcept {
  try {
    if (!t.system.joinable()) start_thread(t);
    // While the pool does not end, the thread has not been joined. A low-priority thread may not
    // get to run where it is sent.
    if (!stopping() && inherited_.ordinary() && placed_ != heist::placement::off)
      t.processor.send(t.system.native_handle(), where);
    if (std::exchange(t.threadless, false)) failures_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  } catch (const std::exception&) {
    if (!std::exchange(t.threadless, true)) failures_.fetch_add(1, std::memory_order_relaxed);
    threadless_.push_back(&t);
    mail_.give_back(t);
    if (!std::exchange(said_, true))
      say("the system refuses to start more threads, so the pool runs with fewer workers than asked for; raise the limit "
          "on processes (ulimit -u, pids.max), or ask for fewer workers (HEIST_WORKERS)");
    return false;
  }
}

// Under lock_.
void seats::start_thread(pool_thread& t) {
  if (stopping()) throw std::system_error(std::make_error_code(std::errc::operation_canceled));
  // The kernel keeps 15 characters: the number is worth more than the end of the name.
  const std::string number = std::string("-").append(std::to_string(t.index));
  t.system = inherited_.start((name_.substr(0, 15 - number.size()) + number).c_str(), [this, &t] { thread_main(t); });
  if (!bound_to_.empty()) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(bound_to_[t.rank % bound_to_.size()], &one);
    ::pthread_setaffinity_np(t.system.native_handle(), sizeof one, &one);  // if refused, it runs where the others may
  } else if (processors_) {
    allow(t.system.native_handle(), *processors_);
  }
  if (t.as == role::worker) threads_.fetch_add(1, std::memory_order_relaxed);
}

// Pool thread, at its first seat. The pool's maker has made the deque, on its own node.
void seats::touch_first(seat& s) noexcept {
  if (!pool_.search.on_several_nodes()) return;
  try {
    s.jobs.owner().renew();
  } catch (const std::bad_alloc&) {  // then the old one is used
  }
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
  touch_first(*t.at.get());
  while (!stopping()) {
    stack* next = t.stacks.take();
    if (next != nullptr) {
      restart_for_work(*next);
    } else {
      t.stackless.add();
      next = search::work();
    }
    if (next != nullptr) visit_stacks(t, home, *next);
    t.retired.get() ? pool_.service.wait_in_reserve(t) : pool_.search.sleep(t);
  }
  sit_at(nullptr);  // destructors of thread-local objects may use heist
  if (on_stop_) on_stop_(t.index);
}

}  // namespace heist::detail

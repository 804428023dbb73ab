// The steps and their argument are in README.md.

#include <heist/base/environment.hpp>
#include <heist/base/fatal.hpp>
#include <heist/base/once.hpp>
#include <heist/base/process.hpp>
#include <heist/io/last_error.hpp>
#include <heist/io/ring.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/stop_call.hpp>
#include <heist/wait/unwanted_watch.hpp>

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>
#include <thread>

namespace heist::detail {

namespace {

constexpr unsigned entries = 256, answers = 8192;
// Answers that belong to no operation.
constexpr std::uint64_t of_nobody = 0, of_the_bell = 1;

// Those of the process's ring; a child of fork() closes them.
constinit std::atomic<int> ring_descriptor{-1}, bell_descriptor{-1};

}  // namespace

// Requests ----------------------------------------------------------------------------------------------------------

void ring_requests::put(ring_request& r) noexcept {
  ring_request* last = last_.load(std::memory_order_relaxed);
  do {
    r.next = last == asleep() ? nullptr : last;
    // order[io.request]: the operation, for the ring's thread
  } while (!last_.compare_exchange_weak(last, &r, std::memory_order_release, std::memory_order_relaxed));
  // From here on `r` may be gone.
  if (last != asleep()) return;
  const std::uint64_t one = 1;
  while (::write(bell_, &one, sizeof one) < 0 && last_error() == EINTR) {
  }
}

ring_request* ring_requests::take() noexcept {
  // order[io.request]: the operations
  ring_request* last = last_.exchange(nullptr, std::memory_order_acquire);
  if (last == asleep()) return nullptr;
  ring_request* oldest = nullptr;
  while (last != nullptr) {
    ring_request* const next = last->next;
    last->next = oldest;
    oldest = last;
    last = next;
  }
  return oldest;
}

bool ring_requests::lie_down() noexcept {
  ring_request* none = nullptr;
  return last_.compare_exchange_strong(none, asleep(), std::memory_order_relaxed);
}

// The strand ----------------------------------------------------------------------------------------------------------

int operation::result() const noexcept {
  // The kernel has four numbers of its own for interrupted calls, 512 … 516, and lets them through at times.
  const bool interrupted = answer_ == -EINTR || (answer_ <= -512 && answer_ >= -516);
  if (!interrupted && answer_ != -ECANCELED) return answer_;
  switch (why_) {
    case waking::deadline:
      return -ETIMEDOUT;
    case waking::stop:
      return -ECANCELED;
    default:
      return -EINTR;  // a kernel that cancels without being asked
  }
}

void ring::perform(operation& o, nanoseconds deadline, const std::stop_token& token) noexcept {
  struct both {
    ring& of;
    operation& o;
  } self{*this, o};
  requests_.put(o.begin_);
  auto stop = [&self] { self.of.cancel(self.o, waking::stop); };
  const stop_call on_stop(token, stop);
  const unwanted_watch on_alarm(
      [](void* p) noexcept {
        auto& c = *static_cast<both*>(p);
        c.of.cancel(c.o, waking::stop);
      },
      &self);
  if (deadline == never)
    o.rest_.rest();
  else
    o.rest_.rest_until(
        deadline,
        [](void* p) noexcept {
          auto& c = *static_cast<both*>(p);
          c.of.cancel(c.o, waking::deadline);
        },
        &self);
}

// Others --------------------------------------------------------------------------------------------------------------

void ring::cancel(operation& o, waking why) noexcept {
  operation::stage before = operation::stage::open;
  // order[io.over]: the first of a stop and the answer decides; what else there is goes through the requests and the
  // wait
  if (!o.now_.compare_exchange_strong(before, operation::stage::stopping, std::memory_order_relaxed)) return;
  o.why_ = why;
  requests_.put(o.stop_);
}

// The ring's thread ---------------------------------------------------------------------------------------------------

bool ring::open() noexcept {
  bell_ = ::eventfd(0, EFD_CLOEXEC);
  if (bell_ < 0) return false;
  requests_.wake_by(bell_);
  // The first is for kernels that let only one thread use a ring (6.1): they do nothing in other threads' time then.
  for (const unsigned flags : {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, 0u}) {
    io_uring_params p{};
    p.flags = flags | IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
    p.cq_entries = answers;
    if (::io_uring_queue_init_params(entries, &kernel_, &p) < 0) continue;
    // Linux 5.7, which waits for sockets without a thread for each.
    constexpr unsigned needed = IORING_FEAT_NODROP | IORING_FEAT_RW_CUR_POS | IORING_FEAT_FAST_POLL;
    if ((p.features & needed) == needed && ::io_uring_ring_dontfork(&kernel_) == 0) {
      listen();
      if (::io_uring_submit(&kernel_) == 1) {
        ring_descriptor = kernel_.ring_fd;
        bell_descriptor = bell_;
        return true;
      }
    }
    ::io_uring_queue_exit(&kernel_);
    break;
  }
  ::close(bell_);
  return false;
}

void ring::serve() noexcept {
  for (;;) {
    begin(requests_.take());
    listen();
    enter(requests_.lie_down() ? 1 : 0);
    reap();
  }
}

void ring::begin(ring_request* r) noexcept {
  while (r != nullptr) {
    operation& o = *r->of;
    const bool stop = r == &o.stop_;
    r = r->next;  // before the strand may be gone
    if (!stop) {
      io_uring_sqe& e = next_entry();
      e = o.entry;
      ::io_uring_sqe_set_data(&e, &o);
      continue;
    }
    // If the operation has been answered, or is in a moment, the kernel finds nothing: what may come to be at its
    // address is begun after this.
    io_uring_sqe& e = next_entry();
    ::io_uring_prep_cancel(&e, &o, 0);
    ::io_uring_sqe_set_data64(&e, of_nobody);
    o.stop_seen_ = true;
    if (o.answered_) o.rest_.resume();
  }
}

void ring::listen() noexcept {
  if (listening_) return;
  io_uring_sqe& e = next_entry();
  ::io_uring_prep_read(&e, bell_, &rings_, sizeof rings_, 0);
  ::io_uring_sqe_set_data64(&e, of_the_bell);
  listening_ = true;
}

io_uring_sqe& ring::next_entry() noexcept {
  for (;;) {
    if (io_uring_sqe* const e = ::io_uring_get_sqe(&kernel_)) return *e;
    enter(0);
    reap();
  }
}

// Hands over what has been prepared, and waits for that many answers. What the kernel does not take now stays prepared.
void ring::enter(unsigned least) noexcept {
  const int error =
      -(least > 0 ? ::io_uring_submit_and_wait(&kernel_, least) : ::io_uring_submit_and_get_events(&kernel_));
  // No memory at the moment; or too many answers that nobody has read.
  if (error <= 0 || error == EINTR || error == EBUSY) return;
  if (error == EAGAIN) return std::this_thread::yield();
  fatal("the kernel has ended heist::io's ring; the program may have closed a descriptor that is not its own");
}

void ring::reap() noexcept {
  unsigned head, seen = 0;
  io_uring_cqe* answer;
  io_uring_for_each_cqe(&kernel_, head, answer) {
    ++seen;
    if (answer->user_data == of_nobody) continue;
    if (answer->user_data == of_the_bell)
      listening_ = false;
    else
      end(*static_cast<operation*>(::io_uring_cqe_get_data(answer)), answer->res);
  }
  ::io_uring_cq_advance(&kernel_, seen);
}

void ring::end(operation& o, int answer) noexcept {
  o.answer_ = answer;
  o.answered_ = true;
  operation::stage before = operation::stage::open;
  // If somebody wants it cancelled, the request to do so points to it, and must come first.
  // order[io.over]: see cancel()
  if (o.stop_seen_ || o.now_.compare_exchange_strong(before, operation::stage::over, std::memory_order_relaxed))
    o.rest_.resume();
}

// The process's ring --------------------------------------------------------------------------------------------------

bool ring::start() {
  // At a worker, what the pool's threads have: the worker itself may be on a single processor at this moment.
  if (const worker* const w = this_worker()) mine_ = w->pool.seats.inherited();
  try {
    mine_
        .start("heist-io",
               [this] {
                 // No other thread may open it: see open().
                 const bool opened = open();
                 state_ = opened ? working : refused;
                 state_.notify_one();
                 if (opened) serve();
               })
        .detach();
  } catch (const std::system_error&) {
    return false;
  }
  state_.wait(starting);
  return state_ == working;
}

ring* ring::make() {
  static const bool watching = (at_fork_in_child([] {
                                  for (std::atomic<int>* const d : {&ring_descriptor, &bell_descriptor})
                                    if (const int mine = d->exchange(-1); mine >= 0) ::close(mine);
                                }),
                                true);
  static_cast<void>(watching);
  ring* const r = new ring;
  if (word_from_environment("HEIST_IO", {"automatic", "blocking"}) == 1 || !r->start()) r->state_ = refused;
  return r;
}

ring* ring::get() {
  ring& r = made_once<ring, make>();
  return r.state_ == working ? &r : nullptr;
}

}  // namespace heist::detail

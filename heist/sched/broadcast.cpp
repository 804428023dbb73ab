#include <heist/base/fatal.hpp>
#include <heist/sched/broadcast.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/unattached.hpp>
#include <heist/sched/wait.hpp>

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace heist::detail {

namespace {

// All that the workers' jobs share, in the frame of the one that waits for them.
struct broadcast {
  void (*const call)(void*, unsigned);
  void* const function;
  std::mutex lock;
  std::size_t out;  // jobs, and the sender while it sends
  std::exception_ptr failure;
  unsigned failed = 0;
  wait rest{"a broadcast"};

  // The last one wakes the sender, whose frame may be gone after that.
  void end() noexcept {
    {
      const std::lock_guard hold(lock);
      if (--out > 0) return;
    }
    rest.resume();
  }
};

struct copy : loose_job {
  copy(broadcast& of, unsigned k, scheduler& in) noexcept : loose_job(&copy::run_body), all(of), number(k), pool(in) {}

  // It is left out.
  static void unread(job& self) noexcept {
    const std::unique_ptr<copy> me(static_cast<copy*>(&self));
    broadcast& all = me->all;
    me->pool.loose.end();
    all.end();
  }

  static void run_body(loose_job& self) noexcept {
    auto& me = static_cast<copy&>(self);
    broadcast& all = me.all;
    try {
      all.call(all.function, me.number);
    } catch (...) {
      std::exception_ptr e = carry_exception();
      const std::lock_guard hold(all.lock);
      if (all.failure == nullptr || me.number < all.failed) {
        all.failure = std::move(e);
        all.failed = me.number;
      }
    }
    delete &me;
    all.end();
  }

  broadcast& all;
  const unsigned number;
  scheduler& pool;
};

}  // namespace

void broadcast_in(scheduler& pool, void (*call)(void*, unsigned), void* function) {
  pool.must_be_here();
  if (inside(pool))
    fatal("pool::broadcast was called by a task that runs in the pool, and would wait for its own worker; call it outside "
          "the pool");
  const std::vector<pool_thread*> workers = pool.seats.in_service();
  broadcast all{call, function, {}, workers.size() + 1, nullptr};
  std::vector<std::unique_ptr<copy>> copies;
  for (unsigned k = 0; k < workers.size(); ++k) copies.push_back(std::make_unique<copy>(all, k, pool));
  for (auto& mine : copies) {
    copy* const c = mine.release();
    pool.loose.begin();
    if (!pool.seats.send(*workers[c->number], *c, fp_mode::current(), copy::unread)) copy::unread(*c);
  }
  {
    std::unique_lock hold(all.lock);
    if (--all.out > 0) {
      hold.unlock();
      all.rest.rest();
    }
  }
  if (all.failure != nullptr) std::rethrow_exception(std::move(all.failure));
}

}  // namespace heist::detail

#include <heist/cancelled.hpp>
#include <heist/sched/stop_call.hpp>
#include <heist/wait/lock_by_address.hpp>
#include <heist/wait/unwanted_watch.hpp>
#include <heist/wait/wait_queue.hpp>

#include <optional>

namespace heist::detail {

short_lock& queue_lock(const void* object) noexcept { return lock_by_address<wait_queue>(object); }

void wait_queue::push(waiting& w) noexcept {
  w.in = this;
  w.before = last_;
  w.after = nullptr;
  (last_ == nullptr ? first_ : last_->after) = &w;
  last_ = &w;
}

void wait_queue::push_front(waiting& w) noexcept {
  w.in = this;
  w.before = nullptr;
  w.after = first_;
  (first_ == nullptr ? last_ : first_->before) = &w;
  first_ = &w;
}

void wait_queue::remove(waiting& w) noexcept {
  (w.before == nullptr ? first_ : w.before->after) = w.after;
  (w.after == nullptr ? last_ : w.after->before) = w.before;
  w.in = nullptr;
}

waiting* wait_queue::take() noexcept {
  waiting* const w = first_;
  if (w != nullptr) remove(*w);
  return w;
}

namespace {

// One that leaves by itself, unless somebody has taken it.
struct leaving {
  bool leave(waking why) noexcept {
    {
      const std::lock_guard hold(lock);
      if (w.in == nullptr) return false;
      w.in->remove(w);
      w.how = why;
    }
    w.resume();
    return true;
  }

  waiting& w;
  short_lock& lock;
};

}  // namespace

bool has_come(waking how) {
  if (how == waking::stop) throw cancelled();
  return how == waking::event;
}

waking wait_queue::await(waiting& w, std::unique_lock<short_lock>& hold, nanoseconds deadline,
                         const std::stop_token& token, if_unwanted then) {
  push(w);
  short_lock& lock = *hold.mutex();
  hold.unlock();
  return rest(w, lock, deadline, token, then);
}

waking wait_queue::rest(waiting& w, short_lock& lock, nanoseconds deadline, const std::stop_token& token, if_unwanted then) {
  leaving self{w, lock};
  bool unwanted = false;
  {
    auto stop = [&self] { self.leave(waking::stop); };
    const stop_call on_stop(token, stop);
    struct telling {
      leaving& self;
      bool& unwanted;
    } told{self, unwanted};
    std::optional<unwanted_watch> on_alarm;
    if (then != if_unwanted::stays)
      on_alarm.emplace(
          [](void* t) noexcept {
            auto& to = *static_cast<telling*>(t);
            to.unwanted = to.self.leave(waking::stop);
          },
          &told);
    if (deadline == never)
      w.rest.rest();
    else
      w.rest.rest_until(deadline, [](void* p) noexcept { static_cast<leaving*>(p)->leave(waking::deadline); }, &self);
  }
  if (unwanted && then == if_unwanted::throws) throw cancelled();
  return w.how;
}

}  // namespace heist::detail

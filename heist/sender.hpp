#pragma once
// scheduler_of: a pool as a scheduler of senders and receivers, as std::execution has them. Only concepts are used: there
// is no dependency.

#include <heist/base/export.hpp>
#include <heist/pool.hpp>
#include <heist/sched/unattached.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class R>
concept can_receive = requires(R& r) {
  std::move(r).set_value();
  std::move(r).set_stopped();
};
template <class R>
concept can_stop = requires(const R& r) {
  { r.get_stop_token().stop_requested() } -> std::convertible_to<bool>;
};

// A receiver on its way into a pool. Lives until it has been told.
template <class Receiver>
class scheduling : private loose_job {
 public:
  scheduling(scheduler& p, Receiver&& r) : loose_job(&scheduling::run), pool_(p), receiver_(std::move(r)) {}
  scheduling(const scheduling&) = delete;
  scheduling& operator=(const scheduling&) = delete;

  void start() & noexcept { inject(pool_, *this); }

 private:
  // The receiver may destroy the operation.
  static void run(loose_job& self) noexcept {
    Receiver& r = static_cast<scheduling&>(self).receiver_;
    if constexpr (can_stop<Receiver>)
      if (r.get_stop_token().stop_requested()) return std::move(r).set_stopped();
    std::move(r).set_value();
  }

  scheduler& pool_;
  Receiver receiver_;
};

}  // namespace detail

// A sender that sends nothing, from a worker of its pool.
class HEIST_TYPE schedule_sender {
 public:
  HEIST_OWN explicit schedule_sender(detail::scheduler& of) noexcept : pool_(&of) {}

  // Gives an operation; its start() hands the receiver to the pool, and it must live until the receiver was told: by
  // set_stopped() if the receiver has a get_stop_token() of which a stop was requested before a worker came to it, else by
  // set_value(). Both are called on a worker, as rvalues, and must not throw.
  template <class Receiver>
  HEIST_OWN auto connect(Receiver r) const {
    static_assert(detail::can_receive<Receiver>, "heist: a receiver must have set_value() and set_stopped()");
    if constexpr (detail::can_receive<Receiver>) return detail::scheduling<Receiver>(*pool_, std::move(r));
  }

 private:
  detail::scheduler* pool_;
};

class HEIST_TYPE pool_scheduler {
 public:
  HEIST_OWN explicit pool_scheduler(pool& p) noexcept : pool_(&detail::scheduler_of(p)) {}
  [[nodiscard]] HEIST_OWN schedule_sender schedule() const noexcept { return schedule_sender(*pool_); }
  HEIST_OWN friend bool operator==(const pool_scheduler&, const pool_scheduler&) noexcept = default;

 private:
  detail::scheduler* pool_;
};

// The pool must outlive it.
[[nodiscard]] HEIST_OWN inline pool_scheduler scheduler_of(pool& p) noexcept { return pool_scheduler(p); }

}  // namespace heist

HEIST_END

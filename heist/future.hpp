#pragma once
// future, shared_future, promise: a value that comes later, and who waits for it. Several of them: when.hpp.

#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>
#include <heist/cancelled.hpp>
#include <heist/wait/continuation.hpp>
#include <heist/wait/deadline.hpp>
#include <heist/wait/future_state.hpp>

#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <variant>

HEIST_BEGIN

namespace heist {

// A value, or an exception, that comes later. One strand at a time uses it. If it is destroyed, nobody waits.
template <class T>
class HEIST_TYPE future {
  static constexpr bool good = detail::can_come_later<T>();
  using value = detail::future_value<std::conditional_t<good, T, void>>;
  using state = detail::outcome<value>;

 public:
  HEIST_OWN future() noexcept = default;  // empty
  HEIST_OWN future(future&& other) noexcept : here_(std::exchange(other.here_, std::nullopt)), state_(std::move(other.state_)) {}
  HEIST_OWN future& operator=(future&& other) noexcept {
    if (this == &other) return *this;
    here_.reset();
    if (other.here_) here_.emplace(*std::exchange(other.here_, std::nullopt));
    state_ = std::move(other.state_);
    return *this;
  }
  HEIST_OWN ~future() = default;

  // Whether there is something to get: not after get(), then() or shared(), and not in an empty one. All others throw
  // std::future_error (no_state) if there is not.
  [[nodiscard]] HEIST_OWN bool valid() const noexcept { return here_ || state_; }
  // Whether get() would return, or throw, at once.
  [[nodiscard]] HEIST_OWN bool ready() const {
    must_be_valid();
    return here_ || state_->ready();
  }

  // Waits for the value and returns it, or throws the exception; once. Meanwhile the worker works on something else.
  HEIST_OWN T get() {
    if (here_) [[likely]] {
      if constexpr (inside) {
        if constexpr (std::is_void_v<T>)
          return here_.reset();
        else
          return *std::exchange(here_, std::nullopt);
      }
    }
    wait();
    const detail::owned<state> mine = std::move(state_);
    if constexpr (std::is_void_v<T>)
      static_cast<void>(mine->value());
    else
      return std::move(mine->value());
  }
  // The same; but throws heist::cancelled if a stop is requested before the value has come. Then the future stays valid.
  HEIST_OWN T get(const std::stop_token& token) {
    wait(token);
    return get();
  }

  HEIST_OWN void wait() const {
    must_be_valid();
    if (here_) return;
    state_->await();
    state_->receive();
  }
  HEIST_OWN void wait(const std::stop_token& token) const {
    must_be_valid();
    if (here_) return;
    has_come(state_->await(detail::never, token));
    state_->receive();
  }
  template <class Rep, class Period>
  HEIST_OWN std::future_status wait_for(const std::chrono::duration<Rep, Period>& time,
                                        const std::stop_token& token = {}) const {
    must_be_valid();
    const bool came = here_ || has_come(state_->await(detail::deadline_after(time), token));
    return came ? std::future_status::ready : std::future_status::timeout;
  }
  template <class Clock, class Duration>
  HEIST_OWN std::future_status wait_until(const std::chrono::time_point<Clock, Duration>& when,
                                          const std::stop_token& token = {}) const {
    must_be_valid();
    auto comes_by = [&](detail::nanoseconds t) { return has_come(state_->await(t, token)); };
    const bool came = here_ || detail::comes_before(when, comes_by);
    return came ? std::future_status::ready : std::future_status::timeout;
  }

  // Calls f with the value (with nothing, if that is void) when it has come, and returns the future of what f returns.
  // If this future failed, f is not called and the exception travels on. f runs on the thread that brings the value, or
  // here and now if it is there. This future is used up.
  template <class F>
  HEIST_OWN auto then(F&& f) {
    if constexpr (good && detail::can_continue<T, F>())
      return continue_with<typename detail::continued<T, std::decay_t<F>>::type, std::decay_t<F>>(std::forward<F>(f));
    else
      return future<void>();
  }

  // A future that can be copied, and asked any number of times. This one is used up.
  HEIST_OWN shared_future<T> shared() { return shared_future<T>(take_state()); }

 private:
  friend detail::future_access;
  // A small value that has come already is in the future itself.
  static constexpr bool inside = std::is_nothrow_move_constructible_v<value> && sizeof(value) <= 64;

  HEIST_OWN explicit future(detail::owned<state> share) noexcept : state_(std::move(share)) {}
  HEIST_OWN explicit future(value&& v) {
    if constexpr (inside)
      here_.emplace(std::move(v));
    else
      state_ = ready_state(std::move(v));
  }

  HEIST_OWN static detail::owned<state> ready_state(value&& v) {
    detail::owned<state> s(new state);
    s->emplace(std::move(v));
    s->finish();
    return s;
  }

  HEIST_OWN void must_be_valid() const {
    if (!valid()) [[unlikely]] detail::throw_future_error(std::future_errc::no_state);
  }

  HEIST_OWN detail::owned<state> take_state() {
    must_be_valid();
    if constexpr (inside)
      if (here_) {
        detail::owned<state> s = ready_state(std::move(*here_));
        here_.reset();
        return s;
      }
    return std::move(state_);
  }

  template <class U, class Function, class F>
  HEIST_OWN future<U> continue_with(F&& f) {
    must_be_valid();
    if (!here_) {
      return detail::future_access::follow<T, T, Function, U>(std::move(state_), std::forward<F>(f));
    }
    Function mine(std::forward<F>(f));
    try {
      auto now = [&]() -> U {
        if constexpr (std::is_void_v<T>)
          return get(), std::invoke(std::move(mine));
        else
          return std::invoke(std::move(mine), get());
      };
      return detail::future_access::of_value<U>(detail::call(now));
    } catch (...) {
      return detail::future_access::of_failure<U>(detail::carry_exception());
    }
  }

  std::optional<std::conditional_t<inside, value, std::monostate>> here_;
  detail::owned<state> state_;
};

// A future that can be copied; each copy may be used by another strand.
template <class T>
class HEIST_TYPE shared_future {
  using state = detail::outcome<detail::future_value<T>>;

 public:
  HEIST_OWN shared_future() noexcept = default;  // empty
  HEIST_OWN shared_future(const shared_future& other) noexcept : state_(other.state_.another()) {}
  HEIST_OWN shared_future(shared_future&&) noexcept = default;
  HEIST_OWN shared_future& operator=(const shared_future& other) noexcept {
    state_ = other.state_.another();
    return *this;
  }
  HEIST_OWN shared_future& operator=(shared_future&&) noexcept = default;
  HEIST_OWN ~shared_future() = default;
  HEIST_OWN shared_future(future<T>&& f) : shared_future(f.shared()) {}

  [[nodiscard]] HEIST_OWN bool valid() const noexcept { return static_cast<bool>(state_); }
  [[nodiscard]] HEIST_OWN bool ready() const { return here().ready(); }

  // Waits for the value, or throws the exception; as often as you like. The value lives as long as some copy does.
  HEIST_OWN std::add_lvalue_reference_t<const T> get() const {
    wait();
    return static_cast<std::add_lvalue_reference_t<const T>>(state_->value());
  }
  HEIST_OWN std::add_lvalue_reference_t<const T> get(const std::stop_token& token) const {
    wait(token);
    return get();
  }

  HEIST_OWN void wait() const {
    here().await();
    state_->receive();
  }
  HEIST_OWN void wait(const std::stop_token& token) const {
    has_come(here().await(detail::never, token));
    state_->receive();
  }
  template <class Rep, class Period>
  HEIST_OWN std::future_status wait_for(const std::chrono::duration<Rep, Period>& time,
                                        const std::stop_token& token = {}) const {
    const bool came = has_come(here().await(detail::deadline_after(time), token));
    return came ? std::future_status::ready : std::future_status::timeout;
  }
  template <class Clock, class Duration>
  HEIST_OWN std::future_status wait_until(const std::chrono::time_point<Clock, Duration>& when,
                                          const std::stop_token& token = {}) const {
    state& s = here();
    const bool came = detail::comes_before(when, [&](detail::nanoseconds t) { return has_come(s.await(t, token)); });
    return came ? std::future_status::ready : std::future_status::timeout;
  }

  // As future::then, but f is called with a const T&, and this future stays as it is: it may be continued several times.
  template <class F>
  HEIST_OWN auto then(F&& f) const {
    using given = detail::shared_value<T>;
    using function = std::decay_t<F>;
    if constexpr (detail::can_continue<given, F>()) {
      using result = typename detail::continued<given, function>::type;
      static_cast<void>(here());
      return detail::future_access::follow<T, given, function, result>(state_.another(), std::forward<F>(f));
    } else {
      return future<void>();
    }
  }

 private:
  friend future<T>;
  friend detail::future_access;
  HEIST_OWN explicit shared_future(detail::owned<state> share) noexcept : state_(std::move(share)) {}
  HEIST_OWN state& here() const {
    if (!state_) [[unlikely]] detail::throw_future_error(std::future_errc::no_state);
    return *state_;
  }

  detail::owned<state> state_;
};

// Fulfils a future. If it is destroyed before, the future throws std::future_error (broken_promise).
template <class T>
class HEIST_TYPE promise {
  static constexpr bool good = detail::can_come_later<T>();
  using value = detail::future_value<std::conditional_t<good, T, void>>;
  using state = detail::outcome<value>;

 public:
  HEIST_OWN promise() : state_(new state) {}
  HEIST_OWN promise(promise&&) noexcept = default;
  HEIST_OWN promise& operator=(promise&& other) noexcept {
    promise moved(std::move(other));
    swap(moved);
    return *this;
  }
  HEIST_OWN ~promise() {
    if (state_ && !state_->claimed() && !state_->is_only_owner())
      set_exception(std::make_exception_ptr(std::future_error(std::future_errc::broken_promise)));
  }
  HEIST_OWN void swap(promise& other) noexcept {
    state_.swap(other.state_);
    std::swap(asked_, other.asked_);
  }

  // Once; then throws std::future_error (future_already_retrieved).
  [[nodiscard]] HEIST_OWN future<T> get_future() {
    here();
    if (std::exchange(asked_, true)) detail::throw_future_error(std::future_errc::future_already_retrieved);
    return detail::future_access::of_state<T>(state_.another().release());
  }

  // One of these, once, on any thread; then they throw std::future_error (promise_already_satisfied). What then() has
  // left to do is done here.
  HEIST_OWN void set_value()
    requires std::is_void_v<T>
  {
    satisfy();
  }
  template <class U = T>
    requires(!std::is_void_v<T> && std::is_constructible_v<detail::future_value<T>, U>)
  HEIST_OWN void set_value(U&& v) {
    satisfy(std::forward<U>(v));
  }
  HEIST_OWN void set_exception(std::exception_ptr e) {
    claim();
    state_->failure = std::move(e);
    finish();
  }

 private:
  HEIST_OWN state& here() const {
    if (!state_) [[unlikely]] detail::throw_future_error(std::future_errc::no_state);
    return *state_;
  }
  HEIST_OWN void claim() {
    if (!here().claim()) [[unlikely]] detail::throw_future_error(std::future_errc::promise_already_satisfied);
  }
  template <class... A>
  HEIST_OWN void satisfy(A&&... a) {
    claim();
    try {
      state_->emplace(std::forward<A>(a)...);
    } catch (...) {
      state_->unclaim();
      throw;
    }
    finish();
  }
  // Whoever gets the value may destroy the promise.
  HEIST_OWN void finish() noexcept {
    const detail::owned<state> until_told = state_.another();
    until_told->finish();
  }

  detail::owned<state> state_;
  bool asked_ = false;
};

namespace detail {

template <class F>
constexpr bool is_future = false;
template <class T>
constexpr bool is_future<future<T>> = true;
template <class T>
constexpr bool is_future<shared_future<T>> = true;

template <class F>
struct future_of;
template <class T>
struct future_of<future<T>> {
  using value = T;
};
template <class T>
struct future_of<shared_future<T>> {
  using value = T;
};
template <class F>
using brought_by = typename future_of<std::remove_cvref_t<F>>::value;

// A shared_future, or a future that can be used up, so that is not const.
template <class F>
concept usable_future = is_future<std::remove_cvref_t<F>> && (!std::is_const_v<std::remove_reference_t<F>> ||
                                                         std::is_copy_constructible_v<std::remove_cvref_t<F>>);

// To make one from it: as an rvalue, if that uses it up.
template <class T>
future<T>&& used(future<T>& f) noexcept {
  return std::move(f);
}
template <class T>
const shared_future<T>& used(const shared_future<T>& f) noexcept {
  return f;
}

}  // namespace detail

}  // namespace heist

HEIST_END

#pragma once
// per_worker: scratch memory that strands reuse. Each worker has a value of its own.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>
#include <heist/race/strands.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

namespace detail {

// A value of a per_worker. In checked builds it knows whether somebody uses it.
struct worker_value {
  virtual ~worker_value() = default;

  const void* user = nullptr;  // checked builds: the seat whose strand uses it
};

// Which value belongs to which seat, or to which thread outside every pool. Values are added and never removed, but by
// clear().
class worker_values {
 public:
  HEIST_API worker_values() noexcept;
  HEIST_API ~worker_values();
  worker_values(const worker_values&) = delete;
  worker_values& operator=(const worker_values&) = delete;

  // Any thread: the caller's value, or null. And, if that was null: makes it so.
  HEIST_API worker_value* find() const noexcept;
  HEIST_API worker_value& add(sole<worker_value> value);
  // When nobody uses a value. In the order in which they were added.
  const std::vector<sole<worker_value>>& all() const noexcept { return all_; }
  HEIST_API void clear() noexcept;

  // When nobody uses a value of either. Each owner has copy(its value) of the other.
  HEIST_API void assign(const worker_values& other, const std::function<sole<worker_value>(const worker_value&)>& copy);
  HEIST_API void swap(worker_values& other) noexcept;

 private:
  struct table;

  // Under the lock.
  worker_value& add(sole<worker_value> value, const void* key);

  std::atomic<table*> newest_{nullptr};
  std::mutex lock_;
  std::vector<sole<worker_value>> all_;
};

// Two strands do not use one value at the same time: for builds for races, that is a lock.
#if defined(HEIST_RACE)
using worker_turn = race::inside;
#else
struct worker_turn {
  explicit worker_turn(const void*) noexcept {}
};
#endif

// A strand begins and ends to use a value. Checked builds end the program if another use of it has not ended, or if the strand
// forks or waits in between.
#if defined(HEIST_CHECKED)
HEIST_API void begin_use(worker_value& v) noexcept;
HEIST_API void end_use(worker_value& v) noexcept;
#else
HEIST_INLINE void begin_use(worker_value&) noexcept {}
HEIST_INLINE void end_use(worker_value&) noexcept {}
#endif

}  // namespace detail

// A T for each worker, made at its first use there: T(), a copy of an initial value, or what a function returns.
//
//   heist::per_worker<std::vector<int>> scratch;
//   heist::for_each(items, [&](const item& x) {
//     auto mine = scratch.local();
//     mine->clear();
//     …
//   });
//
// While the strand has `mine` it must neither fork nor wait: another strand would get the same T. A checked build ends the
// program where it does. Which elements see which T depends on the schedule, so results must not depend on what was in it;
// for sums use a heist::reducer, or combine() with an operation whose order does not matter. Pools may share one. Threads
// outside every pool have a T each.
template <class T>
class HEIST_TYPE per_worker {
  struct HEIST_OWN value final : detail::worker_value {
    template <class Make>
    explicit value(const Make& make) : it(make()) {}
    alignas(detail::cache_line) alignas(T) T it;
  };

 public:
  HEIST_OWN ~per_worker() = default;
  HEIST_OWN per_worker()
    requires std::default_initializable<T>
      : make_([] { return T(); }) {}
  // A value to copy, or a function that returns one.
  template <class X>
    requires(!std::same_as<std::remove_cvref_t<X>, per_worker>)
  HEIST_OWN explicit per_worker(X&& x) {
    if constexpr (std::is_invocable_r_v<T, std::decay_t<X>&>)
      make_ = std::forward<X>(x);
    else
      make_ = [initial = T(std::forward<X>(x))] { return initial; };
  }

  // The caller's T, for as long as this lives.
  class HEIST_TYPE handle {
   public:
    HEIST_OWN explicit handle(per_worker& of) : turn_(&of), v_(of.mine()) { detail::begin_use(v_); }
    HEIST_OWN ~handle() { detail::end_use(v_); }
    handle(const handle&) = delete;
    handle& operator=(const handle&) = delete;

    HEIST_OWN T& operator*() const noexcept { return v_.it; }
    HEIST_OWN T* operator->() const noexcept { return &v_.it; }

   private:
    [[no_unique_address]] const detail::worker_turn turn_;
    value& v_;
  };
  [[nodiscard]] HEIST_OWN handle local() { return handle(*this); }

  // Calls f with the caller's T, and returns what f does.
  template <class F>
  HEIST_OWN decltype(auto) with(F&& f) {
    const handle here = local();
    return std::invoke(std::forward<F>(f), *here);
  }

  // When no strand uses it: every T that was made, in the order in which they were.
  template <class U>
  class HEIST_TYPE place_of {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;

    HEIST_OWN place_of() noexcept = default;
    HEIST_OWN U& operator*() const noexcept { return static_cast<value&>(**at_).it; }
    HEIST_OWN U* operator->() const noexcept { return &**this; }
    HEIST_OWN place_of& operator++() noexcept { return ++at_, *this; }
    HEIST_OWN place_of operator++(int) noexcept { return place_of(at_++); }
    HEIST_OWN friend bool operator==(const place_of& a, const place_of& b) noexcept { return a.at_ == b.at_; }

   private:
    friend per_worker;
    using place = std::vector<detail::sole<detail::worker_value>>::const_iterator;
    HEIST_OWN explicit place_of(place at) noexcept : at_(at) {}
    place at_;
  };
  using iterator = place_of<T>;
  using const_iterator = place_of<const T>;
  [[nodiscard]] HEIST_OWN iterator begin() noexcept { return iterator(values_.all().begin()); }
  [[nodiscard]] HEIST_OWN iterator end() noexcept { return iterator(values_.all().end()); }
  [[nodiscard]] HEIST_OWN const_iterator begin() const noexcept { return const_iterator(values_.all().begin()); }
  [[nodiscard]] HEIST_OWN const_iterator end() const noexcept { return const_iterator(values_.all().end()); }
  template <class F>
  HEIST_OWN void for_each(F&& f) {
    for (T& x : *this) std::invoke(f, x);
  }
  // op(op(first, second), …) of the values, each as a U; or if_none if there is none.
  template <class U = T, class Op>
  [[nodiscard]] HEIST_OWN U combine(U if_none, Op op) {
    static_assert(std::is_constructible_v<U, T&>,
                  "heist::per_worker::combine: the first value is not one of what `if_none` is; for another type use for_each");
    if constexpr (std::is_constructible_v<U, T&>) {
      bool first = true;
      for_each([&](T& x) {
        if (std::exchange(first, false))
          if_none = U(x);
        else
          if_none = std::invoke(op, std::move(if_none), x);
      });
    }
    return if_none;
  }
  [[nodiscard]] HEIST_OWN std::size_t size() const noexcept { return values_.all().size(); }
  HEIST_OWN void clear() noexcept { values_.clear(); }

 private:
  HEIST_OWN value& mine() {
    if (detail::worker_value* const v = values_.find()) [[likely]] return static_cast<value&>(*v);
    return static_cast<value&>(values_.add(detail::sole<detail::worker_value>(new value(make_))));
  }

  std::function<T()> make_;
  detail::worker_values values_;
};

}  // namespace heist

HEIST_END

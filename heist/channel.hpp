#pragma once
// channel: a bounded queue between strands, first in, first out.

#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>
#include <heist/wait/deadline.hpp>
#include <heist/wait/wait_queue.hpp>

#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// Thrown by a push into a channel that was closed.
//
// The class has the same name in all versions of heist, so code built with one version can catch what
// another one throws.
class HEIST_API closed_channel : public std::logic_error {
 public:
  closed_channel();
  HEIST_OWN closed_channel(const closed_channel&) = default;
  HEIST_OWN closed_channel& operator=(const closed_channel&) = default;
  HEIST_OWN ~closed_channel() override = default;
  const char* what() const noexcept override;
};

namespace detail {

// What a channel is, whatever its values are. All under queue_lock(this).
class channel_books {
 public:
  HEIST_API void close() noexcept;
  HEIST_API bool closed() const noexcept;
  HEIST_API std::size_t size() const noexcept;
  [[noreturn]] HEIST_API HEIST_COLD static void refuse_push();
  [[noreturn]] HEIST_API HEIST_COLD static void stop();
  // Ends the program with a message if somebody waits.
  HEIST_API void end() noexcept;

  // Holding the lock. If one of the two queues is not empty, the other one is, and the values fill the ring (pushers) or
  // there are none (poppers).
  wait_queue pushers, poppers;
  std::size_t first = 0;  // where the oldest value is
  std::size_t held = 0;   // how many there are
  bool is_closed = false;
};

}  // namespace detail

// Any number of strands and threads push and pop. A value that was pushed earlier is popped earlier, and those that wait are
// served in the order in which they came. A strand that waits gives its worker up; a thread outside every pool blocks.
//
// The values are in a ring that is allocated once. A channel of capacity 0 holds nothing: push() returns when a pop() has the
// value. If somebody waits for a value, push() hands it over directly.
//
// Every push takes an lvalue, which it copies, or an rvalue, which it moves from only if the push succeeds. If moving a T
// throws, the exception leaves the call whose value it is: the push, or the pop; then the value stays where it was, in the
// channel or with its pusher, in the state in which its constructor left it, and no other value is touched. Values are moved
// while the channel is locked: the move constructor and the destructor of T must not wait, nor use this channel.
//
// With a std::stop_token last, a call throws heist::cancelled if a stop is requested before it is done.
template <class T>
class HEIST_TYPE channel {
  static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_array_v<T>,
                "heist::channel<T>: T is a type of values, not a reference, an array or const");
  static_assert(!std::is_object_v<T> || std::is_move_constructible_v<T>,
                "heist::channel<T>: T must be movable; use a channel of std::unique_ptr<T>");

 public:
  using value_type = T;
  class HEIST_TYPE iterator;

  // Throws std::bad_alloc or std::bad_array_new_length if there is no memory for so many values.
  HEIST_OWN explicit channel(std::size_t capacity)
      : capacity_(capacity), ring_(capacity != 0 ? std::allocator<T>().allocate(capacity) : nullptr) {}
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  // Nobody may be waiting. Drops the values that are left. The strand that a push or a pop has woken may destroy the channel.
  HEIST_OWN ~channel() {
    books_.end();
    while (books_.held > 0) drop_first();
    if (ring_ != nullptr) std::allocator<T>().deallocate(ring_, capacity_);
  }

  // Waits while the channel is full. Throws heist::closed_channel if it is or gets closed before the value is in it.
  template <class U = T>
  HEIST_OWN void push(U&& value, const std::stop_token& token = {}) {
    with_value<U>(value, [&](T& v) { push_before(v, detail::never, token); });
  }
  // The same, but returns false, and leaves the value alone, if it would have to wait, or to wait longer.
  template <class U = T>
  HEIST_OWN bool try_push(U&& value) {
    return with_value<U>(value, [&](T& v) { return push_before(v, detail::already_over, {}); });
  }
  template <class U, class Rep, class Period>
  HEIST_OWN bool push_for(U&& value, const std::chrono::duration<Rep, Period>& patience, const std::stop_token& token = {}) {
    return with_value<U>(value, [&](T& v) { return push_before(v, detail::deadline_after(patience), token); });
  }
  template <class U, class Clock, class Duration>
  HEIST_OWN bool push_until(U&& value, const std::chrono::time_point<Clock, Duration>& deadline,
                            const std::stop_token& token = {}) {
    return with_value<U>(value, [&](T& v) {
      return detail::comes_before(deadline, [&](detail::nanoseconds end) { return push_before(v, end, token); });
    });
  }

  // Waits while the channel is empty. Returns nothing if the channel is closed and empty.
  HEIST_OWN std::optional<T> pop(const std::stop_token& token = {}) {
    std::optional<T> got;
    pop_before(got, detail::never, token);
    return got;
  }
  // The same, but returns nothing, too, if it would have to wait, or to wait longer.
  HEIST_OWN std::optional<T> try_pop() {
    std::optional<T> got;
    pop_before(got, detail::already_over, {});
    return got;
  }
  template <class Rep, class Period>
  HEIST_OWN std::optional<T> pop_for(const std::chrono::duration<Rep, Period>& patience, const std::stop_token& token = {}) {
    std::optional<T> got;
    pop_before(got, detail::deadline_after(patience), token);
    return got;
  }
  template <class Clock, class Duration>
  HEIST_OWN std::optional<T> pop_until(const std::chrono::time_point<Clock, Duration>& deadline,
                                       const std::stop_token& token = {}) {
    std::optional<T> got;
    detail::comes_before(deadline, [&](detail::nanoseconds end) { return pop_before(got, end, token); });
    return got;
  }

  // From now on every push throws heist::closed_channel, those that wait included. Pops get what is in the channel, and then
  // nothing. May be called several times.
  HEIST_OWN void close() noexcept { books_.close(); }

  // As it was at some instant during the call. size() does not count values whose pushers wait.
  HEIST_OWN bool closed() const noexcept { return books_.closed(); }
  HEIST_OWN std::size_t size() const noexcept { return books_.size(); }
  HEIST_OWN std::size_t capacity() const noexcept { return capacity_; }

  // Pops until the channel is closed and empty: for (T v : channel). The values are moved out of the iterator. Several
  // strands may iterate at once: each value goes to one of them.
  HEIST_OWN iterator begin() { return iterator(*this); }
  HEIST_OWN std::default_sentinel_t end() const noexcept { return {}; }

 private:
  static constexpr bool moves_safely = std::is_nothrow_move_constructible_v<T>;

  // A pusher that waits, in its frame. `waiting::item` of a popper that waits is its std::optional<T>.
  struct HEIST_OWN offer {
    T& value;
    bool taken = false;
    std::exception_ptr failure = nullptr;  // of the move, by the strand that took it
  };

  // Calls push(T&) with the value itself, if it is an rvalue, or with a T made from it.
  template <class U, class F>
  HEIST_OWN static auto with_value(std::remove_reference_t<U>& value, F&& push) {
    if constexpr (std::is_same_v<U, T>) {
      return push(value);
    } else {
      static_assert(std::is_constructible_v<T, U>, "heist::channel<T>: cannot make a T of this value; if it is a T that "
                                                   "cannot be copied, pass it with std::move");
      if constexpr (std::is_constructible_v<T, U>) {
        T made(static_cast<U&&>(value));
        return push(made);
      }
    }
  }

  // True if the value is in the channel or at a popper.
  HEIST_OWN bool push_before(T& value, detail::nanoseconds deadline, const std::stop_token& token) {
    if (token.stop_requested()) detail::channel_books::stop();
    std::unique_lock hold(detail::queue_lock(&books_));
#if defined(HEIST_RACE)
    // The ring is kept by a lock that the detector does not know, and what is pushed comes before what is popped.
    struct pushed {
      const void* to;
      ~pushed() { detail::race::release(to); }
    } const at_end{this};
    const detail::race::inside own(this);
#endif
    if (books_.is_closed) detail::channel_books::refuse_push();
    if (detail::waiting* const w = books_.poppers.first()) {
      static_cast<std::optional<T>*>(w->item)->emplace(std::move(value));  // if that throws, w goes on waiting
      books_.poppers.take();
      hold.unlock();
      w->resume();
      return true;
    }
    if (books_.held < capacity_) {
      put_last(value);
      return true;
    }
    if (deadline == detail::already_over) return false;
    offer mine{value};
    detail::waiting me("a channel", &mine);
    const detail::waking how = books_.pushers.await(me, hold, deadline, token);
    if (mine.taken) return true;
    if (mine.failure) std::rethrow_exception(std::move(mine.failure));
    if (how == detail::waking::stop) detail::channel_books::stop();
    if (how == detail::waking::event) detail::channel_books::refuse_push();
    return false;
  }

  // False if the time was over; true if there is a value, or the channel is closed and empty.
  HEIST_OWN bool pop_before(std::optional<T>& got, detail::nanoseconds deadline, const std::stop_token& token) {
    if (token.stop_requested()) detail::channel_books::stop();
    std::unique_lock hold(detail::queue_lock(&books_));
#if defined(HEIST_RACE)
    const detail::race::inside own(this);
    detail::race::acquire(this);
#endif
    if (books_.held > 0) {
      got.emplace(std::move(ring_[books_.first]));
      drop_first();
      detail::woken_list served;
      refill(served);
      hold.unlock();
      served.resume_all();
      return true;
    }
    if (detail::waiting* const w = books_.pushers.first()) {  // there is no ring
      auto& theirs = *static_cast<offer*>(w->item);
      got.emplace(std::move(theirs.value));  // if that throws, w goes on waiting
      theirs.taken = true;
      books_.pushers.take();
      hold.unlock();
      w->resume();
      return true;
    }
    if (books_.is_closed) return true;
    if (deadline == detail::already_over) return false;
    detail::waiting me("a channel", &got);
    const detail::waking how = books_.poppers.await(me, hold, deadline, token);
    if (how == detail::waking::stop) detail::channel_books::stop();
    return how == detail::waking::event;
  }

  // Holding the lock, after a pop: the first of the pushers that wait gets the free place. If its value cannot be moved, its
  // push throws, and the next one gets it.
  HEIST_OWN void refill(detail::woken_list& served) noexcept {
    while (detail::waiting* const w = books_.pushers.take()) {
      auto& theirs = *static_cast<offer*>(w->item);
      if constexpr (moves_safely) {
        put_last(theirs.value);
        theirs.taken = true;
      } else {
        try {
          put_last(theirs.value);
          theirs.taken = true;
        } catch (...) {
          theirs.failure = std::current_exception();
        }
      }
      served.add(*w);
      if (theirs.taken) return;
    }
  }

  HEIST_OWN void put_last(T& value) {
    const std::size_t to_end = capacity_ - books_.first;
    T* const place = ring_ + (books_.held < to_end ? books_.first + books_.held : books_.held - to_end);
    std::construct_at(place, std::move(value));
    ++books_.held;
  }
  HEIST_OWN void drop_first() noexcept {
    std::destroy_at(ring_ + books_.first);
    books_.first = books_.first + 1 == capacity_ ? 0 : books_.first + 1;
    --books_.held;
  }

  const std::size_t capacity_;
  std::remove_reference_t<T>* const ring_;  // null: there is none
  detail::channel_books books_;
};

// An input iterator that has popped its value. The end is std::default_sentinel.
template <class T>
class channel<T>::iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;

  HEIST_OWN iterator(const iterator&) = default;
  HEIST_OWN iterator(iterator&&) = default;
  HEIST_OWN iterator& operator=(const iterator&) = default;
  HEIST_OWN iterator& operator=(iterator&&) = default;
  HEIST_OWN ~iterator() = default;

  HEIST_OWN T&& operator*() const noexcept { return std::move(*value_); }
  HEIST_OWN iterator& operator++() {
    value_.reset();
    if (auto next = from_->pop()) value_.emplace(*std::move(next));
    return *this;
  }
  HEIST_OWN void operator++(int) { ++*this; }
  HEIST_OWN friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept { return !i.value_; }

 private:
  friend class channel;
  HEIST_OWN explicit iterator(channel& c) : from_(&c), value_(c.pop()) {}

  channel* from_;
  mutable std::optional<T> value_;
};

}  // namespace heist

HEIST_END

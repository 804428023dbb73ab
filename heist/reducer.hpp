#pragma once
// reducer: one variable that strands update without a lock, with the serial program's answer. See views/README.md.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/op.hpp>
#include <heist/sched/belongings.hpp>
#include <heist/sched/closure.hpp>

#include <memory>
#include <ostream>
#include <type_traits>
#include <utility>

namespace heist {

// Any strand may update its view: *r += 1; r->push_back(x). Views merge in serial order at joins and syncs, so that an
// associative Monoid gives what the serial program gives, on every schedule. The strand that made the reducer reads the
// whole after the joins and syncs that its users belong to, when no other scope of it that it has spawned into since is
// still open: the reducer outlives the sync of every spawn made while it lives. A reference to a view is good until the
// next fork.
template <class T, class Monoid = op::sum<T>>
class reducer {
  static_assert(std::is_empty_v<Monoid>, "heist::reducer: a monoid is an empty class; put what varies into T");
  static constexpr bool begins = requires { T(Monoid{}.identity()); };
  static constexpr bool merges = requires(T& left, T&& right) { Monoid{}(left, std::move(right)); };
  static_assert(!std::is_empty_v<Monoid> || begins,
                "heist::reducer: the monoid has no identity() of type T; op::min and op::max have one for numbers and for "
                "std::optional");
  static_assert(!std::is_empty_v<Monoid> || merges,
                "heist::reducer: the monoid cannot be called with a T& and a T&&, to merge the second into the first; "
                "op::sum, the default, needs +=");

 public:
  reducer() : reducer(identity()) {}
  explicit reducer(T initial) : value_(std::move(initial)) {}

  // The calling strand's view.
  T& operator*() {
    if (detail::worker* const w = detail::this_worker()) [[likely]] {
      if (detail::belongings* const mine = w->own.get()) [[likely]] {
        detail::tsan_acquire(mine);
        if (void* const view = mine->views.near(base_.key)) [[likely]] return *static_cast<T*>(view);
      }
    }
    return *static_cast<T*>(detail::find_view(base_));
  }
  T* operator->() { return std::addressof(**this); }

  // The value, moved out; the identity stays.
  T take() { return std::exchange(**this, identity()); }

 private:
  static T identity() {
    if constexpr (begins)
      return Monoid{}.identity();
    else
      return detail::refused<T>();
  }

  static constexpr detail::view_kind kind{
      []() -> void* { return new T(identity()); },
      [](void* left, void* right) noexcept {
        if constexpr (merges) Monoid{}(*static_cast<T*>(left), std::move(*static_cast<T*>(right)));
      },
      [](void* view) noexcept { delete static_cast<T*>(view); }};

  T value_;
  detail::reducer_base base_{kind, &value_};
};

namespace detail {

// One strand's share of an output: the first writes to the stream itself, the others keep what they have.
class output {
 public:
  HEIST_API output();
  explicit output(std::ostream& to) : to_(&to) {}

  std::ostream& stream() { return *to_; }
  HEIST_API void append(output&& later);

 private:
  std::unique_ptr<std::ostream> kept_;  // a std::ostringstream, which users need not compile; or none
  std::ostream* to_;
};

struct append_output {
  output identity() const { return output(); }
  void operator()(output& left, output&& right) const { left.append(std::move(right)); }
};

}  // namespace detail

// Strands write to one stream, and the text comes out in serial order. Each strand's formatting flags are its own.
class ostream_reducer {
 public:
  explicit ostream_reducer(std::ostream& to) : views_(detail::output(to)) {}

  std::ostream& operator*() { return views_->stream(); }
  std::ostream* operator->() { return &**this; }

  template <class V>
  std::ostream& operator<<(V&& v) {
    return **this << std::forward<V>(v);
  }
  std::ostream& operator<<(std::ostream& (*manipulator)(std::ostream&)) { return **this << manipulator; }

 private:
  reducer<detail::output, detail::append_output> views_;
};

}  // namespace heist

#pragma once
// reducer: one variable that strands update without a lock, with the serial program's answer. See views/README.md.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/op.hpp>
#include <heist/sched/closure.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/reducer_base.hpp>
#include <heist/strand/worker.hpp>

#include <memory>
#include <ostream>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {
namespace detail {

// No lambdas: g++ lets those of a variable be seen by other modules, however hidden the variable. What a monoid lacks is
// not compiled: reducer says so.
template <class T, class Monoid>
class reducer_views {
 public:
  static constexpr bool begin = requires { T(Monoid{}.identity()); };
  static constexpr bool merge = requires(T& left, T&& right) { Monoid{}(left, std::move(right)); };

  static T identity() {
    if constexpr (begin)
      return Monoid{}.identity();
    else
      return refused<T>();
  }

 private:
  static void* make_view() { return new T(identity()); }
  static void merge_views(void* left, void* right) noexcept {
    if constexpr (merge) Monoid{}(*static_cast<T*>(left), std::move(*static_cast<T*>(right)));
  }
  static void destroy_view(void* view) noexcept { delete static_cast<T*>(view); }

 public:
  static constexpr view_kind kind{&make_view, &merge_views, &destroy_view};
};

}  // namespace detail

// Any strand may update its view: *r += 1; r->push_back(x). Views merge in serial order at joins and syncs, so that an
// associative Monoid gives what the serial program gives, on every schedule. The strand that made the reducer reads the
// whole after the joins and syncs that its users belong to, when no other scope of it that it has spawned into since is
// still open: the reducer outlives the sync of every spawn made while it lives. A reference to a view is good until the
// next fork.
template <class T, class Monoid = op::sum<T>>
class HEIST_TYPE reducer {
  static_assert(std::is_empty_v<Monoid>, "heist::reducer: a monoid is an empty class; put what varies into T");
  using views = detail::reducer_views<T, Monoid>;
  static_assert(!std::is_empty_v<Monoid> || views::begin,
                "heist::reducer: the monoid has no identity() of type T; op::min and op::max have one for numbers and for "
                "std::optional");
  static_assert(!std::is_empty_v<Monoid> || views::merge,
                "heist::reducer: the monoid cannot be called with a T& and a T&&, to merge the second into the first; "
                "op::sum, the default, needs +=");

 public:
  HEIST_OWN reducer() : reducer(views::identity()) {}
  HEIST_OWN explicit reducer(T initial) : value_(std::move(initial)) {}
  HEIST_OWN ~reducer() = default;

  // The calling strand's view.
  HEIST_OWN T& operator*() {
    if (detail::worker* const w = detail::this_worker()) [[likely]] {
      if (detail::belongings* const mine = w->now.own.get()) [[likely]] {
        detail::tsan_acquire(mine);
        if (void* const view = mine->views.near(base_.key)) [[likely]] return *static_cast<T*>(view);
      }
    }
    return *static_cast<T*>(detail::find_view(base_));
  }
  HEIST_OWN T* operator->() { return std::addressof(**this); }

  // The value, moved out; the identity stays.
  HEIST_OWN T take() { return std::exchange(**this, views::identity()); }

 private:
  T value_;
  detail::reducer_base base_{views::kind, &value_};
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
class HEIST_TYPE ostream_reducer {
 public:
  HEIST_OWN explicit ostream_reducer(std::ostream& to) : views_(detail::output(to)) {}
  HEIST_OWN ~ostream_reducer() = default;

  HEIST_OWN std::ostream& operator*() { return views_->stream(); }
  HEIST_OWN std::ostream* operator->() { return &**this; }

  template <class V>
  HEIST_OWN std::ostream& operator<<(V&& v) {
    return **this << std::forward<V>(v);
  }
  HEIST_OWN std::ostream& operator<<(std::ostream& (*manipulator)(std::ostream&)) { return **this << manipulator; }

 private:
  reducer<detail::output, detail::append_output> views_;
};

}  // namespace heist

HEIST_END

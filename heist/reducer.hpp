#pragma once
// reducer: a variable that strands update in parallel, without a lock. The result is that of the
// serial program. See views/README.md.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/base/sole.hpp>
#include <heist/op.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/closure.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/reducer_base.hpp>
#include <heist/strand/worker.hpp>

#include <memory>
#include <iosfwd>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {
namespace detail {

// A reducer's operation, and the value that its views start from: the operation's identity, or a
// given one.
template <class T, class Op, bool own = has_identity<Op>>
class reducer_operation {
 public:
  reducer_operation(Op op, const T&) : op_(std::move(op)) {}
  T identity() const { return T(op_.identity()); }
  const Op& combine() const noexcept { return op_; }

 private:
  [[no_unique_address]] Op op_;
};
template <class T, class Op>
class reducer_operation<T, Op, false> {
 public:
  reducer_operation(Op op, const T& identity) : op_(std::move(op)), identity_(identity) {}
  T identity() const { return identity_; }
  const Op& combine() const noexcept { return op_; }

 private:
  [[no_unique_address]] Op op_;
  const T identity_;
};

// A reducer, as its views see it. Without lambdas: g++ exports those of a variable from the module,
// even if the variable is hidden.
template <class T, class Op>
class reducer_views : public reducer_operation<T, Op>, public reducer_base {
 public:
  reducer_views(Op op, T& value) : reducer_operation<T, Op>(std::move(op), value), reducer_base(functions, &value) {}

 private:
  static void* make_view(const reduced& r) { return new T(static_cast<const reducer_views&>(r).identity()); }
  static void merge_views(const reduced& r, void* left, void* right) noexcept {
    const Op& op = static_cast<const reducer_views&>(r).combine();
    detail::combine_into(op, *static_cast<T*>(left), std::move(*static_cast<T*>(right)));
  }
  static void destroy_view(void* view) noexcept { delete static_cast<T*>(view); }

  static constexpr view_kind functions{&make_view, &merge_views, &destroy_view};
};

// Stands in for it after a failed static_assert, so that the compiler reports nothing else.
template <class T>
struct refused_views {
  template <class Op>
  refused_views(Op&&, T&) noexcept {}
  T identity() const { return refused<T>(); }
};

template <class Op, class T>
consteval bool gives_identity() noexcept {
  if constexpr (has_identity<Op>)
    return std::is_constructible_v<T, identity_type<Op>>;
  else
    return false;
}

}  // namespace detail

// Each strand updates a view of its own: *r += 1; r->push_back(x). Views merge in serial order at
// joins and syncs, so an associative operation (heist/op.hpp) gives the serial program's result on
// every schedule. If the operation throws while views merge, the program ends.
//
// The strand that made the reducer reads the total, after every join and sync that its users belong
// to. By then it must have synced every scope that it has spawned into since it made the reducer:
// the reducer must outlive the sync of every spawn made during its lifetime. A reference to a view
// is valid until the next fork.
template <class T, class Op = op::sum<T>>
class HEIST_TYPE reducer {
  static constexpr bool combines = detail::combines<const Op, T>;
  static constexpr bool begins = detail::gives_identity<Op, T>();
  static constexpr bool copies = detail::has_identity<Op> || std::is_copy_constructible_v<T>;
  static_assert(combines,
                "heist::reducer: a const operation must be callable as T op(T, T), or in place as void op(T&, T&&); the "
                "default, op::sum, needs +=");
  static_assert(!combines || copies,
                "heist::reducer: views start from copies of the identity, and this T cannot be copied; give the "
                "operation a member identity()");
  static_assert(!combines || begins || !detail::has_identity<Op>,
                "heist::reducer: the operation's identity() does not convert to T");
  static constexpr bool good = combines && copies && (begins || !detail::has_identity<Op>);
  using views = std::conditional_t<good, detail::reducer_views<T, std::conditional_t<good, Op, op::sum<int>>>,
                                   detail::refused_views<T>>;

 public:
  // Starts from the operation's identity, or from `initial`, which comes before everything that is
  // added.
  HEIST_OWN reducer() : reducer(first()) {}
  HEIST_OWN explicit reducer(T initial) : reducer(std::move(initial), operation()) {}
  // For an operation without identity(), such as a lambda, `initial` must be its identity: every
  // view starts from a copy of it.
  //   heist::reducer product(1.0, std::multiplies<>());
  HEIST_OWN reducer(T initial, Op op) : value_(std::move(initial)), base_(std::move(op), value_) {}
  HEIST_OWN ~reducer() = default;

  // The calling strand's view.
  HEIST_OWN T& operator*() {
    if constexpr (good) {
#if !defined(HEIST_RACE)
      if (detail::worker* const w = detail::this_worker()) [[likely]] {
        if (detail::belongings* const mine = w->now.own.get()) [[likely]] {
          detail::tsan_acquire(mine);
          if (void* const view = mine->views.near(base_.key)) [[likely]] return *static_cast<T*>(view);
        }
      }
#endif
#if defined(HEIST_RACE)
      if constexpr (std::is_trivially_copyable_v<T>) return *static_cast<T*>(detail::find_plain_view(base_, sizeof(T)));
#endif
      return *static_cast<T*>(detail::find_view(base_));
    } else {
      return value_;
    }
  }
  HEIST_OWN T* operator->() { return std::addressof(**this); }

  // Moves the value out and leaves the identity.
  HEIST_OWN T take() {
#if defined(HEIST_RACE)
    // Other strands' views come before this one's and have not joined it: the total is not there yet.
    if constexpr (good)
      if (std::addressof(**this) != std::addressof(value_)) detail::race::read_early(std::addressof(**this), sizeof(T));
#endif
    return std::exchange(**this, base_.identity());
  }

 private:
  HEIST_OWN static T first() {
    if constexpr (begins)
      return T(operation().identity());
    else
      return detail::refused<T>();
  }
  HEIST_OWN static Op operation() {
    static_assert(begins || !good,
                  "heist::reducer: the operation has no identity() of type T; op::min and op::max have one for numbers "
                  "and for std::optional. Pass both: reducer(identity, operation)");
    constexpr bool made = std::is_default_constructible_v<Op>;
    static_assert(made || !begins || !good,
                  "heist::reducer: the operation has no default constructor; pass it: reducer(initial, operation)");
    if constexpr (made)
      return Op();
    else
      return detail::refused<Op>();
  }

  T value_;
  views base_;
};

template <class T, class Op>
reducer(T, Op) -> reducer<T, Op>;

namespace detail {

// One strand's share of an output: the first strand writes to the stream itself, the others buffer.
class output {
 public:
  HEIST_API output();
  explicit output(std::ostream& to) noexcept : to_(&to) {}
  HEIST_API output(output&& other) noexcept;
  HEIST_API output& operator=(output&& other) noexcept;
  HEIST_API ~output();

  std::ostream& stream() { return *to_; }
  HEIST_API void append(output&& later);

 private:
  sole<std::ostream> kept_;  // null, or a std::ostringstream, so that users need not compile <sstream>
  std::ostream* to_;
};

struct append_output {
  output identity() const { return output(); }
  void operator()(output& left, output&& right) const { left.append(std::move(right)); }
};

}  // namespace detail

// Strands write to one stream, and the text appears in serial order. Each strand has its own
// formatting flags.
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

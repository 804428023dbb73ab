#pragma once
// Stages after which an element's place is not known: each passes on any number of elements for the one that it gets. Bound
// to each other they are one function, which the compiler inlines into the loop.

#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/lazy/element.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// A sink that may have enough: nothing needs to be passed to it after that.
template <class Sink>
concept may_end = requires(const Sink& s) {
  { s.done() } -> std::same_as<bool>;
};

// The end of the chain, which belongs to the strand.
template <class Sink>
struct last_sink {
  Sink& to;

  template <class X>
  HEIST_INLINE void operator()(X&& x) const {
    to(std::forward<X>(x));
  }
  bool done() const noexcept
    requires may_end<Sink>
  {
    return to.done();
  }
};

template <class F, class Next>
struct linked {
  [[no_unique_address]] stage_function<F> f;
  Next next;

  bool done() const noexcept
    requires may_end<Next>
  {
    return next.done();
  }
};

template <class F>
struct transform_step {
  [[no_unique_address]] F f;

  template <class In>
  using after = element<result_with<F, typename In::reference>>;
  template <class Next>
  struct sink : linked<F, Next> {
    template <class X>
    HEIST_INLINE void operator()(X&& x) const {
      this->next(this->f(std::forward<X>(x)));
    }
  };
};

template <class F>
struct inspect_step {
  [[no_unique_address]] F f;

  template <class In>
  using after = In;
  template <class Next>
  struct sink : linked<F, Next> {
    template <class X>
    HEIST_INLINE void operator()(X&& x) const {
      this->f(x);
      this->next(std::forward<X>(x));
    }
  };
};

template <class F>
struct filter_step {
  [[no_unique_address]] F f;

  template <class In>
  using after = In;
  template <class Next>
  struct sink : linked<F, Next> {
    template <class X>
    HEIST_INLINE void operator()(X&& x) const {
      if (static_cast<bool>(this->f(x))) this->next(std::forward<X>(x));
    }
  };
};

// f returns a std::optional, a pointer or the like.
template <class F>
struct filter_map_step {
  [[no_unique_address]] F f;

  template <class In>
  using after = element<decltype(*std::declval<result_with<F, typename In::reference>>())>;
  template <class Next>
  struct sink : linked<F, Next> {
    template <class X>
    HEIST_INLINE void operator()(X&& x) const {
      auto&& found = this->f(std::forward<X>(x));
      if (static_cast<bool>(found)) this->next(*std::forward<decltype(found)>(found));
    }
  };
};

// The elements of a container that nobody else has may be moved from; those of a view or a lent container may not.
template <class R>
inline constexpr bool gives_away = !std::is_reference_v<R> && !std::ranges::borrowed_range<R> && !std::ranges::view<R>;
template <class R>
using given_by = std::conditional_t<gives_away<R> && std::is_lvalue_reference_v<std::ranges::range_reference_t<R>>,
                                    std::remove_reference_t<std::ranges::range_reference_t<R>>&&,
                                    std::ranges::range_reference_t<R>>;

template <class F>
struct flat_map_step {
  [[no_unique_address]] F f;

  template <class In>
  using after = element<given_by<result_with<F, typename In::reference>>,
                        std::ranges::range_value_t<result_with<F, typename In::reference>>>;
  template <class Next>
  struct sink : linked<F, Next> {
    template <class X>
    HEIST_INLINE void operator()(X&& x) const {
      using range = decltype(this->f(std::forward<X>(x)));
      range all = this->f(std::forward<X>(x));
      const auto end = std::ranges::end(all);
      for (auto i = std::ranges::begin(all); i != end; ++i) {
        this->next(static_cast<given_by<range>>(*i));
        if constexpr (may_end<Next>)
          if (this->next.done()) return;
      }
    }
  };
};

// The steps, bound to what is at their end.
template <std::size_t k = 0, class Steps, class Last>
HEIST_INLINE auto bind_steps(const Steps& steps, Last last) {
  if constexpr (k == std::tuple_size_v<Steps>) {
    return last;
  } else {
    auto next = detail::bind_steps<k + 1>(steps, last);
    const auto& step = std::get<k>(steps);
    using step_type = std::tuple_element_t<k, Steps>;
    using function = std::remove_cvref_t<decltype(step.f)>;
    return typename step_type::template sink<decltype(next)>{{stage_function<function>(step.f), next}};
  }
}

template <class In, class... Steps>
struct element_after {
  using type = In;
};
template <class In, class Step, class... More>
struct element_after<In, Step, More...> : element_after<typename Step::template after<In>, More...> {};

// Passes what becomes of the elements [a, b) to `to`, in order.
template <class Cursor, class Steps, class Sink>
HEIST_INLINE void flow_through(const Cursor& cursor, const Steps& steps, std::size_t a, std::size_t b, Sink& to) {
  const auto sink = detail::bind_steps(steps, last_sink<Sink>{to});
  const Cursor here = cursor;  // so that what it refers to is in registers
  for (std::size_t k = a; k != b; ++k) {
    sink(here[k]);
    if constexpr (may_end<Sink>)
      if (to.done()) return;
  }
}

}  // namespace heist::detail

HEIST_END

#pragma once
// pipeline: items from a source go through stages, several at a time.

#include <heist/base/export.hpp>
#include <heist/sched/closure.hpp>
#include <heist/wait/pipeline_run.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {
namespace detail {

template <stage_kind Kind, class F>
struct pipeline_stage {
  static constexpr stage_kind kind = Kind;
  F f;
};

template <class T>
constexpr bool is_stage = false;
template <stage_kind Kind, class F>
constexpr bool is_stage<pipeline_stage<Kind, F>> = true;

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

template <stage_kind Kind, class F>
auto make_stage(F&& f) {
  constexpr bool kept = std::is_constructible_v<std::decay_t<F>, F>;
  static_assert(kept, "heist: a stage keeps a copy of its function, and this one cannot be copied; pass it with std::move");
  if constexpr (kept)
    return pipeline_stage<Kind, std::decay_t<F>>{std::forward<F>(f)};
  else
    return refused<pipeline_stage<Kind, std::decay_t<F>>>();
}

}  // namespace detail

// Stages of a pipeline. Each calls f with an item, an rvalue, and passes what f returns to the next stage.
// serial: one item at a time, in any order.
template <class F>
auto serial(F&& f) {
  return detail::make_stage<detail::stage_kind::serial>(std::forward<F>(f));
}
// ordered: one item at a time, in the source's order.
template <class F>
auto ordered(F&& f) {
  return detail::make_stage<detail::stage_kind::ordered>(std::forward<F>(f));
}
// parallel: any number of items at a time. So f may be called by several strands at once.
template <class F>
auto parallel(F&& f) {
  return detail::make_stage<detail::stage_kind::parallel>(std::forward<F>(f));
}

namespace detail {

// Whether the first stage can be called with a V, and each other one with what the one before it returns.
template <class V, class First, class... Rest>
consteval bool stages_fit() noexcept {
  constexpr bool fits = std::is_invocable_v<decltype(First::f)&, V>;
  static_assert(fits, "heist::pipeline: a stage cannot be called with what the source or the stage before it returns");
  if constexpr (!fits) {
    return false;
  } else if constexpr (sizeof...(Rest) == 0) {
    return true;
  } else {
    using result = std::invoke_result_t<decltype(First::f)&, V>;
    static_assert(!std::is_void_v<result>, "heist::pipeline: a stage returns nothing, but another stage comes after it");
    static_assert(!std::is_reference_v<result>, "heist::pipeline: a stage returns a reference; return a value or a pointer");
    if constexpr (std::is_void_v<result> || std::is_reference_v<result>)
      return false;
    else
      return stages_fit<std::remove_cv_t<result>, Rest...>();
  }
}

// What the stages are called with: V, and what all but the last stage return.
template <class V, class... Stage>
struct inputs {
  using all = std::tuple<std::optional<V>>;
};
template <class V, class First, class Second, class... Rest>
struct inputs<V, First, Second, Rest...> {
  using next = std::remove_cv_t<std::invoke_result_t<decltype(First::f)&, V>>;
  using all = decltype(std::tuple_cat(std::declval<std::tuple<std::optional<V>>>(),
                                      std::declval<typename inputs<next, Second, Rest...>::all>()));
};

template <class Source, class... Stage>
class typed_pipeline final : public pipeline_run {
 public:
  typed_pipeline(std::size_t limit, Source& source, Stage&... stages)
      : pipeline_run(limit, kinds, sizeof...(Stage)), source_(source), stages_(stages...) {}
  typed_pipeline(const typed_pipeline&) = delete;
  ~typed_pipeline() {
    for_all([](pipeline_item& i) { delete static_cast<item*>(&i); });
  }

 private:
  using first = typename std::remove_cvref_t<std::invoke_result_t<Source&>>::value_type;
  struct item : pipeline_item {
    typename inputs<first, Stage...>::all in;  // what each stage is called with
  };

  pipeline_item* make() override { return new item; }

  bool fetch(pipeline_item& to) override {
    auto got = std::invoke(source_);
    if (!got) return false;
    std::get<0>(static_cast<item&>(to).in).emplace(*std::move(got));
    return true;
  }

  void call(unsigned stage, pipeline_item& with) override {
    call_one(stage, static_cast<item&>(with), std::make_index_sequence<sizeof...(Stage)>());
  }
  template <std::size_t... i>
  void call_one(unsigned stage, item& with, std::index_sequence<i...>) {
    ((i == stage ? call_stage<i>(with) : void()), ...);
  }
  template <std::size_t i>
  void call_stage(item& with) {
    auto& in = std::get<i>(with.in);
    if constexpr (i + 1 < sizeof...(Stage))
      std::get<i + 1>(with.in).emplace(std::invoke(std::get<i>(stages_).f, *std::move(in)));
    else
      static_cast<void>(std::invoke(std::get<i>(stages_).f, *std::move(in)));
    in.reset();
  }

  static constexpr stage_kind kinds[] = {Stage::kind...};

  Source& source_;
  std::tuple<Stage&...> stages_;
};

template <class Source, class... Stage>
consteval bool can_flow() noexcept {
  static_assert(sizeof...(Stage) > 0, "heist::pipeline takes a limit, a source and at least one stage");
  constexpr bool staged = (is_stage<Stage> && ...);
  static_assert(staged,
                "heist::pipeline: make each stage with heist::serial, heist::ordered or heist::parallel; a std::stop_token "
                "comes last");
  constexpr bool called = std::is_invocable_v<Source&>;
  static_assert(called, "heist::pipeline: the source must be callable without arguments");
  if constexpr (called && staged && sizeof...(Stage) > 0) {
    using given = std::remove_cvref_t<std::invoke_result_t<Source&>>;
    constexpr bool ends = is_optional<given>;
    static_assert(ends, "heist::pipeline: the source returns a std::optional, which is empty at the end");
    if constexpr (ends)
      return stages_fit<typename given::value_type, Stage...>();
    else
      return false;
  } else {
    return false;
  }
}

template <class... T>
constexpr bool ends_with_token = false;
template <class First, class... Rest>
constexpr bool ends_with_token<First, Rest...> =
    sizeof...(Rest) == 0 ? std::is_same_v<std::remove_cvref_t<First>, std::stop_token> : ends_with_token<Rest...>;

template <class Source, class... Stage>
void flow(std::size_t limit, const std::stop_token& token, Source& source, Stage&... stages) {
  if constexpr (can_flow<Source, Stage...>()) typed_pipeline<Source, Stage...>(limit, source, stages...).run(token);
}

}  // namespace detail

// Calls source() again and again, until it returns an empty optional, and passes what it returns through the stages. Returns
// when all items are through. At most `limit` items are under way at once (of more than 65,536, that many); a limit of 0 throws
// std::invalid_argument. The source is called by one strand at a time. What the last stage returns is dropped.
//
//   heist::pipeline(16, read_line, heist::parallel(parse), heist::ordered(print));
//
// An item that comes to a busy stage is left there, and the strand that leaves the stage goes on with it: no worker waits.
// One worker takes each item through all stages before it asks for the next.
//
// If the source or a stage throws, no more items are begun; items that are before that one in the source's order are
// finished, others are dropped. Then the first exception in the source's order is thrown. With a std::stop_token last, a
// stop request drops all items under way, and pipeline() throws heist::cancelled, unless all were through.
template <std::integral Limit, class Source, class... Stage>
void pipeline(Limit limit, Source&& source, Stage&&... stages) {
  if (!(limit > 0)) detail::pipeline_run::refuse_limit();
  const auto most = static_cast<std::size_t>(limit);
  if constexpr (detail::ends_with_token<Stage...>) {
    auto all = std::forward_as_tuple(stages...);
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      detail::flow(most, std::get<sizeof...(i)>(all), source, std::get<i>(all)...);
    }(std::make_index_sequence<sizeof...(Stage) - 1>());
  } else {
    detail::flow(most, std::stop_token(), source, stages...);
  }
}

}  // namespace heist

HEIST_END

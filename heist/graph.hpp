#pragma once
// graph: tasks with dependencies, run once or many times.

#include <heist/base/export.hpp>
#include <heist/sched/closure.hpp>
#include <heist/wait/graph_books.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// Nodes are functions. A node runs when all nodes that precede it have ended.
//
//   heist::graph g;
//   auto compile = g.node("compile", [&] { … });
//   auto link = g.node("link", [&] { … });
//   g.precede(compile, link);
//   g.run();
//
// A graph can be run many times, and changed between the runs. It is built by one thread at a time, and it is run once at a
// time; otherwise std::logic_error is thrown.
class HEIST_TYPE graph {
 public:
  // A node, by value. It is valid until its graph is cleared or destroyed.
  class HEIST_TYPE handle {
   public:
    HEIST_OWN handle() noexcept = default;
    HEIST_OWN friend bool operator==(handle, handle) noexcept = default;

   private:
    friend class graph;
    HEIST_OWN handle(const detail::graph_books& of, std::uint32_t index) noexcept : of_(&of), index_(index) {}
    const detail::graph_books* of_ = nullptr;
    std::uint32_t index_ = 0;
  };

  HEIST_OWN graph() noexcept = default;
  HEIST_OWN ~graph() = default;
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  // Adds a node. f is one of these:
  // - a function without arguments;
  // - a function that takes a heist::graph&, an empty one: it fills it, and the node ends when that graph has run;
  // - a heist::graph, which must outlive this one: the node runs it.
  // The graph keeps a copy of a function; one of up to 24 bytes needs no allocation. The name is for messages.
  template <class F>
  HEIST_OWN handle node(F&& f) {
    return add_node(std::string(), std::forward<F>(f));
  }
  template <class F>
  HEIST_OWN handle node(std::string name, F&& f) {
    return add_node(std::move(name), std::forward<F>(f));
  }

  // Adds a node whose function returns a number: that of the successor that goes on, counted from 0 in the order of the calls
  // of precede(). With any other number, none goes on. The one that goes on does not wait for other predecessors, and no
  // node waits for a condition: so nodes that only conditions precede run when they are chosen, again each time. That makes
  // loops; a node must not be chosen again while it runs.
  template <class F>
  HEIST_OWN handle condition(F&& f) {
    return add_condition(std::string(), std::forward<F>(f));
  }
  template <class F>
  HEIST_OWN handle condition(std::string name, F&& f) {
    return add_condition(std::move(name), std::forward<F>(f));
  }

  // `before` ends before `after` begins. Throws std::invalid_argument if one of them is not of this graph.
  HEIST_OWN void precede(handle before, handle after) {
    if (before.of_ != &books_ || after.of_ != &books_) detail::graph_books::refuse_stranger();
    books_.precede(before.index_, after.index_);
  }

  // Runs all nodes, in the pool that the caller is in, or else in the default pool, and returns when all have ended. Throws
  // std::invalid_argument, with the names, if nodes precede each other in a cycle. If a node throws, those that have not
  // begun do not run, and run() throws the first exception. After a stop request they do not run either, and run() throws
  // heist::cancelled. The graph can be run again in each case.
  HEIST_OWN void run(const std::stop_token& token = {}) { books_.run(token); }

  // How many there are.
  HEIST_OWN std::size_t nodes() const noexcept { return books_.nodes(); }
  HEIST_OWN std::size_t edges() const noexcept { return books_.edges(); }
  // Removes everything.
  HEIST_OWN void clear() { books_.clear(); }

 private:
  // How a node keeps its function: in place, or on the heap.
  template <class F>
  struct HEIST_OWN kept {
    static constexpr bool in_place = detail::graph_node::fits<F>;

    template <class From>
    HEIST_OWN static void construct(detail::graph_node& n, From&& f) {
      if constexpr (in_place)
        ::new (static_cast<void*>(n.function)) F(std::forward<From>(f));
      else
        ::new (static_cast<void*>(n.function)) F*(new F(std::forward<From>(f)));
    }
    HEIST_OWN static F& in(detail::graph_node& n) noexcept {
      if constexpr (in_place)
        return *std::launder(reinterpret_cast<F*>(n.function));
      else
        return **std::launder(reinterpret_cast<F**>(n.function));
    }
    HEIST_OWN static void destroy(detail::graph_node& n) noexcept {
      if constexpr (in_place)
        in(n).~F();
      else
        delete &in(n);
    }
    static constexpr bool destroys = !in_place || !std::is_trivially_destructible_v<F>;
    // Here, because g++ does not hide it as a member of graph.
    template <std::int64_t (*Call)(detail::graph_node&), bool Chooses>
    static constexpr detail::graph_function how{
        {&detail::graph_node::steal}, Call, destroys ? &kept::destroy : nullptr, Chooses};
  };

  template <class F>
  HEIST_OWN static std::int64_t call_plain(detail::graph_node& n) {
    std::invoke(kept<F>::in(n));
    return detail::graph_function::all;
  }
  template <class F>
  HEIST_OWN static std::int64_t call_builder(detail::graph_node& n) {
    graph inner;
    std::invoke(kept<F>::in(n), inner);
    inner.run();
    return detail::graph_function::all;
  }
  template <class F>
  HEIST_OWN static std::int64_t call_condition(detail::graph_node& n) {
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    const auto chosen = static_cast<std::int64_t>(std::invoke(kept<F>::in(n)));
    return chosen >= 0 ? chosen : none;
  }

  template <class F, std::int64_t (*Call)(detail::graph_node&), bool Chooses, class From>
  HEIST_OWN handle add(std::string name, From&& f) {
    static_assert(std::is_constructible_v<F, From>,
                  "heist::graph: a node keeps a copy of its function, and this one cannot be copied; pass it with std::move");
    if constexpr (std::is_constructible_v<F, From>) {
      detail::graph_node& n = books_.place();
      kept<F>::construct(n, std::forward<From>(f));
      return handle(books_, books_.add(kept<F>::template how<Call, Chooses>, std::move(name)));
    } else {
      return {};
    }
  }

  template <class From>
  HEIST_OWN handle add_node(std::string name, From&& f) {
    using F = std::decay_t<From>;
    if constexpr (std::is_same_v<F, graph>) {
      static_assert(std::is_same_v<From, graph&>, "heist::graph: a node does not own the graph that it runs; pass an lvalue");
      auto run_it = [inner = std::addressof(f)] { inner->run(); };
      return add<decltype(run_it), call_plain<decltype(run_it)>, false>(std::move(name), run_it);
    } else if constexpr (std::is_invocable_v<F&>) {
      return add<F, call_plain<F>, false>(std::move(name), std::forward<From>(f));
    } else {
      static_assert(std::is_invocable_v<F&, graph&>,
                    "heist::graph: a node is a function without arguments, a function that takes a heist::graph&, or a graph");
      if constexpr (std::is_invocable_v<F&, graph&>)
        return add<F, call_builder<F>, false>(std::move(name), std::forward<From>(f));
      else
        return {};
    }
  }

  template <class From>
  HEIST_OWN handle add_condition(std::string name, From&& f) {
    using F = std::decay_t<From>;
    constexpr bool called = std::is_invocable_v<F&>;
    constexpr bool counts = std::integral<detail::result_of<F&>>;
    static_assert(called, "heist::graph: a condition is a function without arguments");
    static_assert(counts || !called, "heist::graph: a condition returns the number of a successor, an integer");
    if constexpr (counts)
      return add<F, call_condition<F>, true>(std::move(name), std::forward<From>(f));
    else
      return {};
  }

  detail::graph_books books_;
};

}  // namespace heist

HEIST_END

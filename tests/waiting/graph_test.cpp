// heist::graph: every node once, after all that precede it; reducers, memory, measuring.

#include "tests/waiting/graph.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace heist_test;

INSTANTIATE_TEST_SUITE_P(run, a_graph, testing::Values(0u, 1u, 2u, 8u), place_name);

TEST_P(a_graph, runs_each_node_after_those_that_precede_it) {
  in_place([] {
    watched w(4);
    heist::graph g;
    const handle a = g.node("a", w.node(0)), b = g.node(w.node(1)), c = g.node("c", w.node(2)), d = g.node(w.node(3));
    g.precede(a, b);
    g.precede(a, c);
    g.precede(b, d);
    g.precede(c, d);
    EXPECT_EQ(g.nodes(), 4u);
    EXPECT_EQ(g.edges(), 4u);
    for (int i = 1; i <= rounds(200); ++i) {
      g.run();
      for (std::size_t k = 0; k < 4; ++k) ASSERT_EQ(w.runs(k), i);
      ASSERT_TRUE(w.before(0, 1) && w.before(0, 2) && w.before(1, 3) && w.before(2, 3));
    }
  });
}

TEST_P(a_graph, may_be_random) {
  in_place([] {
    std::mt19937 random(7);
    for (int round = 0; round < rounds(20); ++round) {
      const std::size_t n = 2 + random() % 400;
      watched w(n);
      heist::graph g;
      std::vector<handle> nodes;
      for (std::size_t i = 0; i < n; ++i) nodes.push_back(g.node(w.node(i)));
      std::vector<std::size_t> order(n);  // a topological one that the graph does not know
      for (std::size_t i = 0; i < n; ++i) order[i] = i;
      std::shuffle(order.begin(), order.end(), random);
      std::vector<std::pair<std::size_t, std::size_t>> edges;
      for (std::size_t e = 0; e < 3 * n; ++e) {
        std::size_t a = random() % n, b = random() % n;
        if (a == b) continue;
        if (a > b) std::swap(a, b);
        edges.emplace_back(order[a], order[b]);  // some twice
        g.precede(nodes[order[a]], nodes[order[b]]);
      }
      for (int i = 1; i <= 3; ++i) {
        g.run();
        for (std::size_t k = 0; k < n; ++k) ASSERT_EQ(w.runs(k), i);
        for (const auto& [a, b] : edges) ASSERT_TRUE(w.before(a, b));
      }
    }
  });
}

TEST_P(a_graph, may_be_changed_between_runs) {
  in_place([] {
    watched w(300);
    heist::graph g;
    std::vector<handle> nodes;
    for (std::size_t i = 0; i < 300; ++i) {
      nodes.push_back(g.node(w.node(i)));
      if (i % 3 == 0) g.run();
      if (i > 0) g.precede(nodes[i], nodes[i - 1]);
      if (i > 1 && i % 2 == 0) g.precede(nodes[i], nodes[i - 2]);
      if (i % 5 != 0) continue;
      g.run();
      for (std::size_t k = 1; k <= i; ++k) ASSERT_TRUE(w.before(k, k - 1));
    }
    g.clear();
    EXPECT_EQ(g.nodes(), 0u);
    EXPECT_EQ(g.edges(), 0u);
    g.run();
    int n = 0;
    g.node([&] { ++n; });
    g.run();
    EXPECT_EQ(n, 1);
  });
}

TEST_P(a_graph, may_be_a_long_chain) {
  in_place([] {
    const int n = 100'000;
    heist::graph g;
    int reached = 0;
    handle last;
    for (int i = 0; i < n; ++i) {
      const handle now = g.node([&reached, i] { reached = reached == i ? i + 1 : -1; });
      if (i > 0) g.precede(last, now);
      last = now;
    }
    for (int k = 0; k < 2; ++k) {
      reached = 0;
      g.run();
      EXPECT_EQ(reached, n);
    }
  });
}

// A spine with a tooth at each node: wherever it is cut, one side has little to do. Both orders of the two successors.
TEST_P(a_graph, may_be_a_comb) {
  in_place([] {
    for (const bool spine_first : {false, true}) {
      const int n = rounds(50'000);
      heist::graph g;
      std::atomic<int> teeth{0};
      int reached = 0;
      handle last;
      for (int i = 0; i < n; ++i) {
        const handle tooth = g.node([&] { teeth.fetch_add(1, std::memory_order_relaxed); });
        const handle now = g.node([&] { ++reached; });
        if (i > 0) {
          g.precede(last, spine_first ? now : tooth);
          g.precede(last, spine_first ? tooth : now);
        }
        last = now;
      }
      g.run();
      EXPECT_EQ(teeth, n);
      EXPECT_EQ(reached, n);
    }
  });
}

TEST_P(a_graph, may_have_nodes_with_many_successors) {
  in_place([] {
    const std::size_t n = 5'000;
    watched w(2 * n + 1);
    heist::graph g;
    std::vector<handle> first, second;
    for (std::size_t i = 0; i < n; ++i) first.push_back(g.node(w.node(i)));
    const handle middle = g.node(w.node(n));
    for (std::size_t i = 0; i < n; ++i) {
      second.push_back(g.node(w.node(n + 1 + i)));
      g.precede(first[i], middle);
      g.precede(middle, second[i]);
    }
    for (int k = 1; k <= 3; ++k) {
      g.run();
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_TRUE(w.before(i, n));
        ASSERT_TRUE(w.before(n, n + 1 + i));
        ASSERT_EQ(w.runs(i) + w.runs(n + 1 + i), 2 * k);
      }
    }
  });
}

TEST_P(a_graph, runs_nodes_at_once) {
  if (GetParam() < 2) return;
  in_place([] {
    std::atomic<int> here{0};
    heist::graph g;
    const handle first = g.node([] {});
    for (int i = 0; i < 2; ++i)
      g.precede(first, g.node([&] {
        ++here;
        EXPECT_TRUE(eventually([&] { return here == 2; }));
      }));
    g.run();
  });
}

// Whatever is ready can be stolen, also while the worker that made it ready is busy.
TEST_P(a_graph, keeps_nothing_from_idle_workers) {
  if (GetParam() != 8) return;
  in_place([] {
    std::atomic<int> here{0};
    heist::graph g;
    const handle first = g.node([] {});
    for (int i = 0; i < 8; ++i)
      g.precede(first, g.node([&] {
        ++here;
        EXPECT_TRUE(eventually([&] { return here == 8; }));
      }));
    g.run();
  });
}

TEST_P(a_graph, may_fork_and_wait_in_its_nodes) {
  in_place([] {
    heist::graph g;
    heist::channel<long> c(0);
    long sum = 0;
    std::atomic<int> others{0};
    const int n = 20;
    const handle last = g.node([&] { EXPECT_EQ(others, n); });
    for (int i = 0; i < n; ++i) {
      g.precede(g.node([&, i] {
                  EXPECT_EQ(fib(i % 12), fib(i % 12));
                  ++others;
                }),
                last);
      g.node([&, i] { c.push(fib(i % 10)); });
    }
    g.node([&] {
      for (int i = 0; i < n; ++i) sum += *c.pop();
    });
    for (int k = 0; k < rounds(20); ++k) {
      others = 0;
      sum = 0;
      g.run();
      long expected = 0;
      for (int i = 0; i < n; ++i) expected += fib(i % 10);
      ASSERT_EQ(sum, expected);
    }
  });
}

TEST_P(a_graph, keeps_functions_of_every_size_and_destroys_them) {
  in_place([] {
    auto shared = std::make_shared<int>(0);
    {
      heist::graph g;
      std::array<long, 40> big{};
      big[39] = 2;
      const handle a = g.node([shared] { *shared += 1; });
      const handle b = g.node([shared, big] { *shared += static_cast<int>(big[39]); });
      const handle c = g.node([owned = std::make_unique<int>(4), shared] { *shared += *owned; });
      struct alignas(64) wide {
        int value = 8;
      };
      const handle d = g.node([shared, w = wide()] {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&w) % 64, 0u);
        *shared += w.value;
      });
      g.precede(a, b);
      g.precede(b, c);
      g.precede(c, d);
      g.run();
      EXPECT_EQ(*shared, 15);
      EXPECT_EQ(shared.use_count(), 5);
      g.clear();
      EXPECT_EQ(shared.use_count(), 1);
      g.node([shared] {});
    }
    EXPECT_EQ(shared.use_count(), 1);
  });
}

TEST_P(a_graph, does_not_keep_a_function_whose_copy_throws) {
  struct bad {
    bad() = default;
    bad(const bad&) { throw failure(1); }
    void operator()() const {}
  };
  in_place([] {
    heist::graph g;
    const bad b;
    EXPECT_EQ(thrower([&] { g.node(b); }), 1);
    EXPECT_EQ(g.nodes(), 0u);
    g.run();
  });
  expect_nothing_left();
}

TEST_P(a_graph, merges_what_its_nodes_add_to_reducers) {
  in_place([] {
    heist::graph g;
    const int n = rounds(2'000);
    heist::reducer<long> sum(0);
    const handle first = g.node([&] { *sum += 1; });
    for (int i = 0; i < n; ++i) g.precede(first, g.node([&, i] { *sum += i; }));
    g.run();
    EXPECT_EQ(*sum, 1 + static_cast<long>(n) * (n - 1) / 2);
  });
}

TEST(a_graph_alone, runs_what_is_ready_in_the_order_of_its_nodes) {
  heist::pool one({.workers = 1});
  one.run([] {
    std::string log;
    heist::graph g;
    const handle a = g.node([&] { log += 'a'; }), b = g.node([&] { log += 'b'; }), c = g.node([&] { log += 'c'; });
    const handle d = g.node([&] { log += 'd'; });
    g.precede(a, d);
    g.precede(b, d);
    g.run();
    EXPECT_EQ(log, "abdc");
    static_cast<void>(c);
  });
}

// Memory ----------------------------------------------------------------------------------------------------------------

#if !defined(HEIST_TSAN) && !defined(HEIST_ASAN)
TEST(a_large_graph, takes_at_most_64_bytes_a_node_and_8_an_edge) {
  auto in_use = [] { return static_cast<long>(mallinfo2().uordblks + mallinfo2().hblkhd); };
  const long nodes = 200'000, edges = 1'000'000;
  std::vector<handle> h(nodes);
  int n = 0;
  heist::pool one({.workers = 1});
  const long before = in_use();
  heist::graph g;
  for (handle& i : h) i = g.node([&n] { ++n; });
  const long with_nodes = in_use();
  EXPECT_LE(with_nodes - before, 64 * nodes);
  std::mt19937 random(3);
  for (long i = 0; i < edges; ++i) {
    const auto a = random() % (nodes - 1);
    g.precede(h[a], h[a + 1 + random() % (nodes - 1 - a)]);
  }
  one.run([&] { g.run(); });
  EXPECT_EQ(n, nodes);
  // Once it has run; meanwhile the list of edges doubles as a std::vector does.
  EXPECT_LE(in_use() - before, 64 * nodes + 8 * edges);
}
#endif

// Measuring -------------------------------------------------------------------------------------------------------------

TEST_P(a_graph, can_be_measured) {
  in_place([] {
    heist::graph g;
    std::atomic<int> n{0};
    handle last;
    for (int i = 0; i < 2'000; ++i) {
      const handle tooth = g.node([&] { ++n; }), now = g.node([&] { ++n; });
      if (i > 0) {
        g.precede(last, tooth);
        g.precede(last, now);
      }
      last = now;
    }
    const heist::measurement m = heist::measure([&] { g.run(); });
    EXPECT_EQ(n, 4'000);
    EXPECT_GT(m.work, m.span);
  });
}

}  // namespace

// heist::graph: every node once, after all that precede it; conditions, subgraphs, cycles, failures, stops.

#include "tests/waiting/together.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace heist_test;
using handle = heist::graph::handle;

class a_graph : public together {};
INSTANTIATE_TEST_SUITE_P(run, a_graph, testing::Values(0u, 1u, 2u, 8u), place_name);

// When nodes ran: each gets the time of its beginning and of its end.
class watched {
 public:
  explicit watched(std::size_t n) : begun_(n), ended_(n), runs_(n) {}
  auto node(std::size_t i) {
    return [this, i] {
      begun_[i] = ++time_;
      ++runs_[i];
      ended_[i] = ++time_;
    };
  }
  bool before(std::size_t a, std::size_t b) const { return ended_[a] < begun_[b]; }
  int runs(std::size_t i) const { return runs_[i]; }

 private:
  std::atomic<int> time_{0};
  std::vector<int> begun_, ended_;
  std::vector<std::atomic<int>> runs_;
};

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

// Conditions ------------------------------------------------------------------------------------------------------------

TEST_P(a_graph, chooses_one_successor_of_a_condition) {
  in_place([] {
    for (const int choice : {0, 1, 2, -1, 3}) {
      heist::graph g;
      std::atomic<int> ran{0};
      const handle first = g.node([] {});
      const handle choose = g.condition("choose", [=] { return choice; });
      g.precede(first, choose);
      for (int i = 0; i < 3; ++i) g.precede(choose, g.node([&ran, i] { ran += 1 << i; }));
      for (int k = 0; k < 3; ++k) {
        ran = 0;
        g.run();
        EXPECT_EQ(ran, choice >= 0 && choice < 3 ? 1 << choice : 0);
      }
    }
  });
}

TEST_P(a_graph, loops_through_a_condition) {
  in_place([] {
    heist::graph g;
    int i = 0, ended = 0;
    std::atomic<int> left{0}, right{0};
    const handle begin = g.node([&] { i = 0; });
    const handle body = g.node([&] { ++i; });
    const handle l = g.node([&] { ++left; }), r = g.node([&] { ++right; });
    const handle again = g.condition([&] { return i == 1'000 ? 1u : 0u; });
    const handle end = g.node([&] { ++ended; });
    const handle enter = g.condition([] { return false; });
    g.precede(begin, enter);
    g.precede(enter, body);
    g.precede(body, l);
    g.precede(body, r);
    g.precede(l, again);  // a join in the loop
    g.precede(r, again);
    g.precede(again, body);
    g.precede(again, end);
    for (int k = 1; k <= 3; ++k) {
      g.run();
      EXPECT_EQ(i, 1'000);
      EXPECT_EQ(ended, k);
      EXPECT_EQ(left, 1'000 * k);
      EXPECT_EQ(right, 1'000 * k);
    }
  });
}

TEST_P(a_graph, may_have_a_condition_that_chooses_itself) {
  in_place([] {
    heist::graph g;
    int n = 0;
    const handle first = g.node([&] { n = 0; });
    const handle again = g.condition([&] { return ++n < 100'000 ? 0 : 1; });
    g.precede(first, again);
    g.precede(again, again);
    // Then it has a predecessor that is a condition, itself, and one that is not.
    g.run();
    EXPECT_EQ(n, 100'000);
  });
}

TEST_P(a_graph, without_a_node_to_begin_with_is_refused) {
  in_place([] {
    heist::graph g;
    const handle a = g.condition([] { return 0; });
    g.precede(a, a);
    try {
      g.run();
      FAIL();
    } catch (const std::invalid_argument& e) {
      EXPECT_STREQ(e.what(),
                   "heist: a graph has no node to begin with: a condition leads to each that no other node precedes");
    }
  });
}

// Subgraphs -------------------------------------------------------------------------------------------------------------

TEST_P(a_graph, runs_another_graph_as_a_node) {
  in_place([] {
    watched w(102);
    heist::graph inner, outer;
    for (std::size_t i = 1; i <= 100; ++i) inner.node(w.node(i));
    const handle a = outer.node(w.node(0)), b = outer.node("inner", inner), c = outer.node(w.node(101));
    outer.precede(a, b);
    outer.precede(b, c);
    for (int k = 1; k <= rounds(50); ++k) {
      outer.run();
      for (std::size_t i = 1; i <= 100; ++i) {
        ASSERT_EQ(w.runs(i), k);
        ASSERT_TRUE(w.before(0, i));
        ASSERT_TRUE(w.before(i, 101));
      }
    }
  });
}

TEST_P(a_graph, runs_what_a_node_builds_before_its_successors) {
  in_place([] {
    struct tree {
      static void build(heist::graph& g, std::atomic<int>& leaves, int depth) {
        for (int i = 0; i < 3; ++i) {
          if (depth == 0)
            g.node([&] { ++leaves; });
          else
            g.node([&leaves, depth](heist::graph& inner) { build(inner, leaves, depth - 1); });
        }
      }
    };
    for (int k = 0; k < rounds(20); ++k) {
      std::atomic<int> leaves{0};
      heist::graph g;
      const handle all = g.node([&](heist::graph& inner) { tree::build(inner, leaves, 4); });
      g.precede(all, g.node([&] { EXPECT_EQ(leaves, 243); }));
      g.run();
      ASSERT_EQ(leaves, 243);
    }
  });
}

TEST_P(a_graph, throws_what_a_subgraph_throws) {
  in_place([] {
    heist::graph inner, outer;
    inner.node([] { throw failure(3); });
    bool after = false;
    outer.precede(outer.node(inner), outer.node([&] { after = true; }));
    outer.node([](heist::graph& g) { g.node([] {}); });
    EXPECT_EQ(thrower([&] { outer.run(); }), 3);
    EXPECT_FALSE(after);
  });
  expect_nothing_left();
}

// Misuse ----------------------------------------------------------------------------------------------------------------

std::string refusal(heist::graph& g) {
  try {
    g.run();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "none";
}

TEST_P(a_graph, with_a_cycle_is_refused_with_its_path) {
  in_place([] {
    bool ran = false;
    heist::graph g;
    const handle a = g.node("a", [&] { ran = true; }), b = g.node("b", [] {}), c = g.node([] {}), d = g.node("d", [] {});
    g.precede(a, b);
    g.precede(b, c);
    g.run();
    ran = false;
    g.precede(c, b);
    g.precede(c, d);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(refusal(g), "heist: a graph has a cycle: b -> #2 -> b");
    g.precede(d, d);
    EXPECT_FALSE(ran);
  });
  in_place([] {
    heist::graph g;
    const handle a = g.node("alone", [] {});
    g.precede(a, a);
    EXPECT_EQ(refusal(g), "heist: a graph has a cycle: alone -> alone");
  });
  in_place([] {
    heist::graph g;
    std::vector<handle> nodes;
    for (int i = 0; i < 1000; ++i) nodes.push_back(g.node("n" + std::to_string(i), [] {}));
    for (std::size_t i = 0; i < 1000; ++i) g.precede(nodes[i], nodes[(i + 1) % 1000]);
    const std::string text = refusal(g);
    EXPECT_EQ(text.find("heist: a graph has a cycle: n0 -> n1 -> n2 -> "), 0u) << text;
    EXPECT_NE(text.find("n19 -> … -> n0"), std::string::npos) << text;
  });
}

TEST(a_node, of_another_graph_is_refused) {
  heist::graph g, other;
  const handle a = g.node([] {}), b = other.node([] {});
  EXPECT_THROW(g.precede(a, b), std::invalid_argument);
  EXPECT_THROW(g.precede(b, a), std::invalid_argument);
  EXPECT_THROW(g.precede(handle(), a), std::invalid_argument);
  EXPECT_EQ(g.edges(), 0u);
}

TEST_P(a_graph, cannot_be_changed_or_run_by_its_nodes) {
  in_place([] {
    heist::graph g;
    handle a;
    a = g.node([&] {
      EXPECT_THROW(g.run(), std::logic_error);
      EXPECT_THROW(g.node([] {}), std::logic_error);
      EXPECT_THROW(g.precede(a, a), std::logic_error);
      EXPECT_THROW(g.clear(), std::logic_error);
    });
    g.run();
    g.run();
    EXPECT_EQ(g.nodes(), 1u);
  });
}

// Failures and stops ----------------------------------------------------------------------------------------------------

TEST_P(a_graph, stops_at_the_first_exception_and_can_be_run_again) {
  in_place([] {
    heist::graph g;
    std::atomic<bool> fails{true};
    std::atomic<int> after{0}, all{0};
    const handle bad = g.node([&] {
      ++all;
      if (fails) throw failure(1);
    });
    handle last = bad;
    for (int i = 0; i < 100; ++i) {
      const handle now = g.node([&] {
        ++after;
        ++all;
      });
      g.precede(last, now);
      g.precede(bad, now);
      last = now;
      g.node([&] { ++all; });
    }
    for (int k = 0; k < rounds(50); ++k) {
      fails = true;
      after = all = 0;
      ASSERT_EQ(thrower([&] { g.run(); }), 1);
      ASSERT_EQ(after, 0);
      fails = false;
      all = 0;
      g.run();
      ASSERT_EQ(all, 201);
    }
  });
  expect_nothing_left();
}

TEST_P(a_graph, throws_one_of_many_exceptions) {
  in_place([] {
    heist::graph g;
    for (int i = 0; i < 200; ++i) g.node([i] { throw failure(i); });
    for (int k = 0; k < rounds(50); ++k) {
      const int who = thrower([&] { g.run(); });
      ASSERT_GE(who, 0);
      ASSERT_LT(who, 200);
    }
  });
  expect_nothing_left();
}

TEST_P(a_graph, stops_when_it_is_asked_to) {
  in_place([] {
    for (int k = 0; k < rounds(20); ++k) {
      heist::graph g;
      std::stop_source source;
      int n = 0;
      handle last;
      for (int i = 0; i < 100; ++i) {
        const handle now = g.node([&, i] {
          if (i == 50) source.request_stop();
          ++n;
        });
        if (i > 0) g.precede(last, now);
        last = now;
      }
      EXPECT_THROW(g.run(source.get_token()), heist::cancelled);
      EXPECT_EQ(n, 51);
      EXPECT_THROW(g.run(source.get_token()), heist::cancelled);
      EXPECT_EQ(n, 51);
      g.run();
      EXPECT_EQ(n, 151);
      g.run(std::stop_source().get_token());
      EXPECT_EQ(n, 251);
    }
  });
}

TEST_P(a_graph, stops_the_loops_in_its_nodes) {
  if (GetParam() < 2) return;
  in_place([] {
    heist::graph g;
    std::atomic<bool> looping{false};
    g.node([&] {
      EXPECT_TRUE(eventually([&] { return looping.load(); }));
      throw failure(2);
    });
    g.node([&] {
      for (;;) {
        looping = true;
        heist::for_each_index(0, 1'000, [](int) {});
      }
    });
    EXPECT_EQ(thrower([&] { g.run(); }), 2);
  });
  expect_nothing_left();
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

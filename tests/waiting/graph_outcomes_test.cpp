// heist::graph: nodes that choose or build what comes after them, misuse, failures, stops.

#include "tests/waiting/graph.hpp"

#include <atomic>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace heist_test;

INSTANTIATE_TEST_SUITE_P(run, a_graph, testing::Values(0u, 1u, 2u, 8u), place_name);

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

}  // namespace

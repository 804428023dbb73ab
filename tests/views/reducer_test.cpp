// Reducers give the serial answer on every schedule.

#include <tests/join/support.hpp>

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace heist_test;
using texts = heist::reducer<std::string, heist::op::append<std::string>>;
using numbers = heist::reducer<std::vector<int>, heist::op::append<std::vector<int>>>;

std::vector<int> counted_up(int n) {
  std::vector<int> all;
  for (int i = 0; i < n; ++i) all.push_back(i);
  return all;
}

void dawdle(int i) {
  if (i % 7 == 0) std::this_thread::yield();
}

// Joins ------------------------------------------------------------------------------------------------------------

class reducers_in_joins : public scheduled {};
INSTANTIATE_TEST_SUITE_P(, reducers_in_joins, every_schedule, schedule_name);

TEST_P(reducers_in_joins, append_in_the_order_written) {
  texts outer;
  run([&] {
    *outer += "a";
    texts inner("0");
    join([&] { *outer += "b", *inner += "1"; }, [&] { *outer += "c", *inner += "2"; });
    *outer += "d";
    EXPECT_EQ(*inner, "012");
  });
  EXPECT_EQ(*outer, "abcd");
}

TEST_P(reducers_in_joins, forget_what_a_branch_did_that_the_serial_program_would_not_have_run) {
  texts t;
  run([&] {
    EXPECT_EQ(thrower([&] {
      join(
          [&] {
            *t += "left";
            throw failure(1);
          },
          [&] { *t += "right"; });
    }), 1);
  });
  EXPECT_EQ(*t, "left");
}

TEST_P(reducers_in_joins, keep_what_a_branch_did_before_it_threw) {
  texts t;
  run([&] {
    EXPECT_EQ(thrower([&] {
      join([&] { *t += "left "; },
           [&] {
             *t += "right";
             throw failure(2);
           });
    }), 2);
  });
  EXPECT_EQ(*t, "left right");
}

// Programs on every number of workers ------------------------------------------------------------------------------

class reducers : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(, reducers, testing::Values(1u, 2u, 8u));

void walk(numbers& visited, int from, int to) {
  if (to - from == 1) {
    dawdle(from);
    return visited->push_back(from);
  }
  const int middle = from + (to - from) / 2;
  heist::join([&, from, middle] { walk(visited, from, middle); }, [&, middle, to] { walk(visited, middle, to); });
}

TEST_P(reducers, of_a_tree_of_joins_are_in_serial_order) {
  const int n = rounds(20'000);
  for (int round = 0; round < rounds(60); ++round) {
    numbers visited;
    pool.run([&] { walk(visited, 0, n); });
    ASSERT_EQ(*visited, counted_up(n));
  }
}

TEST_P(reducers, of_a_loop_of_spawns_are_in_serial_order) {
  const int n = rounds(5'000);
  for (int round = 0; round < rounds(60); ++round) {
    pool.run([&] {
      numbers visited;  // made and destroyed by a strand
      heist::scope s;
      for (int i = 0; i < n; i += 2) {
        s.spawn([&visited, i] {
          dawdle(i);
          visited->push_back(i);
        });
        visited->push_back(i + 1);
      }
      s.sync();
      ASSERT_EQ(*visited, counted_up(n));
    });
  }
}

// Children, continuations, inner scopes and joins, each with something to say.
void chatter(texts& t, int depth, std::string name) {
  *t += "(" + name;
  if (depth > 0) {
    heist::scope s;
    s.spawn([&t, depth, name] { chatter(t, depth - 1, name + "1"); });
    *t += ".";
    heist::join([&] { chatter(t, depth - 2, name + "2"); }, [&] { chatter(t, depth - 1, name + "3"); });
    s.spawn([&t, depth, name] { chatter(t, depth - 1, name + "4"); });
    dawdle(depth);
    *t += ",";
    s.sync();
    *t += ";";
  }
  *t += ")";
}

TEST_P(reducers, of_scopes_in_joins_in_scopes_are_in_serial_order) {
  heist::pool alone({.workers = 1});
  texts expected;
  alone.run([&] { chatter(expected, 6, "0"); });
  for (int round = 0; round < rounds(200); ++round) {
    texts t;
    pool.run([&] { chatter(t, 6, "0"); });
    ASSERT_EQ(*t, *expected);
  }
}

TEST_P(reducers, see_children_of_spawn_later_at_the_sync_in_spawn_order) {
  for (int round = 0; round < rounds(200); ++round) {
    texts t;
    pool.run([&] {
      heist::scope s;
      for (char c = 'a'; c <= 'f'; ++c) {
        s.spawn_later([&t, c] {
          dawdle(c);
          *t += c;
        });
        *t += '-';
      }
      s.spawn([&t] { *t += '+'; });
      s.sync();
      *t += '!';
    });
    ASSERT_EQ(*t, "------+abcdef!");
  }
}

TEST_P(reducers, may_be_many_and_come_and_go) {
  struct tally {
    heist::reducer<long> sum;
    heist::reducer<int, heist::op::max<int>> most;
  };
  std::vector<std::unique_ptr<tally>> all;
  for (int i = 0; i < 100; ++i) all.push_back(std::make_unique<tally>());
  constexpr int n = 2'000;
  pool.run([&] {
    heist::for_each_index(0, n, [&](int i) {
      tally& t = *all[static_cast<std::size_t>(i % 100)];
      *t.sum += i;
      if (*t.most < i) *t.most = i;
      const heist::reducer<long> short_lived(i);
      dawdle(i);
    });
  });
  for (int k = 0; k < 100; ++k) {
    EXPECT_EQ(*all[static_cast<std::size_t>(k)]->sum, (n / 100) * k + 100L * (n / 100) * (n / 100 - 1) / 2);
    EXPECT_EQ(*all[static_cast<std::size_t>(k)]->most, n - 100 + k);
  }
}

TEST_P(reducers, go_through_pools_in_pools) {
  heist::pool inner({.workers = 2});
  for (int round = 0; round < rounds(200); ++round) {
    texts t;
    pool.run([&] {
      heist::join([&] { *t += "a"; },
                  [&] {
                    *t += "b";
                    inner.run([&] { heist::join([&] { *t += "c"; }, [&] { *t += "d"; }); });
                    *t += "e";
                  },
                  [&] { *t += "f"; });
    });
    ASSERT_EQ(*t, "abcdef");
  }
}

// Forced theft: the continuation, not the child, is what moves ------------------------------------------------------

TEST(a_stolen_continuation, comes_after_its_robbed_child) {
  heist::pool pool({.workers = 2});
  for (int round = 0; round < rounds(500); ++round) {
    texts t("<");
    pool.run([&] {
      event gone_on;
      heist::scope s;
      s.spawn([&] {
        EXPECT_TRUE(gone_on.come());
        *t += "child ";
      });
      *t += "rest";
      gone_on.raise();
      s.sync();
      *t += ">";
    });
    ASSERT_EQ(*t, "<child rest>");
  }
  EXPECT_GT(pool.stats().steals, 0u);
}

// Several scopes of one strand, one inside the other, as dice say, with more of them in functions it calls and in branches of
// joins: each letter is said by a child or by the strand itself. A scope is spawned into while it is the innermost, and synced
// before an outer one is used. Returns what was said. `alone`: no other strand does the same, so that there is a worker to rob
// this one.
std::string say_in_scopes(unsigned seed, texts& t, int depth, bool alone = true) {
  std::mt19937 dice(seed);
  std::string said;
  auto next = [&] { return said.push_back(static_cast<char>('a' + said.size() % 26)), said.back(); };
  std::vector<std::unique_ptr<heist::scope>> open;
  for (int step = 0; step < 16; ++step) {
    const auto choice = dice() % 14;
    if (open.empty() || choice < 2) open.push_back(std::make_unique<heist::scope>());
    heist::scope& s = *open.back();
    if (choice == 2) {
      s.sync();
    } else if (choice == 3 && open.size() > 1) {
      s.sync();
      open.pop_back();
    } else if (choice == 4 && depth > 0) {
      said += say_in_scopes(seed * 31 + static_cast<unsigned>(step), t, depth - 1, alone);
    } else if (choice == 5 && depth > 0) {
      auto inner = [&, mine = seed * 37 + static_cast<unsigned>(step)](unsigned more) {
        return say_in_scopes(mine + more, t, depth - 1, false);
      };
      const auto [left, right] = heist::join([&] { return inner(0); }, [&] { return inner(1); });
      said += left + right;
    } else if (choice < 8 || !alone) {
      s.spawn([&t, mine = next()] { *t += mine; });  // robbed or not
    } else {
      // The child waits until its parent has gone on: it is robbed for sure.
      auto gone_on = std::make_shared<event>();
      s.spawn([&t, gone_on, mine = next()] {
        EXPECT_TRUE(gone_on->come());
        *t += mine;
      });
      gone_on->raise();
    }
    if (dice() % 2 == 0) *t += next();
  }
  while (!open.empty()) {
    open.back()->sync();
    open.pop_back();
  }
  return said;
}

TEST(scopes_of_one_strand, one_in_the_other_are_in_serial_order) {
  for (const unsigned workers : {2u, 8u}) {
    heist::pool pool({.workers = workers});
    for (unsigned seed = 0; seed < static_cast<unsigned>(rounds(200)); ++seed) {
      std::string expected;
      texts made_outside;
      pool.run([&] {
        texts made_here;
        expected = say_in_scopes(seed, made_here, 2);
        EXPECT_EQ(*made_here, expected) << "seed " << seed;
        static_cast<void>(say_in_scopes(seed, made_outside, 2));
      });
      ASSERT_EQ(*made_outside, expected) << "seed " << seed;
    }
    EXPECT_GT(pool.stats().steals, 0u);
  }
}

TEST(scopes_of_one_strand, show_the_whole_when_the_outer_one_is_synced) {
  heist::pool pool({.workers = 2});
  for (int round = 0; round < rounds(200); ++round) {
    pool.run([&] {
      texts t;
      heist::scope outer, inner;
      event outer_gone_on, inner_gone_on;
      outer.spawn([&] { *t += outer_gone_on.come() ? "a" : "?"; });
      *t += "b";
      outer_gone_on.raise();
      inner.spawn([&] { *t += inner_gone_on.come() ? "c" : "?"; });
      *t += "d";
      inner_gone_on.raise();
      inner.sync();
      ASSERT_EQ(*t, "bcd");  // what is left with `outer` comes with its sync
      outer.sync();
      ASSERT_EQ(*t, "abcd");
    });
  }
}

// Outside ----------------------------------------------------------------------------------------------------------

TEST(a_reducer_outside_every_pool, is_a_variable) {
  heist::reducer<int> r(3);
  *r += 4;
  EXPECT_EQ(*r, 7);
  EXPECT_EQ(r.take(), 7);
  EXPECT_EQ(*r, 0);
}

TEST(a_reducer_outside_every_pool, gets_the_views_of_a_scopes_children_in_spawn_order) {
  texts t(":");
  heist::scope s;
  for (char c = 'a'; c <= 'z'; ++c) s.spawn([&t, c] { *t += c; });
  s.sync();
  EXPECT_EQ(*t, ":abcdefghijklmnopqrstuvwxyz");
}

TEST(a_reducer, made_in_a_root_lives_on_outside) {
  heist::pool pool({.workers = 2});
  const auto t = pool.run([] {
    auto made = std::make_unique<texts>("a");
    heist::join([&] { **made += "b"; }, [&] { **made += "c"; });
    return made;
  });
  **t += "d";
  pool.run([&] { **t += "e"; });
  EXPECT_EQ(**t, "abcde");
}

TEST(a_reducer, leaves_no_view_behind) {
  struct counting {
    counted identity() const { return counted(0); }
    void operator()(counted& left, counted&& right) const { left.value += right.value; }
  };
  heist::pool pool({.workers = 8});
  {
    heist::reducer<counted, counting> r;
    pool.run([&] { heist::for_each_index(0, 10'000, [&](int) { ++(*r).value; }); });
    EXPECT_EQ((*r).value, 10'000);
  }
  EXPECT_EQ(counted::live(), 0);
}

// The ready-made monoids -------------------------------------------------------------------------------------------

TEST(monoids, of_every_kind_agree_with_the_serial_program) {
  heist::pool pool({.workers = 8});
  heist::reducer<double, heist::op::min<double>> least;
  heist::reducer<std::optional<std::string>, heist::op::max<std::optional<std::string>>> last_name;
  heist::reducer<std::map<int, long>, heist::op::merge_maps<std::map<int, long>>> by_remainder;
  heist::reducer<std::list<int>, heist::op::append<std::list<int>>> listed;
  std::ostringstream printed, expected;
  heist::ostream_reducer out(printed);
  pool.run([&] {
    heist::for_each_index(0, 1'000, [&](int i) {
      dawdle(i);
      *least = std::min(*least, 1. / (1 + i));
      const std::string name = std::to_string(i);
      if (!*last_name || **last_name < name) *last_name = name;
      (*by_remainder)[i % 10] += i;
      listed->push_back(i);
      out << i << ' ';
      out << std::flush;
    });
  });
  std::list<int> all;
  for (int i = 0; i < 1'000; ++i) all.push_back(i), expected << i << ' ';
  EXPECT_EQ(*least, 1. / 1'000);
  EXPECT_EQ(*last_name, "999");
  EXPECT_EQ((*by_remainder)[3], 50'000 - 200);
  EXPECT_EQ(*listed, all);
  EXPECT_EQ(printed.str(), expected.str());
}

}  // namespace

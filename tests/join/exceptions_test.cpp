#include "tests/join/support.hpp"

#include <exception>
#include <string>
#include <vector>

namespace {

using namespace heist_test;

class a_join_that_fails : public scheduled {
 protected:
  void TearDown() override {
    expect_nothing_left();
    expect_usable();
  }
};
INSTANTIATE_TEST_SUITE_P(all, a_join_that_fails, every_schedule, schedule_name);

// Which exception leaves, and when ----------------------------------------------------------------------------------

TEST_P(a_join_that_fails, throws_the_first_branchs_exception) {
  run([&] {
    EXPECT_EQ(thrower([&] { join([]() -> counted { throw failure(1); }, [] { return counted(2); }); }), 1);
  });
}

TEST_P(a_join_that_fails, throws_the_second_branchs_exception) {
  run([&] {
    EXPECT_EQ(thrower([&] { join([] { return counted(1); }, []() -> counted { throw failure(2); }); }), 2);
  });
}

TEST_P(a_join_that_fails, throws_the_first_exception_in_serial_order_if_both_do) {
  run([&] {
    EXPECT_EQ(thrower([&] { join([]() -> counted { throw failure(1); }, []() -> counted { throw failure(2); }); }), 1);
  });
}

TEST_P(a_join_that_fails, throws_out_of_run_on_the_calling_thread) {
  const std::thread::id me = this_thread();
  EXPECT_EQ(thrower([&] { run([&] { join([] {}, [] { throw failure(2); }); }); }), 2);
  EXPECT_EQ(this_thread(), me);
  EXPECT_EQ(thrower([&] { run([&] { join([] { throw failure(1); }, [] { throw failure(2); }); }); }), 1);
  EXPECT_EQ(this_thread(), me);
}

TEST_P(a_join_that_fails, throws_anything) {
  run([&] {
    try {
      join([] {}, [] { throw 42; });
      ADD_FAILURE() << "nothing thrown";
    } catch (int n) {
      EXPECT_EQ(n, 42);
    }
  });
}

TEST_P(a_join_that_fails, is_left_only_when_every_started_branch_has_ended) {
  run([&] {
    event started, ended;
    EXPECT_EQ(thrower([&] {
      join([] { throw failure(1); },
           [&] {
             started.raise();
             for (int i = 0; i < 1000; ++i) std::this_thread::yield();
             ended.raise();
           });
    }), 1);
    EXPECT_EQ(started.raised(), !alone());
    EXPECT_EQ(ended.raised(), !alone());
  });
}

TEST_P(a_join_that_fails, throws_the_first_of_four) {
  for (unsigned who = 1; who < 16; ++who) {
    auto branch = [who](int i) {
      return [who, i] {
        if ((who >> i & 1) != 0) throw failure(i);
        return counted(i);
      };
    };
    run([&] {
      int first = 0;
      while ((who >> first & 1) == 0) ++first;
      // The schedule concerns the outer pair; inside, luck does.
      EXPECT_EQ(thrower([&] {
        join([&] { return heist::join(branch(0), branch(1)); }, [&] { return heist::join(branch(2), branch(3)); });
      }), first);
      EXPECT_EQ(thrower([&] { heist::join(branch(0), branch(1), branch(2), branch(3)); }), first);
    });
  }
}

TEST(a_join_that_fails_alone, does_not_start_the_branches_after_the_one_that_threw) {
  heist::pool p({.workers = 1});
  std::string started;
  p.run([&] {
    EXPECT_EQ(thrower([&] {
      heist::join([&] { started += 'a'; },
                  [&] {
                    started += 'b';
                    throw failure(1);
                  },
                  [&] { started += 'c'; }, [&] { started += 'd'; });
    }), 1);
  });
  EXPECT_EQ(started, "ab");
}

// The exception belongs to the stack --------------------------------------------------------------------------------

void expect_handling(int who) {
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  ASSERT_NE(std::current_exception(), nullptr);
  EXPECT_EQ(thrower([] { std::rethrow_exception(std::current_exception()); }), who);
  EXPECT_EQ(thrower([] { throw; }), who);
}

TEST_P(a_join_that_fails, may_be_called_in_a_catch_block_that_rethrows_afterwards) {
  run([&] {
    EXPECT_EQ(thrower([&] {
      try {
        throw failure(7);
      } catch (const failure& e) {
        join([] { return 1; }, [] { return 2; });
        EXPECT_EQ(e.who, 7);
        expect_handling(7);
        EXPECT_EQ(thrower([&] { join([] {}, [] { throw failure(2); }); }), 2);
        expect_handling(7);
        EXPECT_EQ(thrower([&] { join([] { throw failure(1); }, [] {}); }), 1);
        expect_handling(7);
        throw;
      }
    }), 7);
    EXPECT_EQ(std::current_exception(), nullptr);
  });
}

TEST_P(a_join_that_fails, may_be_called_in_nested_catch_blocks) {
  run([&] {
    try {
      throw failure(1);
    } catch (const failure&) {
      try {
        throw failure(2);
      } catch (const failure&) {
        join([] { EXPECT_EQ(thrower([] { throw failure(3); }), 3); }, [] { EXPECT_EQ(thrower([] { throw failure(4); }), 4); });
        expect_handling(2);
      }
      expect_handling(1);
    }
    EXPECT_EQ(std::current_exception(), nullptr);
  });
}

TEST_P(a_join_that_fails, may_have_branches_that_join_in_catch_blocks_of_their_own) {
  auto handle_and_join = [](int who) {
    return [who] {
      try {
        throw failure(who);
      } catch (const failure&) {
        heist::join([] { EXPECT_EQ(thrower([] { throw failure(10); }), 10); }, [] { std::this_thread::yield(); });
        expect_handling(who);
      }
    };
  };
  run([&] {
    for (int i = 0; i < rounds(20); ++i) join(handle_and_join(1), handle_and_join(2));
    EXPECT_EQ(std::current_exception(), nullptr);
  });
}

// Runs a function when it is destroyed.
template <class F>
struct at_exit {
  F f;
  ~at_exit() { f(); }
};
template <class F>
at_exit(F) -> at_exit<F>;

TEST_P(a_join_that_fails, may_be_called_by_a_destructor_during_unwinding) {
  run([&] {
    event ran;
    EXPECT_EQ(thrower([&] {
      const at_exit a{[&] {
        EXPECT_EQ(std::uncaught_exceptions(), 1);
        join([] { return 1; }, [] { return 2; });
        EXPECT_EQ(std::uncaught_exceptions(), 1);
        EXPECT_EQ(thrower([&] { join([] {}, [] { throw failure(2); }); }), 2);
        EXPECT_EQ(std::uncaught_exceptions(), 1);
        EXPECT_EQ(thrower([&] { join([] { throw failure(1); }, [] { throw failure(2); }); }), 1);
        EXPECT_EQ(std::uncaught_exceptions(), 1);
        ran.raise();
      }};
      throw failure(7);
    }), 7);
    EXPECT_TRUE(ran.raised());
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  });
}

TEST_P(a_join_that_fails, may_be_called_by_a_destructor_during_unwinding_inside_a_catch_block) {
  run([&] {
    EXPECT_EQ(thrower([&] {
      try {
        throw failure(1);
      } catch (const failure&) {
        EXPECT_EQ(thrower([&] {
          const at_exit a{[&] {
            join([] {}, [] {});
            EXPECT_EQ(std::uncaught_exceptions(), 1);
          }};
          throw failure(2);
        }), 2);
        expect_handling(1);
        throw;
      }
    }), 1);
  });
}

TEST_P(a_join_that_fails, leaves_other_strands_without_its_exception) {
  run([&] {
    try {
      throw failure(1);
    } catch (const failure&) {
      join([] {}, [] {});
    }
    // The worker that took part has a clean state for what comes next.
    join([] { EXPECT_EQ(std::current_exception(), nullptr); }, [] { EXPECT_EQ(std::current_exception(), nullptr); });
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  });
}

// On schedules of chance --------------------------------------------------------------------------------------------

class a_failing_tree : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(pools, a_failing_tree, testing::Values(1u, 2u, 3u, 8u),
                         [](const auto& pool) { return "of_" + std::to_string(pool.param) + "_workers"; });

struct census {
  std::atomic<int> started{0};
  std::atomic<int> ended{0};
};

// Leaves [first, last); those at multiples of `every` throw their number.
counted walk(int first, int last, int every, census& c) {
  if (last - first == 1) {
    ++c.started;
    const at_exit count{[&c] { ++c.ended; }};
    if (first % every == 0 && first != 0) throw failure(first);
    return counted(1);
  }
  const int middle = first + (last - first) / 2;
  auto [a, b] = heist::join([=, &c] { return walk(first, middle, every, c); },
                            [=, &c] { return walk(middle, last, every, c); });
  return counted(a.value + b.value);
}

TEST_P(a_failing_tree, throws_the_first_exception_in_serial_order_whoever_steals_what) {
  heist::pool p({.workers = GetParam()});
  for (int i = 0; i < rounds(1500); ++i) {
    const int every = 3 + i % 70;
    census c;
    const int who = thrower([&] {
      EXPECT_EQ(p.run([&] { return walk(0, 64, every, c); }).value, 64);
    });
    ASSERT_EQ(who, every < 64 ? every : nobody);
    ASSERT_EQ(c.started.load(), c.ended.load());
    ASSERT_TRUE(GetParam() > 1 || c.started.load() == (every < 64 ? every + 1 : 64));
    ASSERT_EQ(failure::live(), 0);
    ASSERT_EQ(counted::live(), 0);
  }
}

TEST_P(a_failing_tree, keeps_each_strands_exceptions_apart) {
  struct tree {
    static void walk(int depth) {
      try {
        throw failure(depth);
      } catch (const failure& e) {
        if (depth > 0) heist::join([=] { walk(depth - 1); }, [=] { walk(depth - 1); });
        ASSERT_EQ(e.who, depth);
        ASSERT_EQ(thrower([] { throw; }), depth);
        ASSERT_EQ(std::uncaught_exceptions(), 0);
      }
    }
  };
  heist::pool p({.workers = GetParam()});
  for (int i = 0; i < rounds(200); ++i) {
    p.run([] { tree::walk(6); });
    ASSERT_EQ(failure::live(), 0);
  }
}

TEST_P(a_failing_tree, unwinds_through_destructors_that_join) {
  struct joiner {
    ~joiner() {
      const int before = std::uncaught_exceptions();
      heist::join([] { std::this_thread::yield(); }, [] { EXPECT_EQ(thrower([] { throw failure(1000); }), 1000); });
      EXPECT_EQ(std::uncaught_exceptions(), before);
    }
  };
  struct tree {
    static void walk(int depth) {
      const joiner j;
      if (depth == 0) throw failure(0);
      heist::join([=] { walk(depth - 1); }, [=] { walk(depth - 1); });
    }
  };
  heist::pool p({.workers = GetParam()});
  for (int i = 0; i < rounds(200); ++i) {
    ASSERT_EQ(thrower([&] { p.run([] { tree::walk(4); }); }), 0);
    ASSERT_EQ(failure::live(), 0);
  }
}

}  // namespace

#include "tests/join/support.hpp"

#include <exception>
#include <memory>
#include <string>

namespace {

using namespace heist_test;

// How children and the rest of their parent meet.
enum class order {
  alone,        // one worker: one after the other
  child_last,   // each child ends after its parent has gone on, on another worker
  by_chance,    // as it comes, on many workers
};

class a_scope_that_fails : public testing::TestWithParam<order> {
 protected:
  void TearDown() override {
    expect_nothing_left();
    std::atomic<int> n{0};
    pool_.run([&] {
      heist::scope s;
      for (int i = 0; i < 10; ++i) s.spawn([&] { ++n; });
    });
    EXPECT_EQ(n.load(), 10);
  }

  template <class F>
  void run(F&& f) {
    for (int i = 0; i < (GetParam() == order::by_chance ? rounds(300) : 3) && !HasFailure(); ++i) pool_.run(f);
  }

  // s.spawn(f), the child meeting its parent as the parameter says.
  template <class F>
  void spawn(heist::scope& s, F f) {
    const auto went_on = std::make_shared<event>();
    s.spawn([went_on, f] {
      EXPECT_TRUE(GetParam() != order::child_last || went_on->come());
      f();
    });
    went_on->raise();
  }

 private:
  static unsigned workers() { return GetParam() == order::alone ? 1 : GetParam() == order::child_last ? 4 : 8; }
  heist::pool pool_{{.workers = workers()}};
};
const auto order_name = [](const testing::TestParamInfo<order>& info) {
  return info.param == order::alone ? "alone" : info.param == order::child_last ? "child_last" : "by_chance";
};
INSTANTIATE_TEST_SUITE_P(all, a_scope_that_fails, testing::Values(order::alone, order::child_last, order::by_chance),
                         order_name);

// What leaves, and from where ------------------------------------------------------------------------------------------

TEST_P(a_scope_that_fails, throws_a_childs_exception_from_sync_and_not_from_spawn) {
  run([&] {
    std::atomic<bool> went_on{false};
    heist::scope s;
    EXPECT_EQ(thrower([&] { spawn(s, [] { throw failure(1); }); }), nobody);
    went_on = true;
    EXPECT_EQ(thrower([&] { s.sync(); }), 1);
    EXPECT_TRUE(went_on);
    EXPECT_EQ(thrower([&] { s.sync(); }), nobody);
  });
}

TEST_P(a_scope_that_fails, runs_all_that_came_before_the_failure) {
  run([&] {
    std::atomic<int> n{0};
    heist::scope s;
    for (int i = 0; i < 3; ++i)
      spawn(s, [&n, i] {
        ++n;
        if (i == 2) throw failure(2);
      });
    EXPECT_EQ(thrower([&] { s.sync(); }), 2);
    EXPECT_EQ(n.load(), 3);
  });
}

TEST_P(a_scope_that_fails, does_not_begin_what_comes_after_and_can_be_used_again) {
  run([&] {
    std::atomic<int> n{0};
    heist::scope s;
    s.spawn([] { throw failure(0); });
    // Those that begin while the failure is on its way to the scope run.
    int spawned = 0;
    for (; spawned - n < 100 && spawned < 10'000'000; ++spawned)
      spawned % 2 == 0 ? s.spawn([&n] { ++n; }) : s.spawn_later([&n] { ++n; });
    EXPECT_EQ(thrower([&] { s.sync(); }), 0);
    EXPECT_LT(n.load(), spawned);
    n = 0;
    for (int i = 0; i < 10; ++i) s.spawn([&n] { ++n; });
    s.sync();
    EXPECT_EQ(n.load(), 10);
  });
}

TEST_P(a_scope_that_fails, throws_the_first_childs_exception_in_spawn_order) {
  run([&] {
    for (int first = 0; first < 3; ++first) {
      heist::scope s;
      for (int i = 0; i < 4; ++i)
        spawn(s, [i, first] {
          if (i >= first) throw failure(i);
        });
      EXPECT_EQ(thrower([&] { s.sync(); }), first);
    }
  });
}

TEST_P(a_scope_that_fails, throws_the_first_childs_exception_when_queued_ones_fail_too) {
  run([&] {
    heist::scope s;
    s.spawn_later([] {});
    s.spawn_later([] { throw failure(1); });
    spawn(s, [] { throw failure(2); });
    s.spawn_later([] { throw failure(3); });
    EXPECT_EQ(thrower([&] { s.sync(); }), 1);
  });
}

TEST(a_scope_whose_second_child_fails_first, throws_the_first_childs_exception) {
  heist::pool p({.workers = 3});
  for (int i = 0; i < rounds(200); ++i) {
    p.run([] {
      event second_failed;
      heist::scope s;
      s.spawn([&] {
        EXPECT_TRUE(second_failed.come());
        throw failure(1);
      });
      s.spawn([&] {
        const raise_at_end at_end(second_failed);
        throw failure(2);
      });
      ASSERT_EQ(thrower([&] { s.sync(); }), 1);
    });
    ASSERT_EQ(failure::live(), 0);
  }
}

TEST_P(a_scope_that_fails, throws_from_its_destructor) {
  run([&] {
    std::atomic<bool> ended{false};
    EXPECT_EQ(thrower([&] {
      heist::scope s;
      spawn(s, [&] {
        for (int i = 0; i < 100; ++i) std::this_thread::yield();
        ended = true;
        throw failure(1);
      });
    }), 1);
    EXPECT_TRUE(ended);
  });
}

TEST_P(a_scope_that_fails, lets_the_bodys_exception_win_after_its_children_have_ended) {
  run([&] {
    std::atomic<int> ended{0};
    EXPECT_EQ(thrower([&] {
      heist::scope s;
      for (int i = 0; i < 3; ++i)
        spawn(s, [&, i] {
          for (int k = 0; k < 100; ++k) std::this_thread::yield();
          ++ended;
          if (i == 2) throw failure(1);
        });
      throw failure(7);
    }), 7);
    EXPECT_EQ(ended.load(), 3);
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  });
}

TEST_P(a_scope_that_fails, runs_queued_children_when_the_body_throws) {
  run([&] {
    std::atomic<int> ended{0};
    EXPECT_EQ(thrower([&] {
      heist::scope s;
      for (int i = 0; i < 3; ++i) s.spawn_later([&] { ++ended; });
      throw failure(7);
    }), 7);
    EXPECT_EQ(ended.load(), 3);
  });
}

TEST_P(a_scope_that_fails, lets_a_syncs_exception_pass_its_own_destructor) {
  run([&] {
    EXPECT_EQ(thrower([&] {
      heist::scope s;
      spawn(s, [] { throw failure(1); });
      s.sync();
      ADD_FAILURE() << "sync() did not throw";
    }), 1);
  });
}

TEST_P(a_scope_that_fails, can_be_used_again_after_sync_threw) {
  run([&] {
    heist::scope s;
    for (int i = 0; i < 3; ++i) {
      spawn(s, [i] { throw failure(i); });
      EXPECT_EQ(thrower([&] { s.sync(); }), i);
      std::atomic<int> n{0};
      spawn(s, [&n] { ++n; });
      EXPECT_EQ(thrower([&] { s.sync(); }), nobody);
      EXPECT_EQ(n.load(), 1);
    }
  });
}

TEST_P(a_scope_that_fails, passes_a_childs_exception_on_to_the_scope_around) {
  run([&] {
    heist::scope outer;
    spawn(outer, [] {
      heist::scope inner;
      inner.spawn([] { throw failure(1); });
      inner.spawn([] { throw failure(2); });
    });
    spawn(outer, [] { throw failure(3); });
    EXPECT_EQ(thrower([&] { outer.sync(); }), 1);
  });
}

TEST_P(a_scope_that_fails, passes_exceptions_through_joins_around_and_inside) {
  run([&] {
    EXPECT_EQ(thrower([&] {
      heist::join([] {},
                  [&] {
                    heist::scope s;
                    s.spawn([] { heist::join([] {}, [] { throw failure(1); }); });
                    s.spawn([] { throw failure(2); });
                  },
                  [] { throw failure(3); });
    }), 1);
  });
}

TEST_P(a_scope_that_fails, throws_out_of_run) {
  run([&] {
    heist::pool other({.workers = 2});
    EXPECT_EQ(thrower([&] {
      other.run([] {
        heist::scope s;
        s.spawn([] { throw failure(1); });
      });
    }), 1);
  });
}

// The exception belongs to the stack -----------------------------------------------------------------------------------

void expect_handling(int who) {
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  ASSERT_NE(std::current_exception(), nullptr);
  EXPECT_EQ(thrower([] { throw; }), who);
}

TEST_P(a_scope_that_fails, may_be_used_in_a_catch_block) {
  run([&] {
    EXPECT_EQ(thrower([&] {
      try {
        throw failure(7);
      } catch (const failure&) {
        heist::scope s;
        spawn(s, [] { EXPECT_EQ(thrower([] { throw failure(1); }), 1); });
        expect_handling(7);
        spawn(s, [] { throw failure(2); });
        expect_handling(7);
        EXPECT_EQ(thrower([&] { s.sync(); }), 2);
        expect_handling(7);
        throw;
      }
    }), 7);
  });
}

TEST_P(a_scope_that_fails, starts_its_children_without_the_parents_exception) {
  run([&] {
    try {
      throw failure(7);
    } catch (const failure&) {
      heist::scope s;
      s.spawn([] {
        // On a stack of its own, on every schedule.
        EXPECT_EQ(std::current_exception(), nullptr);
        EXPECT_EQ(std::uncaught_exceptions(), 0);
      });
    }
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

TEST_P(a_scope_that_fails, throws_during_an_unwinding_that_began_before_it_was_made) {
  run([&] {
    std::atomic<bool> ran{false};
    EXPECT_EQ(thrower([&] {
      const at_exit a{[&] {
        EXPECT_EQ(std::uncaught_exceptions(), 1);
        EXPECT_EQ(thrower([&] {
          heist::scope s;
          spawn(s, [] { throw failure(1); });
        }), 1);
        EXPECT_EQ(std::uncaught_exceptions(), 1);
        // And drops the children's when an unwinding of its own begins.
        EXPECT_EQ(thrower([&] {
          heist::scope s;
          spawn(s, [] { throw failure(1); });
          throw failure(2);
        }), 2);
        EXPECT_EQ(std::uncaught_exceptions(), 1);
        ran = true;
      }};
      throw failure(7);
    }), 7);
    EXPECT_TRUE(ran);
  });
}

TEST_P(a_scope_that_fails, counts_uncaught_exceptions_of_its_own_strand_only) {
  run([&] {
    heist::scope s;
    // A child that unwinds while its parent goes on.
    spawn(s, [] {
      EXPECT_EQ(thrower([] {
        const at_exit a{[] {
          EXPECT_EQ(std::uncaught_exceptions(), 1);
          heist::join([] { std::this_thread::yield(); }, [] { std::this_thread::yield(); });
          EXPECT_EQ(std::uncaught_exceptions(), 1);
        }};
        throw failure(1);
      }), 1);
    });
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    s.sync();
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  });
}

// Closures that cannot be copied ---------------------------------------------------------------------------------------

// The next copy throws if it is told to.
struct fragile {
  counted alive{0};
  bool breaks;
  std::atomic<int>* calls;

  fragile(bool b, std::atomic<int>& c) : breaks(b), calls(&c) {}
  fragile(const fragile& from) : alive(0), breaks(from.breaks), calls(from.calls) {
    if (breaks) throw failure(9);
  }
  void operator()() const { ++*calls; }
};

template <class Spawn>
void expect_no_child_when_the_copy_throws(Spawn&& spawn_it) {
  std::atomic<int> calls{0};
  const fragile whole(false, calls), broken(true, calls);
  heist::scope s;
  spawn_it(s, whole);
  EXPECT_EQ(thrower([&] { spawn_it(s, broken); }), 9);
  spawn_it(s, whole);
  EXPECT_EQ(thrower([&] { s.sync(); }), nobody);  // it was no child's exception
  EXPECT_EQ(calls.load(), 2);
  EXPECT_EQ(counted::live(), 2);
}

const auto by_spawn = [](heist::scope& s, const fragile& f) { s.spawn(f); };
const auto by_spawn_later = [](heist::scope& s, const fragile& f) { s.spawn_later(f); };

TEST_P(a_scope_that_fails, throws_from_spawn_what_copying_the_closure_throws_and_has_no_child) {
  run([&] { expect_no_child_when_the_copy_throws(by_spawn); });
  run([&] { expect_no_child_when_the_copy_throws(by_spawn_later); });
}

// Outside any pool -----------------------------------------------------------------------------------------------------

TEST(a_scope_that_fails_outside, throws_the_first_childs_exception_from_sync) {
  for (int i = 0; i < rounds(200); ++i) {
    {
      heist::scope s;
      s.spawn([] {});
      s.spawn([] { throw failure(1); });
      s.spawn_later([] { throw failure(2); });
      s.spawn([] { throw failure(3); });
      ASSERT_EQ(thrower([&] { s.sync(); }), 1);
      s.spawn([] { throw failure(4); });
      ASSERT_EQ(thrower([&] { s.sync(); }), 4);
    }
    ASSERT_EQ(failure::live(), 0);
  }
}

TEST(a_scope_that_fails_outside, throws_from_its_destructor_unless_the_body_does) {
  for (int i = 0; i < rounds(200); ++i) {
    ASSERT_EQ(thrower([] {
      heist::scope s;
      s.spawn([] { throw failure(1); });
    }), 1);
    ASSERT_EQ(thrower([] {
      heist::scope s;
      s.spawn([] { throw failure(1); });
      throw failure(2);
    }), 2);
    ASSERT_EQ(failure::live(), 0);
  }
}

TEST(a_scope_that_fails_outside, throws_from_spawn_what_copying_the_closure_throws_and_has_no_child) {
  expect_no_child_when_the_copy_throws(by_spawn);
  expect_no_child_when_the_copy_throws(by_spawn_later);
  EXPECT_EQ(counted::live(), 0);
}

}  // namespace

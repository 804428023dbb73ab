// The floating-point mode of who calls is in force wherever its program runs, and nowhere else.

#include "tests/join/support.hpp"

#include <cfenv>
#include <limits>
#include <memory>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

using namespace heist_test;

// A mode, and the arithmetic that shows it. volatile: nothing is folded at compile time.
struct mode {
  int rounding;
  bool flushing;
  friend bool operator==(const mode&, const mode&) = default;
  friend std::ostream& operator<<(std::ostream& to, const mode& m) {
    return to << "rounding " << m.rounding << (m.flushing ? ", flushing" : "");
  }

  static mode in_force() {
    const volatile double one = 1.0, third = 3.0;
    const volatile double up = one / third, down = -one / third;
    const volatile long double wide = 1.0L;
    const volatile long double wide_up = wide / 3.0L, wide_down = -wide / 3.0L;
    const bool flushed = tiny_quotient() == 0.0;
    // To nearest the two differ in sign only; upward the positive one is larger, downward the negative one.
    const int sse = up > -down ? FE_UPWARD : up < -down ? FE_DOWNWARD : FE_TONEAREST;
    const int x87 = wide_up > -wide_down ? FE_UPWARD : wide_up < -wide_down ? FE_DOWNWARD : FE_TONEAREST;
    EXPECT_EQ(sse, x87);
    EXPECT_EQ(sse, std::fegetround());
    return {sse, flushed};
  }

 private:
  // A subnormal, unless it is flushed to zero.
  static double tiny_quotient() {
    const volatile double least = std::numeric_limits<double>::min(), four = 4.0;
    const volatile double q = least / four;
    return q;
  }
};

void set_flushing([[maybe_unused]] bool on) {
#if defined(__x86_64__)
  _MM_SET_FLUSH_ZERO_MODE(on ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
#endif
}

constexpr bool can_flush =
#if defined(__x86_64__)
    true;
#else
    false;
#endif

// Sets the calling thread's mode until it ends.
class with_mode {
 public:
  explicit with_mode(mode m) {
    EXPECT_EQ(std::fesetround(m.rounding), 0);
    set_flushing(m.flushing);
  }
  ~with_mode() {
    std::fesetround(FE_TONEAREST);
    set_flushing(false);
  }
  with_mode(const with_mode&) = delete;
};

constexpr mode modes[] = {{FE_UPWARD, false}, {FE_DOWNWARD, can_flush}, {FE_TONEAREST, can_flush}, {FE_TONEAREST, false}};

class a_floating_point_mode : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, a_floating_point_mode, testing::Values(1u, 2u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

// Both halves of a join, the second stolen where there is a thief; and after it.
void expect_in_a_join(mode m, bool thief) {
  event taken;
  heist::join(
      [&] {
        EXPECT_TRUE(!thief || taken.come());
        EXPECT_EQ(mode::in_force(), m);
      },
      [&] {
        taken.raise();
        EXPECT_EQ(mode::in_force(), m);
        heist::join([&] { EXPECT_EQ(mode::in_force(), m); }, [&] { EXPECT_EQ(mode::in_force(), m); });
        EXPECT_EQ(mode::in_force(), m);
      });
  EXPECT_EQ(mode::in_force(), m);
}

// Children, and the rest of the parent, stolen where there is a thief.
void expect_in_a_scope(mode m, bool thief) {
  heist::scope s;
  for (int i = 0; i < 3; ++i) {
    const auto went_on = std::make_shared<event>();
    s.spawn([=] {
      EXPECT_TRUE(!thief || i > 0 || went_on->come());
      EXPECT_EQ(mode::in_force(), m);
    });
    went_on->raise();
    EXPECT_EQ(mode::in_force(), m);
    s.spawn_later([=] { EXPECT_EQ(mode::in_force(), m); });
  }
  s.sync();
  EXPECT_EQ(mode::in_force(), m);
}

TEST_P(a_floating_point_mode, shows_in_the_arithmetic) {
  for (const mode m : modes) {
    const with_mode set(m);
    EXPECT_EQ(mode::in_force(), m);
  }
}

TEST_P(a_floating_point_mode, set_by_the_caller_is_in_force_in_every_branch_and_child) {
  const bool thief = GetParam() > 1;
  for (int i = 0; i < rounds(50); ++i) {
    // One after the other on the same stacks and threads.
    for (const mode m : modes) {
      const with_mode set(m);
      pool.run([&] {
        EXPECT_EQ(mode::in_force(), m);
        expect_in_a_join(m, thief);
        expect_in_a_scope(m, thief);
        heist::for_each_index(0, 50, [&](int) {
          std::this_thread::yield();
          EXPECT_EQ(mode::in_force(), m);
        }, heist::grain{1});
      });
      EXPECT_EQ(mode::in_force(), m);
    }
    EXPECT_EQ(mode::in_force(), (mode{FE_TONEAREST, false}));
    ASSERT_FALSE(HasFailure());
  }
}

TEST_P(a_floating_point_mode, is_each_callers_own) {
  std::vector<std::thread> callers;
  for (const mode m : modes) {
    callers.emplace_back([&, m] {
      const with_mode set(m);
      for (int i = 0; i < rounds(100) && !HasFailure(); ++i) {
        pool.run([&] {
          heist::for_each_index(0, 40, [&](int) {
            std::this_thread::yield();
            EXPECT_EQ(mode::in_force(), m);
          }, heist::grain{1});
          expect_in_a_scope(m, false);
        });
        EXPECT_EQ(mode::in_force(), m);
      }
    });
  }
  for (std::thread& t : callers) t.join();
}

TEST_P(a_floating_point_mode, is_kept_across_a_wait_for_a_mutex) {
  heist::mutex m;
  std::vector<std::thread> callers;
  for (const mode wanted : modes) {
    callers.emplace_back([&, wanted] {
      const with_mode set(wanted);
      for (int i = 0; i < rounds(100) && !HasFailure(); ++i) {
        pool.run([&] {
          {
            const std::lock_guard hold(m);
            EXPECT_EQ(mode::in_force(), wanted);
            std::this_thread::yield();
          }
          // What starts after the wait has it, too.
          expect_in_a_scope(wanted, false);
          expect_in_a_join(wanted, false);
        });
        EXPECT_EQ(mode::in_force(), wanted);
      }
    });
  }
  for (std::thread& t : callers) t.join();
}

TEST_P(a_floating_point_mode, goes_with_a_call_into_another_pool) {
  heist::pool inner({.workers = GetParam()});
  for (const mode m : modes) {
    const with_mode set(m);
    pool.run([&] {
      heist::join([&] { inner.run([&] { expect_in_a_join(m, GetParam() > 1); }); },
                  [&] { inner.run([&] { expect_in_a_scope(m, false); }); });
      EXPECT_EQ(mode::in_force(), m);
    });
  }
}

TEST_P(a_floating_point_mode, survives_an_exception) {
  for (const mode m : modes) {
    const with_mode set(m);
    EXPECT_EQ(thrower([&] {
      pool.run([&] {
        EXPECT_EQ(thrower([&] { heist::join([] {}, [] { throw failure(1); }); }), 1);
        EXPECT_EQ(mode::in_force(), m);
        throw failure(2);
      });
    }), 2);
    EXPECT_EQ(mode::in_force(), m);
  }
}

// What a root does to the mode is its own affair, wherever it ends.
TEST_P(a_floating_point_mode, changed_inside_does_not_leave_the_pool) {
  const mode usual{FE_TONEAREST, false};
  for (int i = 0; i < rounds(100); ++i) {
    pool.run([] {
      std::fesetround(FE_UPWARD);
      set_flushing(true);
    });
    ASSERT_EQ(mode::in_force(), usual);
    // Moved to another thread, where there is one.
    EXPECT_EQ(thrower([&] {
      pool.run([&] {
        event taken;
        heist::join([&] { EXPECT_TRUE(GetParam() == 1 || taken.come()); },
                    [&] {
                      taken.raise();
                      std::fesetround(FE_DOWNWARD);
                    });
        std::fesetround(FE_UPWARD);
        throw failure(1);
      });
    }), 1);
    ASSERT_EQ(mode::in_force(), usual);
    pool.run([&] { expect_in_a_scope(usual, false); });
  }
}

// Not that of its branches, nor of what follows a spawn: those have the root's when they are stolen.
TEST_P(a_floating_point_mode, set_inside_is_the_same_after_a_join_and_a_sync) {
  for (int i = 0; i < rounds(50); ++i) {
    pool.run([&] {
      const bool thief = GetParam() > 1;
      const mode mine{FE_UPWARD, can_flush};
      const with_mode set(mine);
      event taken, went_on;
      heist::join([&] { EXPECT_TRUE(!thief || taken.come()); }, [&] { taken.raise(); });
      EXPECT_EQ(mode::in_force(), mine) << "after a join";
      heist::scope s;
      s.spawn([&] { EXPECT_TRUE(!thief || went_on.come()); });
      went_on.raise();
      const with_mode set_again(mine);
      s.sync();
      EXPECT_EQ(mode::in_force(), mine) << "after a sync";
    });
    ASSERT_FALSE(HasFailure());
  }
}

// The forker is parked until its thief, which has the root's mode, goes on with it.
TEST(a_floating_point_mode_of_a_strand, is_its_own_again_after_it_was_parked) {
  heist::pool pool({.workers = 2});
  const mode mine{FE_UPWARD, can_flush};
  auto park = [&] {
    const with_mode set(mine);
    event taken;
    const std::size_t before = pool.stats().suspends;
    heist::join([&] { EXPECT_TRUE(taken.come()); },
                [&] {
                  taken.raise();
                  EXPECT_EQ(mode::in_force(), (mode{FE_TONEAREST, false}));
                  EXPECT_TRUE(eventually([&] { return pool.stats().suspends > before; }));
                });
    EXPECT_EQ(mode::in_force(), mine);
  };
  for (int i = 0; i < rounds(20); ++i) {
    pool.run([&] {
      park();  // in the root
      heist::scope s;
      event went_on;
      s.spawn([&] { EXPECT_TRUE(went_on.come()); });
      went_on.raise();
      s.sync();
      park();
    });
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

TEST(a_floating_point_mode_outside, set_by_the_caller_is_in_force_in_joins_and_children_of_the_default_pool) {
  const bool thief = heist::default_pool().workers() > 1;
  for (int i = 0; i < rounds(50); ++i) {
    for (const mode m : modes) {
      const with_mode set(m);
      expect_in_a_join(m, thief);
      expect_in_a_scope(m, false);
      heist::scope s;
      s.spawn([=] { expect_in_a_join(m, thief); });
      s.spawn_later([=] { expect_in_a_scope(m, false); });
      s.sync();
      EXPECT_EQ(mode::in_force(), m);
    }
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

}  // namespace

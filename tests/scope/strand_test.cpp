// Only the strand that made a scope waits for it; whoever else tries ends with a sentence.

#include "tests/join/support.hpp"

#include <optional>

namespace {

using namespace heist_test;

// What is allowed must not die, in any build.
TEST(a_strand, may_use_its_scope_after_it_has_moved) {
  heist::pool p({.workers = 2});
  for (int i = 0; i < rounds(200); ++i) {
    p.run([] {
      std::atomic<int> n{0};
      heist::scope s;
      event went_on;
      s.spawn([&] {
        EXPECT_TRUE(went_on.come());
        ++n;
      });
      went_on.raise();  // on another worker
      s.spawn([&] { ++n; });
      heist::join([&] { ++n; }, [&] { ++n; });
      s.spawn_later([&] { ++n; });
      s.sync();
      EXPECT_EQ(n.load(), 5);
    });
  }
}

TEST(a_strand, may_use_its_scope_in_a_call_of_run_on_its_own_pool) {
  heist::pool p({.workers = 2});
  p.run([&] {
    heist::scope s;
    std::atomic<int> n{0};
    p.run([&] { s.spawn([&] { ++n; }); });
    s.sync();
    EXPECT_EQ(n.load(), 1);
  });
}

TEST(a_strand, may_use_its_scope_after_a_lock) {
  heist::pool p({.workers = 2});
  p.run([&] {
    heist::mutex m;
    std::atomic<int> n{0};
    heist::join(
        [&] {
          heist::scope s;
          for (int i = 0; i < rounds(1000); ++i) {
            const std::lock_guard hold(m);
            s.spawn([&] { ++n; });
          }
        },
        [&] {
          heist::scope s;
          for (int i = 0; i < rounds(1000); ++i) {
            const std::lock_guard hold(m);
            s.spawn([&] { ++n; });
          }
        });
    EXPECT_EQ(n.load(), 2 * rounds(1000));
  });
}

constexpr const char* only_its_own = "a scope was synced or destroyed by a strand that did not make it";

class a_foreign_strand : public testing::TestWithParam<unsigned> {
 protected:
  // The process of a death test starts anew: it has no threads of ours.
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }

  template <class F>
  static void in_a_pool(F&& f) {
    heist::pool p({.workers = GetParam()});
    p.run(f);
  }
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, a_foreign_strand, testing::Values(1u, 2u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

TEST_P(a_foreign_strand, dies_if_it_is_a_child_that_syncs) {
  EXPECT_DEATH(in_a_pool([] {
    heist::scope s;
    s.spawn([&] { s.sync(); });
  }), only_its_own);
}

TEST_P(a_foreign_strand, dies_if_it_ends_a_scope_of_its_parent) {
  EXPECT_DEATH(in_a_pool([] {
    auto s = std::make_optional<heist::scope>();
    heist::scope around;
    around.spawn([&] { s.reset(); });
  }), only_its_own);
}

TEST_P(a_foreign_strand, dies_if_it_is_another_thread_that_syncs) {
  EXPECT_DEATH({
    heist::scope s;
    std::thread([&] { s.sync(); }).join();
  }, only_its_own);
  EXPECT_DEATH(in_a_pool([] {
    heist::scope s;
    std::thread([&] { s.sync(); }).join();
  }), only_its_own);
}

TEST_P(a_foreign_strand, dies_if_it_spawns_into_a_scope_that_has_ended) {
  EXPECT_DEATH(in_a_pool([] {
    alignas(heist::scope) static char room[sizeof(heist::scope)];
    auto* const s = new (room) heist::scope;
    s->~scope();
    s->spawn([] {});
  }), "a scope was used after it had ended");
}

TEST(a_branch, that_syncs_a_scope_with_queued_children_dies) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH({
    heist::pool p({.workers = 1});
    p.run([] {
      heist::scope s;
      s.spawn_later([] {});
      heist::join([&] { s.sync(); }, [] {});
    });
  }, "scope.*was synced");
}

TEST(a_strand, that_syncs_an_outer_scope_before_an_inner_one_with_queued_children_dies) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH({
    heist::pool p({.workers = 1});
    p.run([] {
      heist::scope outer;
      outer.spawn_later([] {});
      heist::scope inner;
      inner.spawn_later([] {});
      outer.sync();
    });
  }, "sync the inner scope first");
}

TEST(a_strand, may_sync_an_outer_scope_while_an_inner_one_has_nobody_to_wait_for) {
  heist::pool p({.workers = 2});
  p.run([] {
    std::atomic<int> n{0};
    heist::scope outer, inner;
    inner.spawn([&] { ++n; });
    inner.sync();
    outer.spawn([&] { ++n; });
    outer.sync();
    EXPECT_EQ(n.load(), 2);
  });
}

TEST(a_strand, may_destroy_its_scopes_in_any_order) {
  heist::pool p({.workers = 2});
  p.run([] {
    std::atomic<int> n{0};
    auto outer = std::make_optional<heist::scope>();
    auto inner = std::make_optional<heist::scope>();
    outer.reset();
    inner->spawn([&] { ++n; });
    inner.reset();
    heist::scope next;
    next.spawn([&] { ++n; });
    next.sync();
    EXPECT_EQ(n.load(), 2);
  });
}

// A worker that has run children must not take its next strand's scopes for theirs.
TEST(a_strand, may_destroy_many_scopes_outermost_first_after_others_ran_on_its_worker) {
  heist::pool p({.workers = 4});
  for (int round = 0; round < rounds(300); ++round) {
    std::atomic<int> n{0};
    p.run([&] {
      std::vector<std::unique_ptr<heist::scope>> open;
      for (int i = 0; i < 20; ++i) {
        open.push_back(std::make_unique<heist::scope>());
        open.back()->spawn([&] {
          std::this_thread::yield();
          heist::scope inside;
          inside.spawn([&] { ++n; });
        });
        open.back()->sync();
      }
      for (auto& s : open) s.reset();
    });
    ASSERT_EQ(n.load(), 20);
  }
}

#if defined(HEIST_CHECKED)

TEST(a_thread_outside_every_pool, that_syncs_an_outer_scope_before_an_inner_one_dies) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH({
    heist::scope outer;
    heist::scope inner;
    outer.spawn([] {});
    inner.spawn([] {});
    outer.sync();
  }, "sync the inner scope first");
}

TEST_P(a_foreign_strand, dies_if_its_strand_syncs_an_outer_scope_before_an_inner_one) {
  EXPECT_DEATH(in_a_pool([] {
    heist::scope outer, inner;
    outer.spawn([] {});
    inner.spawn([] {});
    outer.sync();
  }), "sync the inner scope first");
}

TEST_P(a_foreign_strand, dies_if_it_is_a_branch_that_syncs) {
  EXPECT_DEATH(in_a_pool([] {
    heist::scope s;
    heist::join([] {}, [&] { s.sync(); });
  }), only_its_own);
}

#endif

}  // namespace

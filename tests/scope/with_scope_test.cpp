// with_scope: a scope for the time of a call. Values, exceptions and tokens, in pools of each size and outside of all.
#include "tests/join/support.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <memory>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace heist_test;
using heist::scope;
using heist::with_scope;

class with_scope_of : public testing::TestWithParam<unsigned> {
 protected:
  void TearDown() override {
    expect_nothing_left();
  }

  // 0: outside of every pool.
  template <class F>
  void run(F&& f) {
    for (int i = 0; i < rounds(50) && !HasFailure(); ++i) {
      if (GetParam() == 0)
        f();
      else
        pool().run(f);
    }
  }

 private:
  heist::pool& pool() {
    if (!pool_) pool_ = std::make_unique<heist::pool>(heist::options{.workers = GetParam()});
    return *pool_;
  }
  std::unique_ptr<heist::pool> pool_;
};
const auto pool_name = [](const testing::TestParamInfo<unsigned>& info) {
  return info.param == 0 ? std::string("no_pool") : std::to_string(info.param) + "_workers";
};
INSTANTIATE_TEST_SUITE_P(all, with_scope_of, testing::Values(0, 1, 2, 8), pool_name);

TEST_P(with_scope_of, returns_when_all_children_have_ended) {
  run([] {
    std::atomic<int> n{0};
    with_scope([&](scope& s) {
      for (int i = 0; i < 20; ++i) s.spawn([&n] { ++n; });
      for (int i = 0; i < 20; ++i) s.spawn_later([&n] { ++n; });
    });
    EXPECT_EQ(n.load(), 40);
    with_scope([](scope&) {});
  });
}

TEST_P(with_scope_of, returns_what_the_function_returns) {
  run([] {
    std::atomic<int> n{0};
    EXPECT_EQ(with_scope([&](scope& s) { return s.spawn([&n] { n += 2; }), std::string("two"); }), "two");
    EXPECT_EQ(n.load(), 2);
    const auto owner = with_scope([](scope& s) {
      auto made = std::make_unique<int>(1);
      s.spawn([p = made.get()] { ++*p; });
      return made;
    });
    EXPECT_EQ(*owner, 2);
    EXPECT_EQ(with_scope([](scope&) { return counted(3); }).value, 3);
  });
  auto nothing = [](scope&) {};
  static_assert(std::is_void_v<decltype(with_scope(nothing))>);
}

TEST_P(with_scope_of, calls_lvalues_where_they_are_and_functions_that_can_only_be_moved) {
  run([] {
    struct calls {
      int n = 0;
      calls() = default;
      calls(const calls&) = delete;
      void operator()(scope&) { ++n; }
    } here;
    with_scope(here);
    with_scope(here, std::stop_token());
    EXPECT_EQ(here.n, 2);
    EXPECT_EQ(with_scope([p = std::make_unique<int>(7)](scope&) { return *p; }), 7);
  });
}

TEST_P(with_scope_of, throws_the_exception_of_the_first_child_that_fails) {
  run([] {
    std::atomic<int> ended{0};
    EXPECT_EQ(thrower([&] {
                with_scope([&](scope& s) {
                  s.spawn([&] { ++ended; });
                  s.spawn([] { throw failure(1); });
                  s.spawn([] { throw failure(2); });
                  return counted(1);  // nobody gets it
                });
              }),
              1);
    EXPECT_EQ(ended.load(), 1);
  });
}

TEST_P(with_scope_of, throws_what_the_function_throws_when_the_children_have_ended) {
  run([] {
    std::atomic<int> ended{0};
    EXPECT_EQ(thrower([&] {
                with_scope([&](scope& s) {
                  for (int i = 0; i < 10; ++i) s.spawn([&] { ++ended; });
                  throw failure(7);
                });
              }),
              7);
    EXPECT_EQ(ended.load(), 10);
  });
}

TEST_P(with_scope_of, prefers_the_functions_own_exception_to_a_childs) {
  run([] {
    EXPECT_EQ(thrower([] {
                with_scope([](scope& s) {
                  s.spawn([] { throw failure(1); });
                  throw failure(7);
                });
              }),
              7);
  });
}

TEST_P(with_scope_of, prefers_a_childs_failure_to_being_cancelled) {
  run([] {
    EXPECT_EQ(thrower([] {
                with_scope([](scope& s) {
                  s.spawn([] { throw failure(1); });
                  throw heist::cancelled();
                });
              }),
              1);
    EXPECT_THROW(with_scope([](scope& s) {
                   s.spawn([] {});
                   throw heist::cancelled();
                 }),
                 heist::cancelled);
  });
}

TEST_P(with_scope_of, goes_on_after_a_sync_of_the_functions_own) {
  run([] {
    std::atomic<int> n{0};
    with_scope([&](scope& s) {
      s.spawn([&] { ++n; });
      s.sync();
      EXPECT_EQ(n.load(), 1);
      s.spawn([] { throw failure(3); });
      EXPECT_EQ(thrower([&] { s.sync(); }), 3);
      s.spawn([&] { ++n; });
    });
    EXPECT_EQ(n.load(), 2);
  });
}

TEST_P(with_scope_of, nests) {
  run([] {
    std::atomic<int> n{0};
    const int sum = with_scope([&](scope& outer) {
      outer.spawn([&n] { with_scope([&](scope& inner) { inner.spawn([&n] { ++n; }); }); });
      const int inside = with_scope([&](scope& inner) {
        for (int i = 0; i < 5; ++i) inner.spawn([&n] { ++n; });
        return 5;
      });
      EXPECT_GE(n.load(), inside);
      return inside + 1;
    });
    EXPECT_EQ(n.load(), sum);
    EXPECT_EQ(thrower([] {
                with_scope([](scope& s) {
                  s.spawn([] { with_scope([](scope& t) { t.spawn([] { throw failure(4); }); }); });
                });
              }),
              4);
  });
}

TEST_P(with_scope_of, does_not_run_children_after_its_token_was_asked_to_stop) {
  run([] {
    std::stop_source source;
    int ran = 0;
    EXPECT_THROW(with_scope(
                     [&](scope& s) {
                       source.request_stop();
                       s.spawn([&] { ++ran; });
                       return 1;
                     },
                     source.get_token()),
                 heist::cancelled);
    EXPECT_EQ(ran, 0);
    std::stop_source never;
    EXPECT_EQ(with_scope([&](scope& s) { return s.spawn([&] { ++ran; }), 2; }, never.get_token()), 2);
    EXPECT_EQ(ran, 1);
  });
}

TEST_P(with_scope_of, works_while_an_exception_is_on_its_way) {
  run([] {
    struct last_words {
      std::atomic<int>& n;
      ~last_words() {
        with_scope([&](scope& s) {
          for (int i = 0; i < 5; ++i) s.spawn([this] { ++n; });
        });
        EXPECT_EQ(thrower([] { with_scope([](scope& s) { s.spawn([] { throw failure(2); }); }); }), 2);
      }
    };
    std::atomic<int> n{0};
    EXPECT_EQ(thrower([&] {
                const last_words w{n};
                throw failure(1);
              }),
              1);
    EXPECT_EQ(n.load(), 5);
  });
}

}  // namespace

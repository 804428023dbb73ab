// A child that comes back is called like a function, on another stack: what its parent has in registers, in handlers and on
// its stack is as before, whether the child returns, waits, or loses its parent to a thief.

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <execinfo.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

template <class F>
void in_pool_of(unsigned workers, F f) {
  heist::options o;
  o.workers = workers;
  heist::pool p(o);
  p.run(f);
}

// More values than there are registers, all live across the spawn.
template <class Child>
[[gnu::noinline]] long values_around(heist::scope& s, long n, Child child) {
  long a = n, b = n * 3, c = n * 5, d = n * 7, e = n * 11, f = n * 13, g = n * 17, h = n * 19;
  asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
  s.spawn(child);
  asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
  return a + b + c + d + e + f + g + h;
}

TEST(a_parent, has_its_registers_when_its_child_returns) {
  in_pool_of(1, [] {
    long children = 0;
    heist::scope s;
    for (long n = 0; n < 1000; ++n) ASSERT_EQ(values_around(s, n, [&children] { ++children; }), n * 76);
    s.sync();
    EXPECT_EQ(children, 1000);
  });
}

TEST(a_parent, has_its_registers_when_a_thief_goes_on_with_it) {
  in_pool_of(2, [] {
    for (long n = 0; n < 50; ++n) {
      std::atomic<bool> stolen{false};
      heist::scope s;
      const long sum = values_around(s, n, [&stolen] {
        while (!stolen.load()) std::this_thread::yield();
      });
      stolen = true;  // only a thief comes here
      EXPECT_EQ(sum, n * 76);
      s.sync();
    }
  });
}

TEST(a_parent, has_its_registers_when_its_child_has_waited) {
  for (const unsigned workers : {1u, 2u})
    in_pool_of(workers, [] {
      for (long n = 0; n < 20; ++n) {
        heist::scope s;
        EXPECT_EQ(values_around(s, n, [] { heist::sleep_for(std::chrono::microseconds(200)); }), n * 76);
        s.sync();
      }
    });
}

// Inside a handler a child is not called but switched to; it must not see the parent's exception, nor take it away.
TEST(a_spawn_in_a_handler, leaves_the_exception_with_the_parent) {
  for (const unsigned workers : {1u, 2u})
    in_pool_of(workers, [] {
      std::atomic<int> clean = 0;
      heist::scope s;
      for (int i = 0; i < 100; ++i) {
        try {
          throw std::runtime_error(std::to_string(i));
        } catch (const std::runtime_error&) {
          s.spawn([&] {
            clean += std::current_exception() == nullptr && std::uncaught_exceptions() == 0;
            try {
              throw 1;
            } catch (int) {
            }
          });
          try {
            throw;
          } catch (const std::runtime_error& again) {
            EXPECT_EQ(again.what(), std::to_string(i));
          }
        }
        EXPECT_EQ(std::current_exception(), nullptr);
        s.spawn([&] { clean += std::current_exception() == nullptr; });
      }
      s.sync();
      EXPECT_EQ(clean, 200);
    });
}

TEST(a_child, catches_what_it_throws_and_its_parent_goes_on_without_it) {
  in_pool_of(1, [] {
    heist::scope s;
    int after = 0;
    for (int i = 0; i < 10; ++i) {
      s.spawn([] { throw std::logic_error("of the child"); });
      after += std::current_exception() == nullptr && std::uncaught_exceptions() == 0;
    }
    EXPECT_THROW(s.sync(), std::logic_error);
    EXPECT_EQ(after, 10);
  });
}

TEST(a_backtrace, ends_where_the_childs_stack_does) {
  in_pool_of(1, [] {
    constexpr int most = 64;
    int depth = most;
    heist::scope s;
    s.spawn([] {});  // the first one may take a slower way
    s.spawn([&] {
      void* frames[most];
      depth = ::backtrace(frames, most);
    });
    s.sync();
    EXPECT_GE(depth, 1);
    EXPECT_LT(depth, 16);
  });
}

TEST(nested_children, each_come_back_to_their_own_parent) {
  in_pool_of(2, [] {
    struct tree {
      static long leaves(int depth) {
        if (depth == 0) return 1;
        long a = 0, b = 0;
        heist::scope s;
        s.spawn([&] { a = leaves(depth - 1); });
        s.spawn([&] { b = leaves(depth - 1); });
        s.sync();
        return a + b;
      }
    };
    EXPECT_EQ(tree::leaves(14), 1 << 14);
  });
}

}  // namespace

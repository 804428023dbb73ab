// The switch: what belongs to a stack goes with it.

#include "tests/stack/mapped.hpp"

#include <heist/base/sanitizer.hpp>
#include <heist/stack/stack.hpp>
#include <heist/stack/switch.hpp>

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace {

using heist::detail::context;
using heist::detail::stack;
using heist::detail::switch_to;
using heist::detail::thread_exceptions;

// A function on a stack of its own that can pause and be gone on with: on any thread, one at a time.
class coroutine {
 public:
  explicit coroutine(std::function<void(coroutine&)> f) : f_(std::move(f)), stack_(heist_test::map_stack(256 * 1024)) {
    start_anew();
  }
  coroutine(const coroutine&) = delete;
  ~coroutine() { heist_test::unmap_stack(stack_); }

  HEIST_NO_TSAN void start_anew() {
    stack_->vacate();
    heist::detail::restart(*stack_, stack_, &coroutine::entry);
  }
  void go_on() {
    heist::detail::introduce_native(home_);
    change(home_, *stack_);
  }
  void pause() { change(*stack_, home_); }
  bool ended() const { return ended_; }

 private:
  // The switch itself orders nothing for ThreadSanitizer; here the two sides take turns.
  void change(context& from, context& to) {
    heist::detail::tsan_release(this);
    switch_to(from, to, thread_exceptions(), nullptr, this);
    heist::detail::tsan_acquire(this);
  }
  HEIST_NO_TSAN static void entry(heist::detail::handoff* from) {
    coroutine& self = *static_cast<coroutine*>(from->argument);
    heist::detail::arrive(from);
    self.work();
  }
  [[gnu::noinline]] void work() {
    heist::detail::tsan_acquire(this);
    f_(*this);
    ended_ = true;
    pause();
  }

  std::function<void(coroutine&)> f_;
  stack* stack_;
  context home_;
  bool ended_ = false;
};

TEST(a_switch, keeps_locals_on_both_sides) {
  long sum = 0;
  coroutine c([&](coroutine& self) {
    for (long i = 0; i < 100; ++i) {
      sum += i;
      self.pause();
    }
  });
  long turns = 0;
  while (c.go_on(), !c.ended()) ++turns;
  EXPECT_EQ(turns, 100);
  EXPECT_EQ(sum, 4950);
}

TEST(an_exception, is_thrown_and_caught_on_a_mapped_stack) {
  int caught = 0;
  coroutine c([&](coroutine&) {
    for (int i = 0; i < 10; ++i) {
      try {
        throw std::runtime_error("inside");
      } catch (const std::runtime_error& e) {
        caught += std::string(e.what()) == "inside";
      }
    }
  });
  c.go_on();
  EXPECT_EQ(caught, 10);
}

TEST(a_fresh_stack, starts_without_its_makers_exceptions) {
  bool clean = false;
  try {
    throw 1;
  } catch (int) {
    coroutine c([&](coroutine&) { clean = std::current_exception() == nullptr && std::uncaught_exceptions() == 0; });
    c.go_on();
    EXPECT_NE(std::current_exception(), nullptr);
  }
  EXPECT_TRUE(clean);
  EXPECT_EQ(std::current_exception(), nullptr);
}

// Two stacks in the middle of handlers, in turns: the thread's own list of caught exceptions would be entangled.
TEST(a_switch, keeps_the_exceptions_being_handled_with_their_stacks) {
  std::string log;
  auto handler = [&](const char* name) {
    return [&log, name](coroutine& self) {
      try {
        throw std::runtime_error(name);
      } catch (...) {
        self.pause();
        try {
          throw std::logic_error(std::string(name) + "'");
        } catch (const std::logic_error& inner) {
          self.pause();
          log += inner.what();
        }
        self.pause();
        try {
          throw;  // the outer one, still
        } catch (const std::runtime_error& e) {
          log += e.what();
        }
      }
      log += std::current_exception() == nullptr ? '.' : '!';
    };
  };
  coroutine a(handler("a")), b(handler("b"));
  try {
    throw std::runtime_error("home");
  } catch (...) {
    while (!a.ended() || !b.ended()) {
      if (!a.ended()) a.go_on();
      if (!b.ended()) b.go_on();
      try {
        throw;
      } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "home");
      }
    }
  }
  EXPECT_EQ(log, "a'b'a.b.");
  EXPECT_EQ(std::current_exception(), nullptr);
}

TEST(a_switch, keeps_the_number_of_exceptions_on_their_way) {
  struct pauses {
    coroutine& c;
    int& seen_before;
    int& seen_after;
    ~pauses() {
      seen_before = std::uncaught_exceptions();
      c.pause();
      seen_after = std::uncaught_exceptions();
    }
  };
  int before = -1, after = -1;
  bool caught = false;
  coroutine c([&](coroutine& self) {
    try {
      pauses p{self, before, after};
      throw 1;
    } catch (int) {
      caught = true;
    }
  });
  c.go_on();
  EXPECT_EQ(before, 1);
  EXPECT_EQ(std::uncaught_exceptions(), 0);  // it is not on its way here
  c.go_on();
  EXPECT_EQ(after, 1);
  EXPECT_TRUE(caught);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

TEST(a_stack, may_go_on_on_another_thread_in_the_middle_of_a_handler) {
  std::string what;
  coroutine c([&](coroutine& self) {
    try {
      throw std::runtime_error("carried");
    } catch (...) {
      self.pause();
      try {
        throw;
      } catch (const std::runtime_error& e) {
        what = e.what();
      }
    }
  });
  c.go_on();
  EXPECT_EQ(std::current_exception(), nullptr);
  std::thread([&] {
    c.go_on();
    EXPECT_EQ(std::current_exception(), nullptr);
  }).join();
  EXPECT_EQ(what, "carried");
  EXPECT_TRUE(c.ended());
}

// What `then` sees of the stack that was left is where that stack is gone on with later.
struct two_sides {
  context home;
  stack* other = heist_test::map_stack(64 * 1024);
  void* seen_at = nullptr;
  int calls = 0;

  HEIST_NO_TSAN void start() { heist::detail::restart(*other, other, &entry); }
  void visit() { back = switch_to(home, *other, thread_exceptions(), nullptr, nullptr); }
  stack* back = nullptr;

 private:
  HEIST_NO_TSAN static void entry(heist::detail::handoff* from);
  HEIST_NO_TSAN static stack* look(void* p) {
    auto& self = *static_cast<two_sides*>(p);
    ++self.calls;
    self.seen_at = self.other->pointer;
    return self.other;  // handed to whoever switched there
  }
};
two_sides* sides;

void two_sides::entry(heist::detail::handoff* from) {
  heist::detail::arrive(from);
  for (;;) switch_to(*sides->other, sides->home, thread_exceptions(), &look, sides);
}

TEST(then, runs_when_the_stack_that_was_left_is_complete) {
  two_sides s;
  sides = &s;
  heist::detail::introduce_native(s.home);
  s.start();
  void* const at_start = s.other->pointer;
  for (int i = 1; i <= 3; ++i) {
    s.visit();
    EXPECT_EQ(s.back, s.other);
    EXPECT_EQ(s.calls, i);
    EXPECT_NE(s.seen_at, at_start);
    EXPECT_EQ(s.seen_at, s.other->pointer);
  }
  heist_test::unmap_stack(s.other);
}

TEST(a_stack, may_be_started_anew) {
  int starts = 0;
  coroutine c([&](coroutine& self) {
    ++starts;
    self.pause();  // left for good
    ADD_FAILURE();
  });
  for (int i = 1; i <= 3; ++i) {
    c.start_anew();
    c.go_on();
    EXPECT_EQ(starts, i);
  }
}

}  // namespace

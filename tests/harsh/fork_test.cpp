// fork(): the child has all of the parent's memory and one of its threads.

#include "tests/harsh/process.hpp"
#include "tests/private.hpp"

#include <heist/heist.hpp>
#include <heist/sched/scheduler.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace {
// Called by whoever allocates, once it is set.
thread_local void (*before_allocation)() = nullptr;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  if (before_allocation != nullptr) std::exchange(before_allocation, nullptr)();
  if (void* const p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
// As the standard library's: but the sanitizers' do not come here by themselves.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return ::operator new(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {
struct seats_lock {
  using type = std::mutex heist::detail::seats::*;
};
}  // namespace
template struct heist_test::opened<seats_lock, &heist::detail::seats::lock_>;

namespace {

using namespace heist_test;

// Before anything starts the default pool: several workers, also on a machine with one processor.
const int workers_set = ::setenv("HEIST_WORKERS", "4", 1);

class a_child_of_fork : public testing::Test {
 protected:
  void SetUp() override {
#if defined(HEIST_TSAN)
    GTEST_SKIP() << "ThreadSanitizer allows no threads in the child of a process with threads";
#endif
  }

  static void expect_refused(const ending& e) {
    EXPECT_EQ(e.signal, SIGABRT) << "code " << e.code;
    EXPECT_TRUE(e.said.starts_with("heist: a pool made before fork() was used in the child")) << e.said;
  }
};

TEST_F(a_child_of_fork, has_a_default_pool_of_its_own_while_the_parents_sleeps) {
  need_a_thief();
  ASSERT_TRUE(threads_rest());
  EXPECT_ENDS_WELL(in_child([] {
    if (!heist_threads().empty()) std::_Exit(2);
    if (fib(15) != 610) std::_Exit(3);
    need_a_thief();
    if (heist_threads().empty()) std::_Exit(4);
    heist::scope s;
    std::atomic<int> n{0};
    for (int i = 0; i < 100; ++i) s.spawn([&] { ++n; });
    s.sync();
    if (n != 100) std::_Exit(5);
  }));
  need_a_thief();  // and the parent's is what it was
}

TEST_F(a_child_of_fork, may_fork_again) {
  need_a_thief();
  ASSERT_TRUE(threads_rest());
  EXPECT_ENDS_WELL(in_child([] {
    need_a_thief();
    if (!threads_rest()) std::_Exit(2);
    if (in_child([] { need_a_thief(); }).code != 0) std::_Exit(3);
    need_a_thief();
  }));
}

TEST_F(a_child_of_fork, may_be_made_while_the_parents_workers_work) {
  std::atomic<bool> over{false};
  std::thread busy([&] {
    while (!over) fib(18);
  });
  for (int i = 0; i < 20; ++i)
    EXPECT_ENDS_WELL(in_child([] {
      need_a_thief();
      heist::pool own(workers(3));
      own.run(need_a_thief);
    }));
  over = true;
  busy.join();
}

TEST_F(a_child_of_fork, finds_no_lock_of_a_heist_mutex_held_by_a_thread_it_does_not_have) {
#if defined(HEIST_ASAN)
  GTEST_SKIP() << "the parent's checked mutexes allocate, and AddressSanitizer's allocator is no use in the child of a "
                  "process that was allocating: its lock stays locked";
#endif
  std::atomic<bool> over{false};
  heist::mutex wanted[64];
  heist::pool p(workers(3));
  auto contend = [&wanted] {
    for (heist::mutex& m : wanted) {
      m.lock();
      m.unlock();
    }
  };
  std::thread busy([&] {
    while (!over) p.run([&] { heist::join(contend, contend, contend); });
  });
  for (int i = 0; i < 20; ++i)
    EXPECT_ENDS_WELL(in_child([] {
      heist::mutex fresh[64];
      heist::for_each_index(
          0, 64 * 64,
          [&](int k) {
            fresh[k % 64].lock();
            fresh[k % 64].unlock();
          },
          heist::grain{1});
    }));
  over = true;
  busy.join();
}

// Its strand, its resumption and its deadline are the parent's business; the child has waits and deadlines of its own.
TEST_F(a_child_of_fork, may_wait_while_a_strand_of_its_parent_does) {
  heist::pool p(workers(2));
  heist::latch open(1);
  heist::resumption kept;
  std::atomic<int> over{0};
  p.detach([&] { open.wait(), ++over; });
  p.detach([&] { heist::suspend([&](heist::resumption r) { kept = std::move(r); }), ++over; });
  p.detach([&] { heist::sleep_for(std::chrono::milliseconds(50)), ++over; });
  ASSERT_TRUE(eventually([&] { return p.stats().waiting + static_cast<unsigned>(over) >= 3; }));
  for (int i = 0; i < 5; ++i)
    EXPECT_ENDS_WELL(in_child([] {
      std::atomic<int> woken{0};
      heist::pool own(workers(2));
      own.run([&] {
        heist::latch mine(1);
        heist::channel<int> c(0);
        heist::scope s;
        s.spawn([&] { mine.wait(), ++woken; });
        s.spawn([&] { heist::sleep_for(std::chrono::milliseconds(1)), ++woken; });
        s.spawn([&] { c.push(1), ++woken; });
        heist::suspend([](heist::resumption r) { r.resume(); }, std::stop_token());
        mine.count_down();
        static_cast<void>(c.pop());
        s.sync();
      });
      std::_Exit(woken == 3 ? 0 : 2);
    }));
  EXPECT_LE(over, 1);
  kept.resume();
  open.count_down();
  p.wait_idle();
  EXPECT_EQ(over, 3);
}

// The same, and not left to chance: another thread has the lock of the queue in the moment of fork().
TEST_F(a_child_of_fork, may_wait_for_a_mutex_whose_queue_somebody_else_was_about_to_join) {
  heist::mutex m;
  std::atomic<int> stage{0};
  std::thread about_to_join([&] {
    const std::lock_guard hold(heist::detail::queue_lock(&m));
    stage = 1;
    EXPECT_TRUE(eventually([&] { return stage == 2; }));
  });
  ASSERT_TRUE(eventually([&] { return stage == 1; }));
  EXPECT_ENDS_WELL(in_child([&] {
    ::alarm(30);
    m.lock();
    std::atomic<bool> waited{false};
    std::thread waiter([&] {
      m.lock();
      waited = true;
      m.unlock();
    });
    ::usleep(1000);  // so that it has come to the queue, most likely
    m.unlock();
    waiter.join();
    // Once more, by hand: it is free.
    const std::unique_lock hold(heist::detail::queue_lock(&m), std::try_to_lock);
    if (!waited || !hold) std::_Exit(2);
  }));
  stage = 2;
  about_to_join.join();
}

// In a process of its own, which has no default pool yet: a thread is about to make it, and has its lock, in the moment of
// fork().
TEST_F(a_child_of_fork, has_a_default_pool_though_its_parents_was_being_made) {
  static std::atomic<int> stage;
  stage = 0;
  EXPECT_ENDS_WELL(in_child([] {
    std::thread maker([] {
      before_allocation = [] {
        stage = 1;
        EXPECT_TRUE(eventually([] { return stage == 2; }));
      };
      heist::default_pool();
    });
    if (!eventually([] { return stage == 1; })) std::_Exit(2);
    const ending e = in_child([] {
      ::alarm(30);
      need_a_thief();
    });
    stage = 2;
    maker.join();
    need_a_thief();
    std::_Exit(e.code == 0 ? 0 : 3);
  }));
}

TEST_F(a_child_of_fork, is_refused_a_pool_it_inherited) {
  heist::pool p(workers(3));
  p.run(need_a_thief);
  ASSERT_TRUE(threads_rest());
  expect_refused(in_child([&] { p.run([] {}); }));
  expect_refused(in_child([&] { static_cast<void>(p.stats()); }));
  p.run(need_a_thief);
}

TEST_F(a_child_of_fork, may_destroy_a_pool_it_inherited) {
  auto p = std::make_unique<heist::pool>(workers(3));
  p->run(need_a_thief);
  ASSERT_TRUE(threads_rest());
  EXPECT_ENDS_WELL(in_child([&] { p.reset(); }));
  p->run(need_a_thief);
}

// Whatever its threads held in the moment of fork().
TEST_F(a_child_of_fork, may_destroy_a_pool_whose_lock_a_thread_had) {
  auto p = std::make_unique<heist::pool>(workers(2));
  std::atomic<int> stage{0};
  std::thread holder([&] {
    const std::lock_guard hold(heist::detail::scheduler_of(*p).seats.*member<seats_lock>);
    stage = 1;
    EXPECT_TRUE(eventually([&] { return stage == 2; }));
  });
  ASSERT_TRUE(eventually([&] { return stage == 1; }));
  EXPECT_ENDS_WELL(in_child([&] {
    ::alarm(30);
    p.reset();
  }));
  stage = 2;
  holder.join();
}

TEST_F(a_child_of_fork, is_refused_the_children_of_a_scope_it_inherited) {
  heist::scope s;
  std::atomic<bool> over{false};
  s.spawn([&] { EXPECT_TRUE(eventually([&] { return over.load(); })); });
  expect_refused(in_child([&] { s.sync(); }));
  expect_refused(in_child([&] { s.spawn([] {}); }));
  over = true;
  s.sync();
}

// Made by a strand, on one of the pool's stacks.
class a_child_of_a_task : public a_child_of_fork {
 protected:
  heist::pool p{workers(3)};
};

TEST_F(a_child_of_a_task, may_call_exec) {
  EXPECT_ENDS_WELL(p.run([] { return in_child([] { ::execl("/bin/true", "true", nullptr); }); }));
  const ending e = p.run([] { return in_child([] { std::_Exit(17); }); });
  EXPECT_EQ(e.code, 17);
  EXPECT_EQ(e.said, "");
}

TEST_F(a_child_of_a_task, may_use_its_own_default_pool_and_its_own_pools) {
  EXPECT_ENDS_WELL(p.run([] {
    return in_child([] {
      if (heist::default_pool().run([] { return fib(15); }) != 610) std::_Exit(2);
      heist::pool own(workers(2));
      own.run(need_a_thief);
      own.run([] { heist::sleep_for(std::chrono::milliseconds(20)); });  // goes on without its caller
      std::_Exit(0);
    });
  }));
}

TEST_F(a_child_of_a_task, has_what_its_strand_added_to_a_reducer) {
  heist::reducer<int> sum;
  ending e;
  p.run([&] {
    std::atomic<bool> taken{false};
    heist::join([&] { EXPECT_TRUE(eventually([&] { return taken.load(); })); },
                [&] {
                  *sum += 5;  // a view of the thief's
                  e = in_child([&] { std::_Exit(*sum); });
                  taken = true;
                });
  });
  EXPECT_EQ(e.code, 5);
  EXPECT_EQ(*sum, 5);
}

TEST_F(a_child_of_a_task, is_refused_a_fork) {
  expect_refused(p.run([] { return in_child([] { fib(15); }); }));
  expect_refused(p.run([] {
    return in_child([] {
      heist::scope s;
      s.spawn_later([] {});
      s.sync();
    });
  }));
}

// The child goes back to where its parent called this.
ending child_goes_on() { return fork_and_listen().value_or(ending{}); }

TEST_F(a_child_of_a_task, is_refused_the_end_of_its_root) { expect_refused(p.run(child_goes_on)); }

TEST_F(a_child_of_a_task, is_refused_the_end_of_a_branch_stolen_or_not) {
  expect_refused(p.run([] { return std::get<0>(heist::join(child_goes_on, [] {})); }));
  // The thief of the other branch is a thread that the child has not.
  expect_refused(p.run([] {
    std::atomic<bool> begun{false}, over{false};
    return std::get<0>(heist::join(
        [&] {
          EXPECT_TRUE(eventually([&] { return begun.load(); }));
          const ending e = child_goes_on();
          over = true;
          return e;
        },
        [&] {
          begun = true;
          EXPECT_TRUE(eventually([&] { return over.load(); }));
        }));
  }));
}

TEST_F(a_child_of_a_task, is_refused_the_end_of_a_spawned_child_stolen_or_not) {
  ending e;
  p.run([&] {
    heist::scope s;
    s.spawn([&] { e = child_goes_on(); });
    s.sync();
  });
  expect_refused(e);
  p.run([&] {
    heist::scope s;
    std::atomic<bool> moved{false};
    s.spawn([&] {
      EXPECT_TRUE(eventually([&] { return moved.load(); }));
      e = child_goes_on();
    });
    moved = true;
    s.sync();
  });
  expect_refused(e);
}

}  // namespace

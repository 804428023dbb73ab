// heist::shared_mutex, from strands and threads.

#include "tests/private.hpp"
#include "tests/waiting/together.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <vector>

namespace {
using heist::detail::shared_word;
struct word_of {
  using type = shared_word heist::shared_mutex::*;
};
struct queue_for_alone {
  using type = heist::detail::wait_queue shared_word::*;
};
struct queue_for_shared {
  using type = heist::detail::wait_queue shared_word::*;
};
}  // namespace
template struct heist_test::opened<word_of, &heist::shared_mutex::word_>;
template struct heist_test::opened<queue_for_alone, &shared_word::for_alone_>;
template struct heist_test::opened<queue_for_shared, &shared_word::for_shared_>;

namespace {

using namespace heist_test;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

class a_shared_mutex : public together {
 protected:
  heist::shared_mutex m;

  // How many wait for it.
  int waiters() {
    shared_word& word = m.*member<word_of>;
    const std::lock_guard hold(heist::detail::queue_lock(&word));
    int n = 0;
    for (const auto* w = (word.*member<queue_for_alone>).first(); w != nullptr; w = w->after) ++n;
    for (const auto* w = (word.*member<queue_for_shared>).first(); w != nullptr; w = w->after) ++n;
    return n;
  }

  void expect_free() {
    ASSERT_TRUE(m.try_lock());
    m.unlock();
    ASSERT_TRUE(m.try_lock_shared());
    ASSERT_TRUE(m.try_lock_shared());
    m.unlock_shared();
    m.unlock_shared();
  }
};
INSTANTIATE_TEST_SUITE_P(used, a_shared_mutex, testing::Values(0u, 1u, 2u, 8u), place_name);

TEST_P(a_shared_mutex, is_shared_by_several_at_once) {
  heist::latch all(5);
  run_each(5, [&](int) {
    const std::shared_lock hold(m);
    all.arrive_and_wait();  // each while it holds it
  });
  expect_free();
}

// A plain counter, and witnesses of who is inside.
struct guarded {
  long count = 0;
  std::atomic<int> alone{0}, sharing{0};

  void write() {
    EXPECT_EQ(alone.fetch_add(1), 0);
    EXPECT_EQ(sharing, 0);
    ++count;
    if (count % 16 == 0) std::this_thread::yield();
    EXPECT_EQ(sharing, 0);
    EXPECT_EQ(alone.fetch_sub(1), 1);
  }
  void read() {
    ++sharing;
    EXPECT_EQ(alone, 0);
    const long before = count;
    if (before % 16 == 0) std::this_thread::yield();
    EXPECT_EQ(count, before);
    --sharing;
  }
};

TEST_P(a_shared_mutex, keeps_all_others_out_while_one_has_it_alone) {
  guarded g;
  const int n = rounds(500);
  run_each(8, [&](int i) {
    for (int k = 0; k < n; ++k) {
      if (i % 4 == 0) {
        const std::lock_guard hold(m);
        g.write();
      } else {
        const std::shared_lock hold(m);
        g.read();
      }
    }
  });
  EXPECT_EQ(g.count, 2L * n);
  expect_free();
}

TEST_P(a_shared_mutex, keeps_strands_and_threads_apart) {
  guarded g;
  const int n = rounds(500);
  auto visit = [&](int i) {
    for (int k = 0; k < n; ++k) {
      if ((i + k) % 3 == 0) {
        const std::lock_guard hold(m);
        g.write();
      } else {
        const std::shared_lock hold(m);
        g.read();
      }
    }
  };
  {
    std::jthread one([&] { visit(0); }), two([&] { visit(1); });
    run_each(4, visit);
  }
  expect_free();
}

TEST_P(a_shared_mutex, may_be_held_across_joins) {
  long count = 0;
  const int n = rounds(100);
  run_each(4, [&](int i) {
    for (int k = 0; k < n; ++k) {
      if (i % 2 == 0) {
        const std::lock_guard hold(m);
        const long before = count;
        EXPECT_EQ(fib(5), 5);
        count = before + 1;
      } else {
        const std::shared_lock hold(m);
        const long before = count;
        EXPECT_EQ(fib(5), 5);
        EXPECT_EQ(count, before);
      }
    }
  });
  EXPECT_EQ(count, 2L * n);
}

// Shared by one at least all the time, until one that comes to share it is refused.
TEST_P(a_shared_mutex, does_not_let_one_that_wants_it_alone_starve) {
  m.lock_shared();
  std::jthread sharing([&] {
    EXPECT_TRUE(eventually([&] {
      if (!m.try_lock_shared()) return true;
      m.unlock_shared();
      return false;
    }));
    m.unlock_shared();
  });
  run([&] {
    m.lock();
    m.unlock();
  });
}

TEST_P(a_shared_mutex, goes_to_all_that_wait_to_share_it_before_the_next_has_it_alone) {
  std::atomic<int> shared{0}, alone{0};
  m.lock();
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return waiters() == 6; }));
    m.unlock();
  });
  heist::latch together_inside(4);
  run_each(6, [&](int i) {
    if (i < 2) {
      const std::lock_guard hold(m);
      EXPECT_EQ(shared, 4);
      ++alone;
    } else {
      const std::shared_lock hold(m);
      ++shared;
      EXPECT_EQ(alone, 0);
      together_inside.arrive_and_wait();
    }
  });
  EXPECT_EQ(alone, 2);
  expect_free();
}

TEST_P(a_shared_mutex, goes_from_those_that_shared_it_to_one_that_wants_it_alone) {
  std::atomic<int> shared{0};
  m.lock_shared();
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return waiters() == 4; }));
    EXPECT_EQ(shared, 0);  // one that comes first waits to have it alone
    m.unlock_shared();
  });
  run_each(4, [&](int i) {
    if (i == 0) {
      m.lock();
      EXPECT_EQ(shared, 0);
      m.unlock();
    } else {
      // Not before the other one waits.
      while (waiters() == 0 && shared == 0 && m.try_lock_shared()) {
        m.unlock_shared();
        heist::sleep_for(1us);
      }
      const std::shared_lock hold(m);
      ++shared;
    }
  });
  expect_free();
}

TEST_P(a_shared_mutex, can_be_tried) {
  run([&] {
    EXPECT_TRUE(m.try_lock());
    EXPECT_FALSE(m.try_lock());
    EXPECT_FALSE(m.try_lock_shared());
    m.unlock();
    EXPECT_TRUE(m.try_lock_shared());
    EXPECT_TRUE(m.try_lock_shared());
    EXPECT_FALSE(m.try_lock());
    m.unlock_shared();
    EXPECT_FALSE(m.try_lock());
    m.unlock_shared();
    EXPECT_TRUE(m.try_lock_for(0s));
    m.unlock();
    EXPECT_TRUE(m.try_lock_shared_until(clock::time_point::min()));
    m.unlock_shared();
  });
  expect_free();
}

TEST_P(a_shared_mutex, is_not_given_to_those_whose_time_is_over) {
  run([&] {
    m.lock();
    const auto start = clock::now();
    EXPECT_FALSE(m.try_lock_for(2ms));
    EXPECT_FALSE(m.try_lock_shared_for(2ms));
    EXPECT_GE(clock::now() - start, 4ms);
    EXPECT_FALSE(m.try_lock_until(std::chrono::system_clock::now() + 1ms));
    EXPECT_FALSE(m.try_lock_shared_until(std::chrono::system_clock::now() + 1ms));
    EXPECT_FALSE(m.try_lock_for(-1h));
    EXPECT_FALSE(m.try_lock_shared_for(-1h));
    m.unlock();
    expect_free();
    m.lock_shared();
    EXPECT_FALSE(m.try_lock_for(2ms));
    EXPECT_TRUE(m.try_lock_shared());  // it does not keep others from it any more
    m.unlock_shared();
    m.unlock_shared();
    expect_free();
  });
}

TEST_P(a_shared_mutex, is_shared_by_those_that_waited_when_the_one_before_them_has_left) {
  std::stop_source source;
  m.lock_shared();  // to the end
  std::jthread alone([&] { EXPECT_THROW(m.lock(source.get_token()), heist::cancelled); });
  EXPECT_TRUE(eventually([&] {
    if (!m.try_lock_shared()) return true;  // it waits
    m.unlock_shared();
    return false;
  }));
  std::atomic<int> come{0};
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return come == 3; }));
    source.request_stop();
  });
  run_each(3, [&](int) {
    ++come;
    const std::shared_lock hold(m);
  });
  m.unlock_shared();
  alone.join();
  expect_free();
}

TEST_P(a_shared_mutex, throws_cancelled_at_a_stop) {
  std::stop_source source;
  std::atomic<int> come{0};
  m.lock();
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return come == 4; }));
    source.request_stop();
  });
  run_each(4, [&](int i) {
    ++come;
    EXPECT_THROW(i % 2 == 0 ? m.lock(source.get_token()) : m.lock_shared(source.get_token()), heist::cancelled);
    EXPECT_THROW(static_cast<void>(i % 2 == 0 ? m.try_lock_for(1h, source.get_token())
                                              : m.try_lock_shared_for(1h, source.get_token())),
                 heist::cancelled);
  });
  m.unlock();
  expect_free();
}

TEST_P(a_shared_mutex, is_lost_to_nobody_while_some_leave_and_others_stay) {
  guarded g;
  run_each(8, [&](int i) {
    for (int k = 0; k < rounds(200); ++k) {
      const auto patience = std::chrono::microseconds(k % 40);
      if (i % 4 == 0) {
        if (m.try_lock_for(patience)) {
          g.write();
          m.unlock();
        }
      } else if (i % 4 == 1) {
        if (m.try_lock_shared_for(patience)) {
          g.read();
          m.unlock_shared();
        }
      } else if (i % 4 == 2) {
        const std::lock_guard hold(m);
        g.write();
      } else {
        const std::shared_lock hold(m);
        g.read();
      }
    }
  });
  EXPECT_GE(g.count, 2L * rounds(200));
  expect_free();
}

TEST_P(a_shared_mutex, works_with_the_standard_guards) {
  run([&] {
    std::unique_lock a(m);
    std::shared_lock b(m, std::try_to_lock);
    EXPECT_FALSE(b.owns_lock());
    a.unlock();
    EXPECT_TRUE(b.try_lock_for(1h));
    std::shared_lock c(m, clock::now() + 1h);
    EXPECT_TRUE(c.owns_lock());
    EXPECT_FALSE(a.try_lock_for(1us));
  });
  expect_free();
}

TEST_P(a_shared_mutex, may_be_destroyed_by_the_last_that_held_it) {
  struct shared {
    heist::shared_mutex lock;
    std::atomic<int> users{4};
  };
  for (int i = 0; i < rounds(500); ++i) {
    auto* const s = new shared;
    run_each(4, [s](int k) {
      bool last;
      if (k % 2 == 0) {
        s->lock.lock();
        last = --s->users == 0;
        s->lock.unlock();
      } else {
        s->lock.lock();
        s->lock.unlock();
        s->lock.lock_shared();
        s->lock.unlock_shared();
        s->lock.lock();
        last = --s->users == 0;
        s->lock.unlock();
      }
      if (last) delete s;
    });
  }
}

}  // namespace

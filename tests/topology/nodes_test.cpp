// A machine of two nodes: hwloc is told that each processor is one (HWLOC_SYNTHETIC, set by CMakeLists.txt).

#include "tests/private.hpp"
#include "tests/support.hpp"

#include <heist/heist.hpp>
#include <heist/sched/scheduler.hpp>

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <map>
#include <optional>
#include <thread>

namespace heist_test {

struct choose {
  using type = heist::detail::seat& (heist::detail::search::*)(heist::detail::pool_thread&,
                                                               const heist::detail::victim_list::view&) const noexcept;
};
struct slots {
  using type = heist::detail::cell<std::atomic<heist::detail::job*>*> heist::detail::deque<heist::detail::job>::*;
};

}  // namespace heist_test

template struct heist_test::opened<heist_test::choose, &heist::detail::search::choose>;
template struct heist_test::opened<heist_test::slots, &heist::detail::deque<heist::detail::job>::slots_>;

namespace {

using namespace heist_test;
using heist::detail::seat;
using heist::detail::this_seat;
using heist::detail::thread_at;

class on_two_nodes : public testing::Test {
 protected:
  void SetUp() override {
    cpu_set_t all;
    ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
    if (!CPU_ISSET(0, &all) || !CPU_ISSET(1, &all)) GTEST_SKIP() << "processors 0 and 1 are needed";
  }
};

heist::options bound(unsigned n, heist::victims whom) {
  heist::options o = workers(n);
  o.victims = whom;
  o.bind = "0,1";
  return o;
}

// In a worker of the pool, without a caller in its place.
template <class F>
void in_a_worker(heist::pool& p, F f) {
  p.detach(f);
  p.wait_idle();
}

TEST_F(on_two_nodes, steals_between_them_are_counted_whoever_the_victims_are) {
  for (const auto whom : {heist::victims::uniform, heist::victims::near}) {
    for (const auto how : {heist::steal::one, heist::steal::half}) {
      heist::options o = bound(2, whom);
      o.steal = how;
      heist::pool p(o);
      EXPECT_TRUE(eventually([&] {
        in_a_worker(p, [] {
          std::atomic<int> here{0};
          auto arrive = [&] {
            ++here;
            EXPECT_TRUE(eventually([&] { return here >= 2; }));
          };
          heist::join(arrive, arrive);
        });
        return p.stats().far_steals > 0;
      }));
      EXPECT_LE(p.stats().far_steals, p.stats().steals);
    }
  }
}

// A caller has the place of a worker, which may have searched elsewhere or never.
TEST_F(on_two_nodes, a_caller_is_where_it_runs) {
  heist::pool p(bound(2, heist::victims::uniform));
  std::thread([&] {
    for (const int processor : {1, 0, 1}) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(processor, &one);
      ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
      p.run([&] { EXPECT_EQ(thread_at(*this_seat()).seen_on.get(), processor); });
    }
  }).join();
}

// Whom a thief on processor 0 would rob, if the others last searched on 0, 1, 0, 1, …
std::map<const seat*, int> drawn(heist::pool& p, int times, double& far) {
  std::map<const seat*, int> all;
  int far_ones = 0;
  p.run([&] {
    auto& pool = this_seat()->pool;
    heist::detail::pool_thread& thief = thread_at(*this_seat());
    const auto victims = pool.victims.read();
    for (unsigned i = 0; i < victims.size; ++i) thread_at(victims[i]).seen_on.set(static_cast<int>(i % 2));
    thief.seen_on.set(0);
    for (int i = 0; i < times; ++i) {
      const seat& s = (pool.search.*member<choose>)(thief, victims);
      EXPECT_NE(&s, this_seat());
      ++all[&s];
      far_ones += thread_at(s).seen_on.get() == 1;
    }
  });
  far = static_cast<double>(far_ones) / times;
  return all;
}

// Nobody works while we draw: the pool's threads have not been started.
TEST_F(on_two_nodes, a_thief_never_draws_itself_and_a_near_one_draws_fewer_far_victims) {
  constexpr int times = 60'000;
  for (const unsigned n : {2u, 3u, 8u}) {
    double far = 0, far_of_near = 0;
    heist::pool uniform(bound(n, heist::victims::uniform)), near(bound(n, heist::victims::near));
    const double each = static_cast<double>(times) / (n - 1);
    const auto all = drawn(uniform, times, far), all_of_near = drawn(near, times, far_of_near);
    EXPECT_EQ(all.size(), n - 1);
    EXPECT_EQ(all_of_near.size(), n - 1);
    for (const auto& [s, count] : all) EXPECT_NEAR(count, each, 0.1 * each);
    for (const auto& [s, count] : all_of_near) EXPECT_GT(count, 0.9 * each / 2);  // half of a uniform thief's chance
    if (n > 2) {
      EXPECT_LT(far_of_near, 0.6 * far);
    }
  }
}

const void* ring_of(const seat& s) { return (s.jobs.*member<slots>).get(); }

// The node of the page, if the system says.
std::optional<int> node_of(const void* at) {
  void* page = const_cast<void*>(at);
  int node = -1;
  if (::syscall(SYS_move_pages, 0, 1ul, &page, nullptr, &node, 0) != 0 || node < 0) return std::nullopt;
  return node;
}

TEST_F(on_two_nodes, a_threads_first_deque_is_made_by_the_thread) {
  heist::pool p(bound(1, heist::victims::uniform));
  const seat* at = nullptr;
  const void* before = nullptr;
  p.run([&] {  // the thread has not been started, and the caller has its place
    at = this_seat();
    before = ring_of(*at);
  });
  in_a_worker(p, [&] {
    EXPECT_EQ(this_seat(), at);
    EXPECT_NE(ring_of(*at), before);
    heist::join([] {}, [] {});
    unsigned node = 0;
    const auto of_ring = node_of(ring_of(*at));
    if (::syscall(SYS_getcpu, nullptr, &node, nullptr) == 0 && of_ring) {
      EXPECT_EQ(*of_ring, static_cast<int>(node));
    }
  });
}

}  // namespace

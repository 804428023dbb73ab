// The machine's shape, on machines that hwloc describes; and what options::bind and options::victims make of it.

#include "tests/support.hpp"

#include <heist/heist.hpp>
#include <heist/topology/shape.hpp>

#include <gtest/gtest.h>

#include <sched.h>

#include <cstdlib>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace heist_test;
using heist::detail::distance;
using heist::detail::machine_shape;

cpu_set_t first(int n) {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int i = 0; i < n; ++i) CPU_SET(i, &all);
  return all;
}

// Two nodes of two caches of two cores of two processors.
const machine_shape& large() {
  static const machine_shape shape("node:2 l3:2 core:2 pu:2");
  return shape;
}

TEST(shape, knows_how_far_processors_are_apart) {
  EXPECT_EQ(large().between(0, 0), distance::core);
  EXPECT_EQ(large().between(0, 1), distance::core);
  EXPECT_EQ(large().between(0, 2), distance::cache);
  EXPECT_EQ(large().between(0, 4), distance::node);
  EXPECT_EQ(large().between(0, 8), distance::far);
  EXPECT_EQ(large().between(15, 7), distance::far);
  EXPECT_EQ(large().between(-1, 8), distance::core);
  EXPECT_EQ(large().between(0, 99), distance::core);
  EXPECT_FALSE(large().flat());
  EXPECT_TRUE(machine_shape("l3:1 core:4 pu:1").flat());
}

TEST(shape, spreads_over_nodes_caches_cores_and_their_threads_in_this_order) {
  EXPECT_EQ(large().order(heist::bind::spread, first(16)),
            (std::vector<int>{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}));
  EXPECT_EQ(large().order(heist::bind::spread, first(4)), (std::vector<int>{0, 2, 1, 3}));
}

TEST(shape, keeps_neighbours_together_when_compact) {
  EXPECT_EQ(large().order(heist::bind::compact, first(6)), (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST(shape, is_flat_where_nothing_is_known) {
  const machine_shape none("no such thing");
  EXPECT_TRUE(none.flat());
  EXPECT_EQ(none.between(0, 1), distance::core);
  EXPECT_TRUE(none.order(heist::bind::spread, first(2)).empty());
}

// On which processors the workers may run.
std::vector<cpu_set_t> masks_of(heist::pool& p) {
  return p.broadcast([] {
    cpu_set_t mask;
    ::sched_getaffinity(0, sizeof mask, &mask);
    return mask;
  });
}

TEST(bind, keeps_each_worker_on_one_processor) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  const auto n = static_cast<unsigned>(CPU_COUNT(&all));
  for (const heist::bind how : {heist::bind::spread, heist::bind::compact}) {
    heist::options o = workers(n);
    o.bind = how;
    heist::pool p(o);
    meet(p, static_cast<int>(n));
    std::set<int> used;
    for (const cpu_set_t& mask : masks_of(p)) {
      EXPECT_EQ(CPU_COUNT(&mask), 1);
      for (int i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &mask)) used.insert(i);
    }
    EXPECT_EQ(used.size(), n);
  }
  heist::pool none(workers(n));
  for (const cpu_set_t& mask : masks_of(none)) EXPECT_TRUE(CPU_EQUAL(&mask, &all));
}

TEST(bind, takes_a_list) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  int last = CPU_SETSIZE;
  while (!CPU_ISSET(--last, &all)) {
  }
  heist::options o = workers(3);
  const std::string list = std::to_string(last);
  o.bind = list.c_str();
  heist::pool p(o);
  for (const cpu_set_t& mask : masks_of(p)) EXPECT_TRUE(CPU_ISSET(last, &mask) && CPU_COUNT(&mask) == 1);
}

TEST(bind, takes_numbers_and_strings_of_any_kind) {
  auto text = [](const heist::binding& b) { return std::string(b.list() != nullptr ? b.list() : ""); };
  heist::options o;
  o.bind = {3, 1};
  EXPECT_EQ(text(o.bind), "3,1");
  o.bind = std::vector<int>{0, 7, 2};
  EXPECT_EQ(text(o.bind), "0,7,2");
  o.bind = std::string("0-3");
  EXPECT_EQ(text(o.bind), "0-3");
  o.bind = std::string_view("4,5x").substr(0, 3);
  EXPECT_EQ(text(o.bind), "4,5");
  EXPECT_TRUE(o.bind);
  o.bind = "none";
  EXPECT_FALSE(o.bind);
  o.bind = std::string("spread");
  EXPECT_EQ(o.bind.how(), heist::bind::spread);
  EXPECT_EQ(o.bind.list(), nullptr);
  EXPECT_EQ(heist::options{.bind = "compact"}.bind.how(), heist::bind::compact);
  o.bind = {};
  EXPECT_FALSE(o.bind);
}

TEST(bind, refuses_what_is_no_list_or_may_not_be_used) {
  heist::options o = workers(1);
  for (const char* const bad : {"", "x", "1-", "3-1", "0,", "-1", "99999", "1023"}) {
    o.bind = bad;
    EXPECT_THROW(heist::pool{o}, std::invalid_argument) << bad;
  }
  o.bind = std::vector<int>();
  EXPECT_THROW(heist::pool{o}, std::invalid_argument);
}

TEST(near_victims, are_robbed_as_well_and_all_answers_are_right) {
  for (const unsigned n : {1u, 2u, 8u}) {
    heist::options o = workers(n);
    o.victims = heist::victims::near;
    heist::pool p(o);
    EXPECT_EQ(p.run([] { return fib(22); }), 17711);
    meet(p, static_cast<int>(n));
    EXPECT_LE(p.stats().far_steals, p.stats().steals);
  }
}

}  // namespace

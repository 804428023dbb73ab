// What was lent and borrowed, as the tables know it: whom a lender pings, and what a ping makes a borrower do.

#include <heist/cluster.hpp>
#include <heist/cluster/debts.hpp>
#include <heist/cluster/loans.hpp>
#include <heist/cluster/peers.hpp>
#include <heist/pool.hpp>
#include <heist/scope.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <set>
#include <vector>

namespace hcd = heist::cluster::detail;

int look(int n) { return n; }
HEIST_CLUSTER_TASK_NO_NOTES(look)
int look_everywhere(int n) { return n; }
HEIST_CLUSTER_TASK(look_everywhere)
template <class T>
T doubled(T n) {
  return n + n;
}
HEIST_CLUSTER_TASK(doubled<int>)
HEIST_CLUSTER_TASK(doubled<double>)

using hcd::fate;
using numbers = std::vector<std::uint64_t>;

namespace {

// A strand that waits until its loan closes.
std::shared_ptr<hcd::loan> strand_away(heist::pool& in) {
  const auto l = std::make_shared<hcd::loan>();
  std::atomic<bool> rests{false};
  in.detach([l, &rests] {
    heist::suspend([l, &rests](heist::resumption r) {
      l->strand = std::move(r);
      rests = true;
      rests.notify_all();
    });
  });
  rests.wait(false);
  return l;
}

TEST(loans, a_borrower_is_pinged_while_it_has_something_and_once_more) {
  heist::pool p({.workers = 1});
  hcd::loans table;
  ASSERT_TRUE(table.depart(strand_away(p), 7));
  ASSERT_TRUE(table.depart(strand_away(p), 7));
  auto first = table.pings();
  ASSERT_EQ(first.size(), 1u);
  std::ranges::sort(first[7]);
  EXPECT_TRUE(table.any_pings());
  EXPECT_EQ(first[7], (numbers{1, 2}));
  EXPECT_TRUE(table.close(1, 7, fate::home));
  EXPECT_EQ(table.pings()[7], numbers{2});
  EXPECT_TRUE(table.close(2, 7, fate::home));
  EXPECT_FALSE(table.close(2, 7, fate::home));
  ASSERT_TRUE(table.any_pings());
  const auto last = table.pings();
  ASSERT_EQ(last.size(), 1u);
  EXPECT_TRUE(last.at(7).empty());
  EXPECT_FALSE(table.any_pings());
  EXPECT_TRUE(table.pings().empty());
  p.wait_idle();
}

TEST(loans, a_borrower_that_is_gone_is_not_pinged) {
  heist::pool p({.workers = 1});
  hcd::loans table;
  ASSERT_TRUE(table.depart(strand_away(p), 7));
  EXPECT_EQ(table.close_all_of(7, fate::home), 1u);
  table.forget(7);
  EXPECT_FALSE(table.any_pings());
  p.wait_idle();
}

TEST(loans, only_its_borrower_closes_a_loan_and_once) {
  heist::pool p({.workers = 1});
  hcd::loans table;
  const auto l = strand_away(p);
  ASSERT_TRUE(table.depart(l, 7));
  EXPECT_FALSE(table.close(l->number, 8, fate::value));
  EXPECT_FALSE(table.close(l->number + 1, 7, fate::value));
  EXPECT_TRUE(table.close(l->number, 7, fate::value));
  EXPECT_EQ(table.close_all(fate::home), 0u);
  EXPECT_EQ(table.close_all_of(7, fate::home), 0u);
  p.wait_idle();
}

TEST(loans, what_was_brought_home_is_not_out_any_more) {
  heist::pool p({.workers = 1});
  hcd::loans table;
  ASSERT_TRUE(table.depart(strand_away(p), 7));
  EXPECT_EQ(table.close_all_of(7, fate::home), 1u);
  EXPECT_EQ(table.count(), 0u);
  EXPECT_FALSE(table.close(1, 7, fate::value));
  p.wait_idle();
}

// Tasks ----------------------------------------------------------------------------------------------------------------

TEST(tasks, only_the_function_that_was_named_leaves_no_notes) {
  using looks = heist::cluster::call<&look>;
  EXPECT_FALSE(hcd::leaves_notes(hcd::entry_of<looks>));
  EXPECT_FALSE(hcd::leaves_notes(hcd::entry_of<hcd::gathered<&look>>));
  EXPECT_TRUE(hcd::leaves_notes(hcd::entry_of<heist::cluster::call<&look_everywhere>>));
}

TEST(tasks, instantiations_of_a_template_are_two) {
  const hcd::entry &whole = hcd::entry_of<heist::cluster::call<&doubled<int>>>, &real = hcd::entry_of<heist::cluster::call<&doubled<double>>>;
  EXPECT_NE(whole.id(), real.id());
  EXPECT_NE(whole.function(), real.function());
  EXPECT_NO_THROW(hcd::check_registry());
  EXPECT_TRUE(whole.plain_name().starts_with("doubled")) << whole.plain_name();
  EXPECT_EQ(whole.plain_name().find("type"), std::string::npos) << whole.plain_name();
}

// Peers ----------------------------------------------------------------------------------------------------------------

TEST(peers, lifelines_are_few_mutual_and_reach_everybody) {
  for (const unsigned machines : {1u, 2u, 3u, 4u, 5u, 8u, 13u, 100u}) {
    std::map<hcd::node_id, std::vector<hcd::node_id>> lines;
    for (hcd::node_id me = 1; me <= machines; ++me) {
      hcd::peers others;
      for (hcd::node_id other = 1; other <= machines; ++other)
        if (other != me) others.enter(other * 7919 % 104729, 0, 1);
      lines[me * 7919 % 104729] = others.neighbours(me * 7919 % 104729);
    }
    std::set<hcd::node_id> reached{lines.begin()->first}, next = reached;
    while (!next.empty()) {
      std::set<hcd::node_id> found;
      for (const auto from : next)
        for (const auto to : lines[from])
          if (reached.insert(to).second) found.insert(to);
      next = found;
    }
    EXPECT_EQ(reached.size(), machines);
    for (const auto& [me, near] : lines) {
      EXPECT_LE(near.size(), static_cast<std::size_t>(std::bit_width(machines - 1)));
      for (const auto other : near) EXPECT_EQ(std::ranges::count(lines[other], me), 1) << machines;
    }
  }
}

// Debts ----------------------------------------------------------------------------------------------------------------

void nothing(hcd::reader&, hcd::writer&) {}
const hcd::entry some_task("some task", "a function", &nothing);

TEST(debts, what_a_ping_does_not_list_is_stopped_and_forgotten) {
  hcd::debts table(8);
  const auto kept = table.enter({7, 1}, some_task, {1, 1}, {});
  const auto given_up = table.enter({7, 2}, some_task, {1, 2}, {});
  const auto of_another = table.enter({8, 2}, some_task, {1, 3}, {});
  const auto a = table.compare(7, {1, 3});
  EXPECT_EQ(a.missing, numbers{3});
  EXPECT_FALSE(kept->stop.stop_requested());
  EXPECT_TRUE(given_up->stop.stop_requested());
  EXPECT_FALSE(of_another->stop.stop_requested());
  EXPECT_TRUE(table.end(*given_up, {}).to.empty());
  EXPECT_EQ(table.end(*kept, {}).to.size(), 1u);
  static_cast<void>(table.compare(7, {}));
  EXPECT_EQ(table.lenders(), std::vector<hcd::node_id>{8});
}

TEST(debts, a_task_that_comes_twice_is_entered_once) {
  hcd::debts table(8);
  EXPECT_TRUE(table.enter({7, 1}, some_task, {1, 1}, {}));
  EXPECT_FALSE(table.enter({7, 1}, some_task, {1, 1}, {}));
  EXPECT_EQ(table.running(), 1u);
}

TEST(debts, what_is_not_pure_is_stopped_when_its_lender_dies) {
  hcd::debts table(8);
  const auto impure = table.enter({7, 1}, hcd::entry_of<heist::cluster::call<&look>>, {1, 1}, {});
  const auto pure = table.enter({7, 2}, hcd::entry_of<heist::cluster::call<&look_everywhere>>, {1, 2}, {});
  EXPECT_EQ(table.orphan_all_of(7), (std::vector<hcd::key>{{1, 2}}));
  EXPECT_TRUE(impure->stop.stop_requested());
  EXPECT_FALSE(pure->stop.stop_requested());
  EXPECT_EQ(table.orphans(), (std::vector<hcd::key>{{1, 2}}));
  hcd::owed_result at_once;
  EXPECT_FALSE(table.adopt({1, 1}, {8, 5}, at_once));
}

TEST(debts, an_orphan_that_another_has_adopted_is_not_stopped_by_its_lenders_ping) {
  hcd::debts table(8);
  const auto d = table.enter({7, 1}, some_task, {1, 1}, {});
  EXPECT_EQ(table.orphan_all_of(7).size(), 1u);
  hcd::owed_result at_once;
  EXPECT_TRUE(table.adopt({1, 1}, {8, 5}, at_once));
  static_cast<void>(table.compare(7, {}));
  table.drop({7, 1});
  EXPECT_FALSE(d->stop.stop_requested());
  const auto sent = table.end(*d, {});
  ASSERT_EQ(sent.to.size(), 1u);
  EXPECT_EQ(sent.to[0], hcd::debt_name(8, 5));
}

}  // namespace

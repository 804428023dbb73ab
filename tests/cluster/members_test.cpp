// Lifelines, drains, epochs, peers that are lost, and results that are lost: the test is the other machine.

#include "puppet.hpp"
#include "support.hpp"

#include <cstring>

namespace {

using heist_test::hcd::message;
using heist_test::hcd::say;
using heist_test::nap;
using heist_test::node_process;
using heist_test::puppet;
using heist_test::server;
namespace flag = heist_test::hcd::flag;

// A task that a real driver has packed, for puppets that lend.
message real_task(const server& s, const std::string& milliseconds, const std::string& root = "naps") {
  node_process driver("driver", s, {root, milliseconds}, {{"HEIST_CLUSTER_STATUS", "1"}});
  driver.await("joined");
  puppet p(s.address(), 5);
  EXPECT_TRUE(p.join_as_helper());
  const auto task = p.borrow();
  EXPECT_TRUE(task);
  driver.signal(SIGKILL);
  driver.wait();
  return task ? *task : message();
}

// A helper that has one task of the puppet.
struct borrower : node_process {
  explicit borrower(const server& s)
      : node_process("helper", s, {"naps", "0"}, {{"HEIST_CLUSTER_STATUS", "1"}, {"HEIST_CLUSTER_SUSPECT_MS", "100000"}}) {
    await("joined");
  }
  void take(puppet& from, const message& task) {
    ASSERT_TRUE(from.join_as_driver());
    const auto ask = from.await(say::ask);
    ASSERT_TRUE(ask);
    message give = from.says(say::task, 77);
    give.request = ask->request;
    give.function = task.function;
    give.content = task.content;
    from.send(give);
  }
};

message lifeline(const puppet& p) {
  message ask = p.says(say::ask);
  ask.flags = flag::lifeline;
  return ask;
}

// The driver's root has nothing to lend for a second.
TEST(cluster_members, a_lifeline_brings_work_when_there_is_some) {
  server s;
  node_process driver("driver", s, {"later", "1000"}, {{"HEIST_CLUSTER_STATUS", "1"}});
  driver.await("joined");
  puppet p(s.address(), 5);
  ASSERT_TRUE(p.join_as_helper());
  p.send(lifeline(p));
  const auto task = p.await(say::task);
  ASSERT_TRUE(task) << driver.said();
  EXPECT_EQ(task->request, 0u);
  p.send(p.says(say::decline, task->number));
  // It was used once.
  EXPECT_EQ(driver.wait(), 0);
  EXPECT_EQ(driver.first_line(), "1000") << driver.said();
  EXPECT_FALSE(p.await(say::task, 0));
}

// The task is lent on, and goes on when that has come back. Meanwhile the helper has given a lifeline, which brings
// work that it does not want any more. True if it asks anew as soon as it has nothing to do; it would ask anyway a
// second after the lifeline.
bool asks_after_declining() {
  server s;
  const message task = real_task(s, "300", "all_go_on");
  borrower helper(s);
  puppet lender(s.address(), 7), thief(s.address(), 8);  // its only neighbour is 7
  helper.take(lender, task);
  EXPECT_TRUE(thief.join_as_driver(heist_test::hcd::term{0, lender.me()}));  // of the same job
  const auto inner = thief.borrow();
  if (!inner) return false;
  const auto asked = [](const message& m) { return m.what == say::ask; };
  std::optional<message> ask;
  const auto refuse = [&](puppet& p) {
    if (!(ask = p.await(asked, 20)) || (ask->flags & flag::lifeline) != 0) return;
    message none = p.says(say::none);
    none.request = ask->request;
    p.send(none);
    ask.reset();
  };
  for (int tries = 0; tries < 100 && !ask; ++tries) {
    refuse(lender);
    if (!ask) refuse(thief);
  }
  if (!ask) return false;
  message back = thief.says(say::result, inner->number);
  back.content = heist_test::hcd::bytes{std::byte{44}, std::byte{1}, std::byte{}, std::byte{}};
  thief.send(back);
  nap(20);
  message unwanted = lender.says(say::task, 78);
  unwanted.function = task.function;
  unwanted.content = task.content;
  lender.send(unwanted);
  if (!lender.await(say::decline, 5000) || !lender.await(say::result)) return false;
  for (int tries = 0; tries < 10; ++tries)
    if (lender.await(asked, 20) || thief.await(asked, 20)) return true;
  return false;
}

TEST(cluster_members, a_helper_that_declines_what_a_lifeline_brings_asks_anew) {
  bool asks = false;
  for (int rounds = 0; rounds < 6 && !asks; ++rounds) asks = asks_after_declining();  // a busy machine may be late
  EXPECT_TRUE(asks);
}

TEST(cluster_members, a_result_comes_after_every_best_value_under_it) {
  server s;
  const message task = real_task(s, "300", "rush_elsewhere");
  borrower helper(s);
  puppet lender(s.address(), 7);
  helper.take(lender, task);
  int last = 0;
  for (;;) {
    const auto m = lender.await([](const message& any) { return any.what == say::best || any.what == say::result; });
    ASSERT_TRUE(m) << helper.said();
    if (m->what == say::result) break;
    ASSERT_GE(m->content.size(), sizeof last);
    std::memcpy(&last, m->content.data(), sizeof last);  // its value comes first
  }
  EXPECT_EQ(last, 1000);
}

TEST(cluster_members, a_machine_that_drains_is_sent_nothing_by_its_lifelines) {
  server s;
  node_process driver("driver", s, {"later", "1000"}, {{"HEIST_CLUSTER_STATUS", "1"}});
  driver.await("joined");
  puppet p(s.address(), 5);
  ASSERT_TRUE(p.join_as_helper());
  p.send(lifeline(p));
  p.send(p.says(say::drain));
  EXPECT_EQ(driver.wait(), 0);
  EXPECT_EQ(driver.first_line(), "1000") << driver.said();
  EXPECT_FALSE(p.await(say::task, 0));
}

TEST(cluster_members, a_number_is_never_used_again) {
  server s;
  node_process driver("driver", s, {"naps", "3000"}, {{"HEIST_CLUSTER_STATUS", "1"}});
  driver.await("joined");
  puppet p(s.address(), 5);
  ASSERT_TRUE(p.join_as_helper());
  std::uint64_t before = 0;
  for (int i = 0; i < 3; ++i) {
    const auto task = p.borrow();
    ASSERT_TRUE(task);
    EXPECT_GT(task->number, before);
    before = task->number;
    p.send(p.says(say::decline, task->number));
    nap(50);
  }
  EXPECT_EQ(driver.wait(), 0);
  EXPECT_EQ(driver.first_line(), "3000");
}

// Long before its borrower would be suspected.
TEST(cluster_members, what_a_pong_calls_missing_runs_at_home) {
  server s;
  node_process driver("driver", s, {"naps", "1000"}, {{"HEIST_CLUSTER_STATUS", "1"}, {"HEIST_CLUSTER_SUSPECT_MS", "1000000"}});
  driver.await("joined");
  puppet p(s.address(), 5);
  ASSERT_TRUE(p.join_as_helper());
  const auto task = p.borrow();
  ASSERT_TRUE(task);
  message pong = p.says(say::pong);
  pong.numbers = {task->number};
  p.send(pong);
  EXPECT_EQ(driver.wait(), 0);
  EXPECT_EQ(driver.first_line(), "1000") << driver.said();
}

TEST(cluster_members, a_result_that_its_lender_still_waits_for_is_sent_again) {
  server s;
  const message task = real_task(s, "3000");
  borrower helper(s);
  puppet p(s.address(), 7);
  helper.take(p, task);
  ASSERT_TRUE(p.await(say::result));
  message ping = p.says(say::ping);
  ping.numbers = {77};
  bool again = false;
  for (int tries = 0; tries < 100 && !again; ++tries) {
    p.send(ping);
    again = p.await(say::result, 100).has_value();
  }
  EXPECT_TRUE(again);
}

TEST(cluster_members, of_two_drivers_of_one_job_the_later_one_is_followed) {
  server s;
  node_process helper("helper", s, {"naps", "0"}, {{"HEIST_CLUSTER_STATUS", "1"}});
  helper.await("joined");
  puppet second(s.address(), 7), first(s.address(), 8);
  ASSERT_TRUE(first.join_as_driver());
  ASSERT_TRUE(second.join_as_driver());
  second.drives({2, 99});
  first.drives({1, 99});
  second.send(second.says(say::look));
  const auto told = second.await(say::figures);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->of.epoch, 2u);
}

TEST(cluster_members, a_machine_that_finds_another_one_gone_says_so_and_announces_what_it_has) {
  server s;
  const message task = real_task(s, "30000");
  borrower helper(s);
  puppet watching(s.address(), 8);
  auto lender = std::make_unique<puppet>(s.address(), 7);
  helper.take(*lender, task);
  nap(100);
  lender.reset();
  const auto lost = watching.await(say::lost);
  ASSERT_TRUE(lost) << helper.said();
  EXPECT_EQ(lost->number, 7u);
  const auto orphan = watching.await(say::orphan);
  ASSERT_TRUE(orphan);
  EXPECT_EQ(orphan->keys.size(), 1u);
}

TEST(cluster_members, what_was_taken_out_is_said_once_to_be_lost) {
  server s;
  const message task = real_task(s, "30000");
  borrower helper(s);
  puppet watching(s.address(), 8);
  auto lender = std::make_unique<puppet>(s.address(), 7);
  helper.take(*lender, task);
  watching.turn_to(lender->other());
  nap(100);
  lender.reset();
  ASSERT_TRUE(watching.await(say::lost)) << helper.said();
  nap(100);  // it is taken out
  message look = watching.says(say::look);
  look.from = 7;  // the helper answers to nobody
  for (int i = 0; i < 3; ++i) {
    watching.send(look);
    watching.send(watching.says(say::look));
    ASSERT_TRUE(watching.await(say::figures)) << helper.said();
  }
  EXPECT_FALSE(watching.await(say::lost, 200)) << helper.said();
}

TEST(cluster_members, what_another_one_says_is_lost_is_asked_and_not_believed) {
  server s;
  const message task = real_task(s, "30000");
  borrower helper(s);
  puppet watching(s.address(), 8);
  auto lender = std::make_unique<puppet>(s.address(), 7);
  helper.take(*lender, task);
  message ping = lender->says(say::ping);
  ping.numbers = {77};
  const auto probed = [](const message& m) { return m.what == say::ping && (m.flags & flag::probe) != 0; };
  const auto say_lost = [&] {
    message m = lender->says(say::lost, 7);
    m.from = watching.me();
    watching.send_to(lender->other(), m);
  };
  lender->send(ping);
  ASSERT_TRUE(lender->await(say::pong));
  say_lost();
  ASSERT_TRUE(lender->await(probed)) << helper.said();
  for (int i = 0; i < 20; ++i) {  // it answers
    lender->send(ping);
    nap(10);
  }
  EXPECT_FALSE(watching.await(say::orphan, 0));
  // Now it is true. It has been said already, so nobody says it again.
  say_lost();
  lender->forget();
  ASSERT_TRUE(lender->await(probed));
  lender.reset();
  EXPECT_TRUE(watching.await(say::orphan));
  EXPECT_FALSE(watching.await(say::lost, 200));
}

}  // namespace

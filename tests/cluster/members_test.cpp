// Lifelines, drains, epochs, peers that are lost, and results that are lost: the test is the other machine.

#include "puppet.hpp"
#include "support.hpp"

namespace {

using heist_test::hcd::message;
using heist_test::hcd::say;
using heist_test::nap;
using heist_test::node_process;
using heist_test::puppet;
using heist_test::server;
namespace flag = heist_test::hcd::flag;

// A task that a real driver has packed, for puppets that lend.
message real_task(const server& s, const std::string& milliseconds) {
  node_process driver("driver", s, {"naps", milliseconds}, {{"HEIST_CLUSTER_STATUS", "1"}});
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

// What a machine does with messages that it should not get, or gets twice, late, or never: the test is the other machine.

#include "puppet.hpp"
#include "support.hpp"

#include <cstdlib>
#include <cstring>

namespace {

using heist_test::hcd::message;
using heist_test::hcd::say;
using heist_test::nap;
using heist_test::node_process;
using heist_test::puppet;
using heist_test::server;
namespace flag = heist_test::hcd::flag;
using numbers = std::vector<std::uint64_t>;

// 50 calls that take `milliseconds` together, on two workers: so there is always one to be had for some time.
struct real_driver : node_process {
  explicit real_driver(const server& s, const std::string& milliseconds = "3000")
      : node_process("driver", s, {"naps", milliseconds}, {{"HEIST_CLUSTER_STATUS", "1"}}) {
    await("joined");
  }
  int value() const { return std::atoi(first_line().c_str()); }
};

TEST(cluster_protocol, a_probe_is_answered_by_a_ping_with_what_is_out_there) {
  server s;
  real_driver driver(s);
  puppet p(s.address(), 5);
  ASSERT_TRUE(p.join_as_helper());
  const auto task = p.borrow();
  ASSERT_TRUE(task);
  message probe = p.says(say::ping);
  probe.flags = flag::probe;
  p.send(probe);
  const auto ping = p.await(say::ping);
  ASSERT_TRUE(ping);
  EXPECT_EQ(ping->numbers, numbers{task->number});
  p.send(p.says(say::decline, task->number));
  // The last ping says that nothing is out. A borrower that has not heard it asks.
  const auto nothing = [](const message& m) { return m.what == say::ping && m.numbers.empty(); };
  ASSERT_TRUE(p.await(nothing));
  p.send(probe);
  EXPECT_TRUE(p.await(nothing));
  EXPECT_EQ(driver.wait(), 0);
  EXPECT_NE(driver.said().find("3000\n"), std::string::npos) << driver.said();
}

TEST(cluster_protocol, a_borrower_that_answers_no_ping_is_pinged_until_it_is_suspected) {
  server s;
  node_process driver("driver", s, {"naps", "3000"}, {{"HEIST_CLUSTER_SUSPECT_MS", "300"}, {"HEIST_CLUSTER_STATUS", "1"}});
  driver.await("joined");
  puppet p(s.address(), 5);
  ASSERT_TRUE(p.join_as_helper());
  const auto task = p.borrow();
  ASSERT_TRUE(task);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(p.await(say::ping));
  EXPECT_EQ(driver.wait(), 0);
  EXPECT_NE(driver.said().find("3000\n"), std::string::npos) << driver.said();
  EXPECT_NE(driver.said().find("home 1"), std::string::npos) << driver.said();
}

TEST(cluster_protocol, a_result_counts_once_and_only_from_its_borrower) {
  server s;
  real_driver driver(s);
  puppet p(s.address(), 5), stranger(s.address(), 6);
  ASSERT_TRUE(p.join_as_helper());
  ASSERT_TRUE(stranger.join_as_helper());
  const auto task = p.borrow();
  ASSERT_TRUE(task);
  auto result = [&](puppet& by, std::uint64_t number, int value) {
    message m = by.says(say::result, number);
    m.content.resize(sizeof value);
    std::memcpy(m.content.data(), &value, sizeof value);
    return m;
  };
  // Neither of another machine, nor of another number, nor of an older job.
  stranger.send(result(stranger, task->number, 1'000'000));
  p.send(result(p, task->number + 1000, 1'000'000));
  message old = result(p, task->number, 1'000'000);
  old.of.instance ^= 1;
  p.send(old);
  stranger.flush();
  p.send(result(p, task->number, 500'000));
  p.send(result(p, task->number, 1'000'000));
  EXPECT_EQ(driver.wait(), 0);
  // The calls that the task does not hold add at most 3000.
  EXPECT_GE(driver.value(), 500'000) << driver.said();
  EXPECT_LE(driver.value(), 503'000) << driver.said();
  EXPECT_NE(driver.said().find("returned 1"), std::string::npos) << driver.said();
}

// What is lent is of no use once an earlier branch has thrown, or everything was asked to stop.
TEST(cluster_protocol, a_failure_and_a_stop_reach_other_machines) {
  server s;
  const std::pair<std::vector<std::string>, std::string> roots[] = {{{"throws", "1"}, "one is out of range"}, {{"stopped", "1500"}, "-1"}};
  for (const auto& [root, outcome] : roots) {
    node_process driver("driver", s, root, {{"HEIST_CLUSTER_STATUS", "1"}});
    driver.await("joined");
    puppet p(s.address(), 5);
    ASSERT_TRUE(p.join_as_helper());
    const auto task = p.borrow();
    ASSERT_TRUE(task) << driver.said();
    const auto cancel = p.await(say::cancel);
    ASSERT_TRUE(cancel) << driver.said();
    EXPECT_EQ(cancel->number, task->number);
    driver.wait();
    EXPECT_EQ(driver.first_line(), outcome) << driver.said();
  }
}

// A task that a real driver has packed: the first that it lends.
std::optional<message> real_task(const server& s, const std::vector<std::string>& words) {
  node_process driver("driver", s, words, {{"HEIST_CLUSTER_STATUS", "1"}});
  driver.await("joined");
  puppet p(s.address(), 5);
  if (!p.join_as_helper()) return {};
  auto task = p.borrow();
  driver.signal(SIGKILL);
  driver.wait();
  return task;
}

// As an answer to a helper that asks.
void give(puppet& by, std::uint64_t number, const message& task) {
  const auto ask = by.await(say::ask);
  ASSERT_TRUE(ask);
  message m = by.says(say::task, number);
  m.request = ask->request;
  m.function = task.function;
  m.content = task.content;
  by.send(m);
}

TEST(cluster_protocol, a_task_that_is_no_longer_listed_is_stopped) {
  server s;
  // Fifty naps of 100 ms: it looks whether it is wanted more often than a helper that leaves waits for it to end.
  const auto task = real_task(s, {"naps", "5000"});
  ASSERT_TRUE(task);
  node_process helper("helper", s, {"naps", "0"}, {{"HEIST_CLUSTER_STATUS", "1"}, {"HEIST_CLUSTER_SUSPECT_MS", "100000"}});
  helper.await("joined");
  puppet p(s.address(), 7);
  ASSERT_TRUE(p.join_as_driver());
  give(p, 77, *task);
  message ping = p.says(say::ping);
  ping.numbers = {77, 78};
  p.send(ping);
  const auto pong = p.await(say::pong);
  ASSERT_TRUE(pong);
  EXPECT_EQ(pong->numbers, numbers{78});
  // Nothing is listed: it stops, and does not say so. Then the helper has nothing, and can leave at once.
  p.forget();
  ping.numbers.clear();
  p.send(ping);
  ASSERT_TRUE(p.await(say::pong));
  helper.signal(SIGTERM);
  EXPECT_EQ(helper.wait(), 0);
  EXPECT_FALSE(p.await(say::result, 0));
}

// A helper's orphan still runs when the next driver lends it a task that calls the same function.
TEST(cluster_protocol, a_helper_adopts_an_orphan_of_its_own) {
  server s;
  const auto last = real_task(s, {"middle", "1500"}), middle = real_task(s, {"chain", "1500"});  // which calls `last`
  ASSERT_TRUE(last && middle);
  ASSERT_EQ(last->content, middle->content);
  ASSERT_NE(last->function, middle->function);
  node_process helper("helper", s, {"naps", "0"}, {{"HEIST_CLUSTER_STATUS", "1"}, {"HEIST_WORKERS", "3"}, {"HEIST_CLUSTER_SUSPECT_MS", "100000"}});
  helper.await("joined");
  puppet next(s.address(), 8);
  {
    puppet first(s.address(), 7);
    ASSERT_TRUE(first.join_as_driver());
    give(first, 1, *last);
    ASSERT_TRUE(first.await(say::ask));  // it runs: the other worker is idle
    first.send_all(first.says(say::bye));
    first.flush();
    ASSERT_TRUE(next.await(say::orphan));
  }
  ASSERT_TRUE(next.join_as_driver(heist_test::hcd::term{1, 7}));
  give(next, 2, *middle);
  const auto result = next.await(say::result);
  ASSERT_TRUE(result);
  int value = 0;
  ASSERT_EQ(result->content.size(), sizeof value);
  std::memcpy(&value, result->content.data(), sizeof value);
  EXPECT_EQ(value, 3000);
  next.send_all(next.says(say::end));
  EXPECT_EQ(helper.wait(), 0);
}

// It becomes an orphan before it has begun, and is announced: then it must not wait for the orphan, which is itself.
TEST(cluster_protocol, a_borrowed_task_does_not_adopt_itself) {
  server s;
  const auto task = real_task(s, {"naps", "50"});
  ASSERT_TRUE(task);
  for (int round = 0; round < 10; ++round) {
    node_process helper("helper", s, {"naps", "0"}, {{"HEIST_CLUSTER_STATUS", "1"}, {"HEIST_WORKERS", "1"}, {"HEIST_CLUSTER_SUSPECT_MS", "100000"}});
    helper.await("joined");
    puppet next(s.address(), 8);
    std::optional<message> orphan;
    {
      puppet first(s.address(), 7);
      ASSERT_TRUE(first.join_as_driver());
      give(first, 1, *task);
      first.send_all(first.says(say::bye));
      first.flush();
      orphan = next.await(say::orphan);
      ASSERT_TRUE(orphan);
    }
    ASSERT_TRUE(next.join_as_driver(heist_test::hcd::term{1, 7}));
    message adopt = next.says(say::adopt, 5);
    adopt.keys = orphan->keys;
    next.send(adopt);
    const auto result = next.await(say::result);
    ASSERT_TRUE(result) << helper.said();
    EXPECT_EQ(result->flags, 0);
    next.send_all(next.says(say::end));
    EXPECT_EQ(helper.wait(), 0);
  }
}

// A result is kept until its lender has seen it; if the lender's last ping is lost, the helper asks for another. Otherwise it
// could never leave.
TEST(cluster_protocol, a_helper_that_drains_asks_a_silent_lender_what_it_waits_for) {
  server s;
  std::optional<message> task;
  {
    real_driver driver(s);
    puppet p(s.address(), 5);
    ASSERT_TRUE(p.join_as_helper());
    task = p.borrow();
    ASSERT_TRUE(task);
  }
  node_process helper("helper", s, {"naps", "0"}, {{"HEIST_CLUSTER_STATUS", "1"}, {"HEIST_CLUSTER_SUSPECT_MS", "100000"}});
  helper.await("joined");
  puppet p(s.address(), 7);
  ASSERT_TRUE(p.join_as_driver());
  const auto ask = p.await(say::ask);
  ASSERT_TRUE(ask);
  message give = p.says(say::task, 77);
  give.request = ask->request;
  give.function = task->function;
  give.content = task->content;
  p.send(give);
  ASSERT_TRUE(p.await(say::result));
  p.forget();
  helper.signal(SIGTERM);
  ASSERT_TRUE(p.await(say::drain));
  const auto probe = p.await(say::ping);
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->flags, flag::probe);
  EXPECT_TRUE(helper.running());
  p.send(p.says(say::ping));
  EXPECT_EQ(helper.wait(), 0);
}

}  // namespace

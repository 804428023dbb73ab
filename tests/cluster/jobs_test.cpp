// Jobs of several processes: the answer is that of one process, whoever dies meanwhile.

#include "support.hpp"

#include <heist/base/sanitizer.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>

namespace {

using heist_test::job;
using heist_test::nap;
using heist_test::node_process;
using heist_test::process;
using heist_test::server;

struct root {
  std::vector<std::string> command;
  std::string value;
};

std::string alone(const std::vector<std::string>& command) {
  std::vector<std::string> all{CLUSTER_PROGRAM};
  all.insert(all.end(), command.begin(), command.end());
  process p(all);
  EXPECT_EQ(p.wait(), 0);
  return p.first_line();
}

TEST(cluster, two_and_four_processes_give_the_answer_of_one) {
  server s;
  const std::vector<root> roots{{{"queens", "12"}, "14200"}, {{"fib", "33"}, "3524578"}, {{"plain", "33"}, "3524578"},
                                {{"tree", "1"}, alone({"tree_here", "1"})}, {{"loops", "2000"}, alone({"loops", "2000"})}};
  for (const root& r : roots)
    for (const std::size_t helpers : {1u, 3u}) {
      job j(s, helpers, r.command);
      EXPECT_EQ(j.driver->wait(), 0) << j.driver->said();
      EXPECT_EQ(j.driver->first_line(), r.value) << r.command[0] << " with " << helpers << " helpers";
      for (auto& h : j.helpers) EXPECT_EQ(h->wait(), 0) << h->said();
    }
}

// Those of the client's library, too: a handler of the program's runs on a thread of the program's.
TEST(cluster, threads_take_no_signals_but_those_that_they_cause) {
#if defined(HEIST_TSAN)
  GTEST_SKIP() << "ThreadSanitizer has a thread of its own, which takes none at all";
#endif
  server s;
  for (const std::string role : {"driver", "helper"}) {
    // Alone, a driver waits for peers.
    heist_test::node_process node(role, s, {"fib", "10"}, {{"TEST_WAIT_FOR_PEERS", "1"}});
    const std::filesystem::path tasks = "/proc/" + std::to_string(node.id()) + "/task";
    auto line_of = [](const std::filesystem::path& task, const std::string& name) {
      std::ifstream in(task / "status");
      for (std::string line; std::getline(in, line);)
        if (line.starts_with(name)) return line.substr(line.find('\t') + 1);
      return std::string();
    };
    auto all = [&] { return std::vector<std::filesystem::path>(std::filesystem::directory_iterator(tasks), {}); };
    auto the_agent_is_there = [&] {
      return std::ranges::any_of(all(), [&](const auto& t) { return line_of(t, "Name:") == "heist-agent"; });
    };
    for (int tries = 0; tries < 3000 && !the_agent_is_there() && node.running(); ++tries) heist_test::nap(10);
    ASSERT_TRUE(the_agent_is_there()) << node.said();
    // A thread that has just begun has all of them blocked for a moment.
    auto mask_of = [&](const std::filesystem::path& t) {
      constexpr std::uint64_t own = 1u << (SIGSEGV - 1) | 1u << (SIGBUS - 1) | 1u << (SIGFPE - 1);
      for (int tries = 0;; ++tries) {
        const std::string mask = line_of(t, "SigBlk:");
        if (mask.empty()) return std::optional<std::uint64_t>();
        const std::uint64_t blocked = std::stoull(mask, nullptr, 16);
        if ((blocked & own) == 0 || tries == 100) return std::optional(blocked);
        heist_test::nap(10);
      }
    };
    int others = 0;
    for (const auto& t : all()) {
      if (t.filename() == std::to_string(node.id())) continue;  // main
      const std::optional<std::uint64_t> blocked = mask_of(t);
      if (!blocked) continue;  // it has just ended
      ++others;
      for (const int signal : {SIGHUP, SIGINT, SIGUSR1, SIGALRM, SIGTERM, SIGCHLD})
        EXPECT_TRUE(*blocked >> (signal - 1) & 1) << role << ", " << line_of(t, "Name:") << ": " << signal;
      for (const int signal : {SIGSEGV, SIGBUS, SIGFPE})
        EXPECT_FALSE(*blocked >> (signal - 1) & 1) << role << ", " << line_of(t, "Name:") << ": " << signal;
    }
    EXPECT_GE(others, 3) << role;  // the agent's, and the client's
  }
}

TEST(cluster, work_is_lent_and_comes_back) {
  server s;
  job j(s, 2, {"naps", "1500"});
  EXPECT_EQ(j.driver->wait(), 0);
  EXPECT_EQ(j.driver->first_line(), "1500");
  EXPECT_GT(j.figure("lent"), 0);
  EXPECT_EQ(j.figure("lent"), j.figure("returned") + j.figure("home"));
}

TEST(cluster, helpers_that_have_several_workers_share_what_they_borrow) {
  server s;
  job j(s, 1, {"queens", "13"}, {{"HEIST_WORKERS", "3"}});
  EXPECT_EQ(j.driver->wait(), 0);
  EXPECT_EQ(j.driver->first_line(), "73712");
}

TEST(cluster, the_best_value_is_known_when_the_root_has_ended) {
  const std::string serial = alone({"best", "200"});
  server s;
  for (int round = 0; round < 3; ++round) {
    job j(s, 2, {"best", "200"});
    EXPECT_EQ(j.driver->wait(), 0) << j.driver->said();
    EXPECT_EQ(j.driver->first_line(), serial);
  }
}

TEST(cluster, best_values_are_those_of_one_root) {
  server s(server::keeps::notes);
  for (const std::string durable : {"0", "1"}) {
    job j(s, 2, {"problems"}, {{"HEIST_CLUSTER_DURABLE", durable}});
    j.must_give("1000199 200 200 ");
    EXPECT_GT(j.figure("lent"), 0);
  }
}

TEST(cluster, a_helper_that_is_killed_loses_nothing) {
  server s;
  job j(s, 3, {"naps", "3000"});
  j.await_root();
  nap(400);
  j.helpers[0]->signal(SIGKILL);
  nap(200);
  j.helpers[1]->signal(SIGKILL);
  EXPECT_EQ(j.driver->wait(), 0);
  EXPECT_EQ(j.driver->first_line(), "3000");
  EXPECT_EQ(j.helpers[2]->wait(), 0);
}

TEST(cluster, one_helper_after_the_other_joins_and_dies) {
  server s;
  node_process driver("driver", s, {"naps", "3000"});
  for (int i = 0; i < 6 && driver.running(); ++i) {
    node_process helper("helper", s, {"naps", "0"});
    nap(150);
    helper.signal(SIGKILL);
  }
  EXPECT_EQ(driver.wait(), 0);
  EXPECT_EQ(driver.first_line(), "3000");
}

// What a process said of its space last.
struct space {
  explicit space(const std::string& said) {
    const auto at = said.rfind("space of ");
    if (at == std::string::npos || std::sscanf(said.c_str() + at, "space of %zu seats: waiting_peak %zu stacks_peak %zu stack_bytes_peak %zu",
                                               &seats, &waiting, &stacks, &bytes) != 4)
      ADD_FAILURE() << "it says nothing of its space: " << said;
  }
  std::size_t seats = 0, waiting = 0, stacks = 0, bytes = 0;
};

// A lent branch is a strand that waits; what was borrowed waits at the other machine, so that it borrows many at once.
TEST(cluster, space_is_workers_and_loans_times_the_serial_stack) {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
  GTEST_SKIP() << "a sanitizer's frames are not the program's";
#endif
  constexpr std::size_t KiB = 1024, frames = 8 * 64 * KiB;  // of program.cpp's down()
  process serial({CLUSTER_PROGRAM, "wide", "60"}, {{"HEIST_WORKERS", "1"}});
  ASSERT_EQ(serial.wait(), 0) << serial.said();
  const std::size_t s1 = space(serial.said()).bytes;
  EXPECT_GE(s1, frames);
  EXPECT_LE(s1, frames + 128 * KiB);
  server s;
  for (const char* const workers : {"1", "3"}) {
    job j(s, 1, {"wide", "60"}, {{"HEIST_WORKERS", workers}});
    EXPECT_EQ(j.driver->wait(), 0) << j.driver->said();
    EXPECT_EQ(j.driver->first_line(), "60");
    EXPECT_EQ(j.helpers[0]->wait(), 0);
    const space lender(j.driver->said()), borrower(j.helpers[0]->said());
    for (const auto& [who, of] : {std::pair{"lender", lender}, std::pair{"borrower", borrower}}) {
      const std::size_t bound = (of.seats + of.waiting) * s1;
      std::printf("%s, %s workers: %zu loans at once, %zu KiB at most, (P + loans)·S1 = %zu KiB\n", who, workers, of.waiting,
                  of.bytes / KiB, bound / KiB);
      EXPECT_LE(of.bytes, bound + (of.stacks + 2 * of.seats) * 24 * KiB) << who;
      EXPECT_GE(of.waiting, 3u) << who << ": so few loans show nothing";
    }
    EXPECT_GE(borrower.bytes, borrower.waiting * frames);  // all of them were there at once
    EXPECT_LE(borrower.waiting, static_cast<std::size_t>(j.figure("lent")));
    // A loan's strand is at its lender a small one.
    EXPECT_LE(lender.bytes, lender.seats * s1 + (lender.stacks + 2 * lender.seats) * 24 * KiB);
  }
}

// Three machines in a row: the one in the middle dies, and what the last one computes is not computed again.
TEST(cluster, what_a_dead_machine_had_lent_on_is_adopted) {
  server s;
  for (int round = 0; round < 5; ++round) {
    job j(s, 2, {"chain", "1500"});
    auto said = [&](std::size_t helper, const char* text) { return j.helpers[helper]->said().find(text) != std::string::npos; };
    auto last_at = [&]() -> std::size_t { return said(0, "last") ? 0 : said(1, "last") ? 1 : 2; };
    while (last_at() == 2 && j.driver->running()) nap(5);
    const std::size_t at = last_at();
    if (at == 2 || said(at, "middle") || !said(1 - at, "middle")) continue;  // lent otherwise: try again
    j.helpers[1 - at]->signal(SIGKILL);
    EXPECT_EQ(j.driver->wait(), 0);
    EXPECT_NE(j.driver->said().find("4500\n"), std::string::npos) << j.driver->said();
    EXPECT_EQ(j.helpers[at]->wait(), 0);
    const std::string all = j.driver->said() + j.helpers[at]->said();
    EXPECT_EQ(all.find("last begins"), all.rfind("last begins")) << "it was computed twice";
    return;
  }
  ADD_FAILURE() << "the work was never lent on";
}

TEST(cluster, a_helper_that_is_silent_is_suspected_and_its_late_result_dropped) {
  server s;
  job j(s, 1, {"naps", "3000"}, {{"HEIST_CLUSTER_SUSPECT_MS", "200"}});
  j.await_root();
  nap(500);
  j.helpers[0]->signal(SIGSTOP);
  nap(800);
  j.helpers[0]->signal(SIGCONT);
  EXPECT_EQ(j.driver->wait(), 0);
  EXPECT_EQ(j.driver->first_line(), "3000");
  EXPECT_EQ(j.helpers[0]->wait(), 0);
}

TEST(cluster, a_helper_that_drains_ends_with_what_it_has) {
  server s;
  job j(s, 2, {"naps", "2000"});
  j.await_root();
  nap(400);
  j.helpers[0]->signal(SIGTERM);
  EXPECT_EQ(j.helpers[0]->wait(), 0);
  EXPECT_EQ(j.driver->wait(), 0);
  EXPECT_EQ(j.driver->first_line(), "2000");
}

TEST(cluster, a_server_that_is_killed_and_started_again_does_not_end_the_job) {
  server s;
  job j(s, 2, {"naps", "3000"});
  j.await_root();
  nap(400);
  s.kill();
  nap(100);
  s.start();
  EXPECT_EQ(j.driver->wait(), 0) << j.driver->said();
  EXPECT_EQ(j.driver->first_line(), "3000");
  for (auto& h : j.helpers) EXPECT_EQ(h->wait(), 0) << h->said();
}

TEST(cluster, without_its_server_the_driver_goes_on_and_helpers_give_up) {
  server s;
  job j(s, 1, {"naps", "1500"}, {{"HEIST_CLUSTER_SUSPECT_MS", "200"}, {"HEIST_CLUSTER_GIVE_UP_MS", "300"}});
  j.await_root();
  nap(300);
  s.kill();
  EXPECT_EQ(j.helpers[0]->wait(), 1);
  EXPECT_NE(j.helpers[0]->said().find("the server has been gone for 300 ms; this helper gives up"), std::string::npos);
  EXPECT_EQ(j.driver->wait(), 0);
  EXPECT_EQ(j.driver->first_line(), "1500");
}

TEST(cluster, a_helper_serves_one_driver_after_the_other) {
  server s;
  node_process helper("helper", s, {"fib", "0"});
  job first(s, 0, {"naps", "5000"});
  first.await_root();
  nap(200);
  first.driver->signal(SIGKILL);
  first.driver->wait();
  job second(s, 0, {"fib", "32"}, {{"TEST_WAIT_FOR_PEERS", "1"}});
  EXPECT_EQ(second.driver->wait(), 0) << second.driver->said();
  EXPECT_EQ(second.driver->first_line(), "2178309");
  EXPECT_EQ(helper.wait(), 0);
}

TEST(cluster, helpers_without_a_root_say_nothing) {
  server s;
  std::vector<std::unique_ptr<node_process>> helpers;
  for (int i = 0; i < 4; ++i)
    helpers.push_back(std::make_unique<node_process>("helper", s, std::vector<std::string>{"fib", "0"},
                                                     std::map<std::string, std::string>{{"HEIST_CLUSTER_STATUS", "1"}}));
  for (auto& h : helpers) h->await("joined");
  nap(300);
  const long before = s.messages();
  EXPECT_GE(before, 4);
  nap(1500);
  EXPECT_EQ(s.messages(), before);
}

// With notes ------------------------------------------------------------------------------------------------------------

const std::map<std::string, std::string> durable{{"HEIST_CLUSTER_DURABLE", "1"}};

TEST(cluster, a_driver_that_is_killed_goes_on_from_its_notes) {
  server s(server::keeps::notes);
  auto before = std::make_unique<job>(s, 1, std::vector<std::string>{"stretches", "12"}, durable);
  before->driver->await("stretch 5 begins");
  before->driver->signal(SIGKILL);
  before->driver->wait();
  node_process again("driver", s, {"stretches", "12"}, durable);
  EXPECT_EQ(again.wait(), 0) << again.said();
  EXPECT_NE(again.said().find("78\n"), std::string::npos) << again.said();
  EXPECT_EQ(again.said().find("stretch 1 begins"), std::string::npos) << "it is in the notes";
  EXPECT_EQ(before->helpers[0]->wait(), 0) << before->helpers[0]->said();
}

TEST(cluster, a_best_value_outlives_the_driver_that_found_it) {
  server s(server::keeps::notes);
  {
    node_process first("driver", s, {"climbs", "6"}, durable);
    first.await("climb 3 begins");
    first.signal(SIGKILL);
    first.wait();
  }
  node_process again("driver", s, {"climbs", "6"}, durable);
  EXPECT_EQ(again.wait(), 0) << again.said();
  EXPECT_EQ(again.first_line(), "6 999 1") << again.said();
  EXPECT_EQ(again.said().find("climb 1 begins"), std::string::npos) << "it is in the notes";
}

TEST(cluster, a_durable_job_is_not_taken_over_by_another) {
  server s(server::keeps::notes);
  {
    node_process first("driver", s, {"stretches", "12"}, durable);
    first.await("stretch 2 begins");
    first.signal(SIGKILL);
    first.wait();
  }
  node_process other("driver", s, {"stretches", "11"}, durable);
  EXPECT_EQ(other.wait(), 3);
  EXPECT_EQ(other.said(), "heist: cluster: this durable job has begun with another build, function or arguments; finish it, or choose "
                          "another name\n");
}

TEST(cluster, notes_die_with_the_job) {
  server s(server::keeps::notes);
  for (int round = 0; round < 2; ++round) {
    node_process driver("driver", s, {"stretches", "2"}, durable);
    EXPECT_EQ(driver.wait(), 0) << driver.said();
    EXPECT_NE(driver.said().find("stretch 1 begins"), std::string::npos);
    EXPECT_EQ(s.kept(), 1) << "only the entry of the driver stays";
  }
}

// Cut off, overtaken, and back while a later job of that name runs: it must not take that job's entry for its own.
TEST(cluster, a_driver_that_was_cut_off_returns_nothing_though_another_job_has_begun) {
  server s(server::keeps::notes);
  node_process cut_off("driver", s, {"stretches", "3"}, durable);
  cut_off.await("stretch 1 begins");
  cut_off.signal(SIGSTOP);
  node_process successor("driver", s, {"stretches", "3"}, durable);
  EXPECT_EQ(successor.wait(), 0) << successor.said();
  EXPECT_EQ(successor.first_line(), "6");
  node_process later("driver", s, {"stretches", "12"}, durable);
  later.await("stretch 1 begins");
  cut_off.signal(SIGCONT);
  EXPECT_EQ(cut_off.wait(), 3) << cut_off.said();
  EXPECT_NE(cut_off.said().find("another driver has taken the durable job test over; this one returns nothing"), std::string::npos)
      << cut_off.said();
  EXPECT_EQ(later.wait(), 0) << later.said();
  EXPECT_EQ(later.first_line(), "78");
}

// Without its server it cannot know whether another driver has taken the job over: it waits, and then returns its value.
TEST(cluster, a_durable_driver_ends_though_its_server_was_away) {
  server s(server::keeps::notes);
  node_process driver("driver", s, {"stretches", "3"}, durable);
  driver.await("stretch 3 begins");
  s.kill();
  nap(6000);  // longer than an attempt, and a look whether it was done, wait for an answer
  s.start();
  EXPECT_EQ(driver.wait(), 0) << driver.said();
  EXPECT_EQ(driver.first_line(), "6") << driver.said();
}

TEST(cluster, a_durable_driver_whose_server_is_gone_for_good_returns_nothing) {
  server s(server::keeps::notes);
  node_process driver("driver", s, {"stretches", "2"}, {{"HEIST_CLUSTER_DURABLE", "1"}, {"HEIST_CLUSTER_GIVE_UP_MS", "500"}});
  driver.await("stretch 2 begins");
  s.kill();
  EXPECT_EQ(driver.wait(), 3) << driver.said();
  EXPECT_NE(driver.said().find("the server does not say who drives the durable job test; this driver returns nothing; start it again"),
            std::string::npos)
      << driver.said();
}

// The other one returned, or threw, what there is.
TEST(cluster, a_driver_that_was_overtaken_throws_nothing_of_its_root) {
  server s(server::keeps::notes);
  node_process cut_off("driver", s, {"fails", "1"}, durable);
  cut_off.await("stretch 1 begins");
  cut_off.signal(SIGSTOP);
  node_process successor("driver", s, {"fails", "1"}, durable);
  EXPECT_EQ(successor.wait(), 3) << successor.said();
  EXPECT_EQ(successor.first_line(), "the root fails");
  cut_off.signal(SIGCONT);
  EXPECT_EQ(cut_off.wait(), 3) << cut_off.said();
  EXPECT_NE(cut_off.said().find("another driver has taken the durable job test over; this one returns nothing"), std::string::npos)
      << cut_off.said();
}

TEST(cluster, what_a_lost_helper_has_noted_is_not_computed_again) {
  server s(server::keeps::notes);
  job j(s, 1, {"stretches", "16"}, durable);
  const auto begun = [&] {  // by the helper
    std::vector<std::string> all;
    std::istringstream said(j.helpers[0]->said());
    for (std::string line; std::getline(said, line);) all.push_back(line);
    return all;
  };
  while (begun().size() < 4 && j.driver->running()) nap(5);
  j.helpers[0]->signal(SIGKILL);
  j.helpers[0]->wait();
  EXPECT_EQ(j.driver->wait(), 0) << j.driver->said();
  EXPECT_EQ(j.driver->first_line(), "136") << j.driver->said();
  ASSERT_GE(begun().size(), 4u);
  // The first has ended, and is noted. While it was, another thread may have begun the second.
  EXPECT_EQ(j.driver->said().find(begun()[0] + "\n"), std::string::npos) << j.helpers[0]->said() << j.driver->said();
}

TEST(cluster, a_durable_job_needs_a_server_that_keeps_things) {
  server s;
  node_process driver("driver", s, {"stretches", "2"}, durable);
  EXPECT_EQ(driver.wait(), 3);
  EXPECT_EQ(driver.said(), "heist: cluster: a durable job needs a server that keeps things; start it with JetStream (nats-server -js)\n");
}

}  // namespace

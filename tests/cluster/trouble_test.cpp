// What goes wrong gets one line, or one exception, and nothing worse.

#include "support.hpp"

#include <heist/base/sanitizer.hpp>

#include <algorithm>

namespace {

using heist_test::job;
using heist_test::nap;
using heist_test::node_process;
using heist_test::process;
using heist_test::server;

long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(cluster_trouble, no_server) {
  const std::string at = "nats://secret@127.0.0.1:" + std::to_string(heist_test::free_port()) + "/test";
  process p({CLUSTER_PROGRAM, "fib", "20"}, {{"HEIST_CLUSTER", at}});
  EXPECT_EQ(p.wait(), 3);
  EXPECT_NE(p.said().find("heist: cluster: no server at nats://127.0.0.1:"), std::string::npos) << p.said();
  EXPECT_EQ(lines(p.said()), 1);
}

TEST(cluster_trouble, wrong_token) {
  server s;
  process p({CLUSTER_PROGRAM, "fib", "20"}, {{"HEIST_CLUSTER", s.address("guess")}});
  EXPECT_EQ(p.wait(), 3);
  EXPECT_NE(p.said().find("does not accept this token"), std::string::npos) << p.said();
  EXPECT_EQ(p.said().find("guess"), std::string::npos);  // a secret stays one
  EXPECT_EQ(lines(p.said()), 1);
}

TEST(cluster_trouble, another_build) {
  server s;
  node_process stranger("helper", s, {"naps", "0"}, {}, CLUSTER_PROGRAM_OTHER);
  job j(s, 1, {"naps", "600"});
  EXPECT_EQ(stranger.wait(), 1);
  EXPECT_NE(stranger.said().find("this program is another build than the driver of test"), std::string::npos) << stranger.said();
  EXPECT_EQ(lines(stranger.said()), 1);
  EXPECT_EQ(j.driver->wait(), 0);
  EXPECT_EQ(j.driver->first_line(), "600");
}

TEST(cluster_trouble, two_drivers) {
  server s;
  node_process first("driver", s, {"naps", "1000"}, {{"HEIST_CLUSTER_STATUS", "1"}});
  first.await("joined");
  node_process second("driver", s, {"naps", "1000"});
  EXPECT_EQ(second.wait(), 3);
  EXPECT_EQ(second.said(), "heist: cluster: the job test has a driver already\n");
  EXPECT_EQ(first.wait(), 0);
}

TEST(cluster_trouble, of_two_drivers_at_once_one_is_refused) {
  server s;
  for (int round = 0; round < 5; ++round) {
    node_process a("driver", s, {"naps", "500"}), b("driver", s, {"naps", "500"});
    EXPECT_EQ(a.wait() + b.wait(), 3) << a.said() << b.said();
  }
}

TEST(cluster_trouble, a_task_that_throws) {
  server s;
  for (const auto& [what, text] : {std::pair{"1", "one is out of range"}, {"2", "two runs"}}) {
    job j(s, 2, {"throws", what});
    EXPECT_EQ(j.driver->wait(), 3);
    EXPECT_EQ(j.driver->said(), std::string(text) + "\nthe root begins\n");
    for (auto& h : j.helpers) EXPECT_EQ(h->wait(), 0);
  }
}

TEST(cluster_trouble, arguments_and_results_that_are_too_large_run_at_home) {
  server s;
  job arguments(s, 1, {"large", "200000"}, {{"HEIST_CLUSTER_MOST_BYTES", "100000"}});
  EXPECT_EQ(arguments.driver->wait(), 0);
  EXPECT_NE(arguments.driver->said().find("800000\n"), std::string::npos);
  EXPECT_NE(arguments.driver->said().find("take more than the 100000 bytes that may travel; it runs at home"), std::string::npos)
      << arguments.driver->said();
  EXPECT_EQ(arguments.helpers[0]->wait(), 0);
  job results(s, 1, {"large_results", "200000"}, {{"HEIST_CLUSTER_MOST_BYTES", "100000"}});
  EXPECT_EQ(results.driver->wait(), 0);
  EXPECT_NE(results.driver->said().find("1600000\n"), std::string::npos) << results.driver->said();
}

TEST(cluster_trouble, arguments_of_a_gibibyte) {
  server s;
  job j(s, 1, {"huge", "1073741824"});
  EXPECT_EQ(j.driver->wait(), 0);
  EXPECT_EQ(j.driver->first_line(), "1073742824") << j.driver->said();
  EXPECT_NE(j.driver->said().find("heist: cluster: the arguments of length take more than the "), std::string::npos) << j.driver->said();
  EXPECT_EQ(j.helpers[0]->wait(), 0) << j.helpers[0]->said();
}

// The day's clock goes forth and back by an hour, in all processes.
TEST(cluster_trouble, a_clock_that_jumps) {
#if defined(HEIST_ASAN) || defined(HEIST_TSAN)
  GTEST_SKIP() << "a sanitizer's runtime wants to be loaded first";
#endif
  server s(server::keeps::notes);
  job j(s, 2, {"naps", "2000"}, {{"LD_PRELOAD", JUMPING_CLOCK}, {"HEIST_CLUSTER_DURABLE", "1"}});
  j.must_give("2000");
  EXPECT_GT(j.figure("returned"), 0) << j.driver->said();
  EXPECT_EQ(j.figure("home"), 0) << "nobody was suspected: " << j.driver->said();
}

TEST(cluster_trouble, a_result_that_cannot_be_decoded_is_computed_at_home) {
  server s;
  job j(s, 2, {"bent", "30"});
  EXPECT_EQ(j.driver->wait(), 0);
  EXPECT_NE(j.driver->said().find("435\n"), std::string::npos) << j.driver->said();
  EXPECT_NE(j.driver->said().find("heist: cluster: a result of bend could not be decoded; the task runs at home\n"), std::string::npos)
      << j.driver->said();
}

// A program of one machine would not notice: so no failure of the task's.
TEST(cluster_trouble, arguments_and_results_of_types_that_throw_run_at_home) {
  server s;
  job j(s, 2, {"shies", "30"});
  EXPECT_EQ(j.driver->wait(), 0) << j.driver->said();
  EXPECT_EQ(j.driver->first_line(), "-30") << j.driver->said();
  EXPECT_NE(j.driver->said().find("could not be unpacked on another machine; the task runs at home"), std::string::npos)
      << j.driver->said();
  EXPECT_GT(j.figure("home"), 0) << j.driver->said();
}

TEST(cluster_trouble, settings_that_make_no_sense) {
  auto said = [](const std::map<std::string, std::string>& environment) {
    process p({CLUSTER_PROGRAM, "fib", "20"}, environment);
    EXPECT_EQ(p.wait(), 3);
    EXPECT_EQ(lines(p.said()), 1);
    return p.said();
  };
  EXPECT_NE(said({{"HEIST_CLUSTER", "here"}}).find("the form is nats://token@host:port/job"), std::string::npos);
  EXPECT_NE(said({{"HEIST_CLUSTER", "nats://a@b:1/a.b"}}).find("the job's name has 1 to 64 letters"), std::string::npos);
  EXPECT_EQ(said({{"HEIST_CLUSTER", "nats://me:secret@b:1"}}).find("secret"), std::string::npos);  // it may go to a log
  EXPECT_NE(said({{"HEIST_CLUSTER_ROLE", "boss"}}).find("driver or helper is wanted"), std::string::npos);
  EXPECT_NE(said({{"HEIST_CLUSTER_ROLE", "helper"}}).find("a role is set, but no server"), std::string::npos);
}

TEST(cluster_trouble, a_task_that_is_not_registered) {
  process p({CLUSTER_PROGRAM_UNREGISTERED}, {});
  EXPECT_EQ(p.wait(), 3);
  EXPECT_EQ(p.said(), "heist: cluster: the task forgotten is not registered; write HEIST_CLUSTER_TASK(forgotten) after the function\n");
}

}  // namespace

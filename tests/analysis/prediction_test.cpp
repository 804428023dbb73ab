// What a prediction is made of besides the replay: the recorder's cost taken off, machines of several nodes, times of
// waking that differ.

#include <analysis/dag/random.hpp>
#include <analysis/replay/recorder_cost.hpp>
#include <analysis/replay/replay.hpp>
#include <analysis/replay/spread.hpp>
#include <heist/meter/recording.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace {

using namespace heist::analysis;
using heist::detail::recording;

std::string file(recording& r, const std::string& more = "") {
  const std::vector<unsigned char>& steps = r.finished();
  return "heist recording 1\n{\"ns_per_tick\": 1, \"bytes\": " + std::to_string(steps.size()) + more + "}\n" +
         std::string(steps.begin(), steps.end());
}

// A tree of forks whose strands were each made longer by a third of `charged`.
void tree(recording& r, int depth, std::uint64_t charged, stream& random, double& work) {
  const auto strand = [&] {
    const std::uint64_t length = 3 + random.below(300);
    work += static_cast<double>(length);
    r.strand(length + charged / 3);
  };
  strand();
  if (depth == 0) return;
  r.fork();
  tree(r, depth - 1, charged, random, work);
  r.second();
  tree(r, depth - 1, charged, random, work);
  r.join();
}

double time_on(const recorded_run& run, const machine_costs& costs, std::uint32_t workers,
               stealing how = stealing::ask) {
  return replay(run, costs, workers, 1, how).time;
}

TEST(RecorderCost, IsFoundAndTakenOffEachStrand) {
  recording::begin(0);
  for (const std::uint64_t charged : {0u, 30u, 300u}) {
    recording r;
    stream random(charged + 1);
    double work = 0;
    tree(r, 8, charged, random, work);
    const recorded_run as_it_was = parse_recording(file(r), "test");
    const recorder_cost cost(as_it_was, work);
    EXPECT_NEAR(cost.per_fork(), static_cast<double>(charged), 1e-6 * work);
    const double forks = cost_of_forks(as_it_was, 2, 15);
    EXPECT_EQ(forks, 2. * static_cast<double>(as_it_was.all_forks));
    const recorded_run mended = parse_recording(file(r), "test", {.fork = 2, .spawn = 15, .time = work + forks});
    EXPECT_NEAR(mended.work, work, 1e-4 * work);
    EXPECT_LE(mended.span, as_it_was.span);
    machine_costs c;
    EXPECT_NEAR(time_on(mended, c, 1), work + forks, 1e-4 * work);
  }
}

TEST(RecorderCost, NeverMakesAStrandNegative) {
  recording::begin(0);
  recording r;
  r.strand(10);
  r.fork();
  r.strand(1000);
  r.second();
  r.strand(10);
  r.join();
  const recorded_run run = parse_recording(file(r), "test", {.fork = 0, .spawn = 0, .time = 500});
  EXPECT_NEAR(run.work, 500, 1e-3);
  for (const recorded_step& s : run.steps) EXPECT_GE(s.ns, 0);
}

TEST(RecorderCost, ReadsTheLeastPlainTimeFromTheRecording) {
  recording::begin(0);
  recording r;
  stream random(5);
  double work = 0;
  tree(r, 6, 90, random, work);
  const double forks = 2. * static_cast<double>(parse_recording(file(r), "test").all_forks);
  const std::string times = ", \"plain_ns\": [1e9, " + std::to_string(work + forks) + ", 2e9]";
  const recorded_run run = parse_recording(file(r, times), "test");
  ASSERT_EQ(run.plain.size(), 3u);
  EXPECT_NEAR(run.work, work, 1e-4 * work);
  EXPECT_THROW(parse_recording(file(r, ", \"plain_ns\": [-1]"), "test"), std::exception);
}

// Other programs had the core while it ran unrecorded; or it did something else.
TEST(RecorderCost, DoesNotBelievePlainTimesThatCannotBe) {
  recording::begin(0);
  recording r;
  stream random(6);
  double work = 0;
  tree(r, 3, 0, random, work);
  const recorded_run as_it_was = parse_recording(file(r), "test");
  EXPECT_EQ(parse_recording(file(r, ", \"plain_ns\": [1e9]"), "test").work, as_it_was.work);
  recording long_one;
  long_one.strand(1'000'000);
  long_one.fork();
  long_one.strand(1'000'000);
  long_one.second();
  long_one.strand(1'000'000);
  long_one.join();
  EXPECT_NEAR(parse_recording(file(long_one, ", \"plain_ns\": [1000]"), "test").work, 2'999'000, 1);
}

// Two nodes of two workers. Only what crosses the border gets dearer, by any way to steal.
TEST(Nodes, MakeStealsFromTheOtherDearer) {
  recording::begin(0);
  recording r;
  stream random(9);
  double work = 0;
  tree(r, 9, 0, random, work);
  const recorded_run run = parse_recording(file(r), "test");
  for (const stealing how : {stealing::flat, stealing::fence, stealing::ask}) {
    machine_costs c;
    c.steal = c.claim = c.fence = 100;
    c.answer = 25;
    c.interrupt = 0;
    const double one_node = time_on(run, c, 4, how), two_workers = time_on(run, c, 2, how);
    c.cores_per_node = 2;
    EXPECT_EQ(time_on(run, c, 4, how), one_node);
    c.farther.steal = c.farther.claim = c.farther.fence = 20'000;
    EXPECT_GT(time_on(run, c, 4, how), one_node);
    EXPECT_EQ(time_on(run, c, 2, how), two_workers);  // they are in one
  }
}

TEST(Waking, TakesOneOfTheTimesThatWereSeen) {
  recording::begin(0);
  recording r;
  r.fork();
  r.strand(1'000'000);
  r.second();
  r.strand(1'000'000);
  r.join();
  const recorded_run run = parse_recording(file(r), "test");
  machine_costs c;
  c.fork = c.look = c.steal = c.claim = c.resume = 0;
  c.asleep_at_first = true;
  c.wakes = {100'000, 300'000};
  int early = 0, late = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const double time = replay(run, c, 2, seed, stealing::flat).time;
    early += std::abs(time - 1'100'000) < 1;
    late += std::abs(time - 1'300'000) < 1;
  }
  EXPECT_EQ(early + late, 40);
  EXPECT_GT(early, 8);
  EXPECT_GT(late, 8);
}

// Thieves that prefer their node rob others less often; and the computation is the same.
TEST(Machine, OfSeveralNodesHasFewerFarStealsIfVictimsAreNear) {
  recording::begin(0);
  recording r;
  stream random(11);
  double work = 0;
  tree(r, 12, 0, random, work);
  const recorded_run run = parse_recording(file(r), "test");
  machine_costs costs;
  costs.cores_per_node = 4;
  costs.wake = 0;
  costs.farther = {.steal = 0, .claim = 100'000, .fence = 100'000};
  double uniform = 0, near = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    costs.near_victims = false;
    uniform += replay(run, costs, 16, seed, stealing::ask).time;
    costs.near_victims = true;
    near += replay(run, costs, 16, seed, stealing::ask).time;
  }
  EXPECT_LT(near, uniform);
}

// Delays that are exponential, of few runs and of many: one run in 40 takes longer than the spread says.
TEST(Spread, OfFewRunsCoversNearlyAllOthers) {
  stream random(7);
  const auto time = [&] { return 100 - 10 * std::log1p(-random.unit()); };
  for (const std::size_t n : {3u, 5u, 20u}) {
    int longer = 0;
    constexpr int trials = 4000;
    for (int i = 0; i < trials; ++i) {
      std::vector<double> times(n);
      for (double& t : times) t = time();
      longer += time() > *std::min_element(times.begin(), times.end()) * (1 + spread_of(times));
    }
    EXPECT_LT(longer, 0.11 * trials) << n;
    EXPECT_GT(longer, 0.005 * trials) << n;
  }
  EXPECT_EQ(spread_of({}), 0);
  EXPECT_EQ(spread_of({5}), 0);
  EXPECT_EQ(spread_of({5, 5, 5}), 0);
}

// Every tenth slice takes three times as long: a run of one slice may be that, a long one has its share of them.
TEST(Slices, DelayShortRunsMoreThanLongOnes) {
  std::vector<double> ns(100, 10.);
  for (std::size_t i = 5; i < ns.size(); i += 10) ns[i] = 30;
  const slices s(ns);
  EXPECT_NEAR(s.slower(1), 2, 1e-9);
  EXPECT_NEAR(s.slower(100), 0.2, 1e-9);
  EXPECT_NEAR(s.slower(1e9), 0.2, 1e-9);
  EXPECT_EQ(s.quicker(), 0);
  EXPECT_EQ(slices().slower(1), 0);
}

}  // namespace

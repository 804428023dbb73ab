// Replays in which thieves ask and fence: what is counted, and when it happens, in computations small enough to follow.

#include <analysis/dag/measure.hpp>
#include <analysis/replay/invented.hpp>
#include <analysis/replay/replay.hpp>
#include <analysis/replay/split_deque.hpp>
#include <heist/meter/recording.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace {

using namespace heist::analysis;
using heist::detail::recording;

// Written as the program forks: fork(first, second), and strands of so many nanoseconds.
class program {
 public:
  program() { recording::begin(0); }

  program& strand(std::uint64_t ns) {
    r_.strand(ns);
    return *this;
  }
  program& fork(const std::function<void(program&)>& first, const std::function<void(program&)>& second) {
    r_.fork();
    first(*this);
    r_.second();
    second(*this);
    r_.join();
    return *this;
  }
  recorded_run run() {
    const std::vector<unsigned char>& steps = r_.finished();
    return parse_recording("heist recording 1\n{\"ns_per_tick\": 1, \"bytes\": " + std::to_string(steps.size()) +
                               "}\n" + std::string(steps.begin(), steps.end()),
                           "test");
  }

 private:
  recording r_;
};

std::function<void(program&)> strand(std::uint64_t ns) {
  return [=](program& p) { p.strand(ns); };
}

// Forks, looks, resumptions and waking are free, so that times can be added up by hand.
machine_costs small() {
  machine_costs c;
  c.fork = c.spawn = c.look = c.resume = c.wake = 0;
  c.claim = 10;
  c.fence = 400;
  c.answer = 100;
  c.interrupt = 7;
  return c;
}

replayed on_two(const recorded_run& run, stealing how) { return replay(run, small(), 2, 1, how); }

recorded_run fib() { return invent_run(*open_computation("fib:20"), 100); }

TEST(SplitDeque, SharesTheOlderHalfRoundedUp) {
  split_deque d;
  for (std::uint32_t i = 0; i < 5; ++i) d.push(i);
  EXPECT_EQ(d.shared(), 0u);
  d.share();
  EXPECT_EQ(d.shared(), 3u);
  EXPECT_EQ(d.take(), 0u);
  EXPECT_EQ(d.take(), 1u);
  EXPECT_EQ(d.shared(), 1u);
  EXPECT_EQ(d.taken(), 2u);
  d.share();  // of three
  EXPECT_EQ(d.shared(), 2u);
}

TEST(SplitDeque, ComesDownByHalfWhenItsOwnerPopsWhatIsShared) {
  split_deque d;
  for (std::uint32_t i = 0; i < 9; ++i) d.push(i);
  d.share();
  for (std::size_t left : {8u, 7u, 6u, 5u}) {
    d.pop();
    EXPECT_EQ(d.shared(), 5u) << left << " are left";
  }
  d.pop();
  EXPECT_EQ(d.shared(), 2u);  // of four
  d.pop();
  d.pop();
  EXPECT_EQ(d.shared(), 2u);
  d.pop();
  EXPECT_EQ(d.shared(), 1u);
  d.pop();
  EXPECT_TRUE(d.empty());
  EXPECT_EQ(d.shared(), 0u);
}

// The first job is shared at once, and claimed at 10. The thief is back at 30 and asks. The owner forks at 40, shares
// the older of two, which is claimed at 50 and takes to 150.
TEST(Stealing, AnOwnerThatForksOftenIsAskedAndNeverFenced) {
  const recorded_run run =
      program()
          .fork(
              [](program& p) {
                p.strand(5).fork([](program& q) { q.strand(35).fork(strand(60), strand(1)); }, strand(100));
              },
              strand(20))
          .run();
  const replayed r = on_two(run, stealing::ask);
  EXPECT_EQ(r.requests, 1u);
  EXPECT_EQ(r.answers, 1u);
  EXPECT_EQ(r.fences, 0u);
  EXPECT_EQ(r.interrupts, 0u);
  EXPECT_EQ(r.steals, 2u);
  EXPECT_EQ(r.time, 150);
}

// The thief asks at 30, gives up at 130, and has the job at 530. The owner's leaf ends at 2005, had it not been
// interrupted.
TEST(Stealing, AnOwnerInALongLeafIsFencedAfterThePatience) {
  const auto with_leaf = [](std::uint64_t second) {
    return program().fork([=](program& p) { p.strand(5).fork(strand(2000), strand(second)); }, strand(20)).run();
  };
  const replayed r = on_two(with_leaf(100), stealing::ask);
  EXPECT_EQ(r.requests, 1u);
  EXPECT_EQ(r.answers, 0u);
  EXPECT_EQ(r.fences, 1u);
  EXPECT_EQ(r.interrupts, 1u);
  EXPECT_EQ(r.time, 2005 + 7);
  EXPECT_EQ(r.busy, 2125);
  EXPECT_EQ(on_two(with_leaf(3000), stealing::ask).time, 530 + 3000);
}

// The second job is fenced at 630 and not asked for again, taken at 1030, and takes to 6030.
TEST(Stealing, AnOwnerThatDidNotAnswerIsNotWaitedForAgain) {
  const recorded_run run =
      program()
          .fork(
              [](program& p) { p.strand(5).fork([](program& q) { q.fork(strand(4000), strand(5000)); }, strand(100)); },
              strand(20))
          .run();
  const replayed r = on_two(run, stealing::ask);
  EXPECT_EQ(r.requests, 1u);
  EXPECT_EQ(r.fences, 2u);
  EXPECT_EQ(r.interrupts, 2u);
  EXPECT_EQ(r.time, 6030);
}

// Fenced for the second branch at 130. At 712 the owner answers the old request, and what it shares is claimed at 722.
// Its last job, from 762 on, is waited for until 862, fenced, and taken at 1262.
TEST(Stealing, AnOwnerThatAnswersIsWaitedForAgain) {
  const recorded_run run =
      program()
          .fork(
              [](program& p) {
                p.strand(5).fork(
                    [](program& q) {
                      q.strand(700).fork([](program& s) { s.strand(50).fork(strand(1000), strand(2000)); }, strand(10));
                    },
                    strand(100));
              },
              strand(20))
          .run();
  const replayed r = on_two(run, stealing::ask);
  EXPECT_EQ(r.requests, 2u);
  EXPECT_EQ(r.answers, 1u);
  EXPECT_EQ(r.fences, 2u);
  EXPECT_EQ(r.steals, 4u);
  EXPECT_EQ(r.time, 1262 + 2000);
}

TEST(Stealing, InterruptsLengthenARunningWorkerByTheirCost) {
  const recorded_run run = program().fork(strand(1000), strand(20)).run();
  const replayed fenced = on_two(run, stealing::fence);
  EXPECT_EQ(fenced.fences, 1u);
  EXPECT_EQ(fenced.interrupts, 1u);
  EXPECT_EQ(fenced.requests, 0u);
  EXPECT_EQ(fenced.time, 1000 + 7);
  const replayed asked = on_two(run, stealing::ask);  // the first job is shared at once
  EXPECT_EQ(asked.fences, 0u);
  EXPECT_EQ(asked.time, 1000);
}

// The owner is back at its last job before the fence is over.
TEST(Stealing, AFenceMayBeInVain) {
  const replayed r = on_two(program().fork(strand(300), strand(200)).run(), stealing::fence);
  EXPECT_EQ(r.fences, 1u);
  EXPECT_EQ(r.steals, 0u);
  EXPECT_EQ(r.lost, 1u);
  EXPECT_EQ(r.time, 300 + 200 + 7);
}

TEST(Stealing, FencesThatQueueRunOneAtATime) {
  const recorded_run run = fib();
  machine_costs c;
  const replayed together = replay(run, c, 64, 1, stealing::fence);
  EXPECT_GT(double(together.fences) * c.fence, 2 * together.time);
  c.fences_queue = true;
  const replayed queued = replay(run, c, 64, 1, stealing::fence);
  EXPECT_LE(double(queued.fences - 1) * c.fence, queued.time);
  EXPECT_GT(queued.steals, 0u);
}

TEST(Stealing, InterruptsGrowFasterThanWorkersIfEveryStealFences) {
  const recorded_run run = fib();
  machine_costs c;
  c.interrupt = 0;  // they are counted, and change nothing
  const auto interrupts = [&](std::uint32_t workers) {
    return static_cast<double>(replay(run, c, workers, 1, stealing::fence).interrupts);
  };
  EXPECT_GT(interrupts(16), 8 * interrupts(4));  // 16 times would be as the square
  EXPECT_GT(interrupts(64), 8 * interrupts(16));
}

TEST(Stealing, OwnersThatForkOftenAreHardlyFencedOnManyWorkers) {
  const recorded_run run = fib();
  for (const std::uint32_t workers : {2u, 16u, 128u}) {
    const replayed asked = replay(run, {}, workers, 1, stealing::ask);
    const replayed fenced = replay(run, {}, workers, 1, stealing::fence);
    EXPECT_LT(double(asked.fences), 0.05 * double(asked.steals)) << workers;
    EXPECT_GE(fenced.fences, fenced.steals) << workers;
    EXPECT_LE(asked.time, fenced.time) << workers;
  }
}

// The first job goes to one of two thieves, and both wait from 20 on for the second. It is shared at 100, and both see
// it: one has it at 110, the other asks again. The third job is the owner's before anybody is out of patience.
TEST(Stealing, AnAnswerIsSeenByAllWhoWait) {
  machine_costs c = small();
  c.answer = 1000;
  const recorded_run run =
      program()
          .fork(
              [](program& p) {
                p.strand(20).fork([](program& q) { q.strand(80).fork(strand(500), strand(1)); }, strand(400));
              },
              strand(10))
          .run();
  const replayed r = replay(run, c, 3, 1, stealing::ask);
  EXPECT_EQ(r.fences, 0u);
  EXPECT_EQ(r.requests, 2u);
  EXPECT_EQ(r.answers, 1u);
  EXPECT_EQ(r.steals, 2u);
  EXPECT_EQ(r.lost, 4u);
  EXPECT_EQ(r.time, 601);
}

TEST(InventedRun, HasTheWorkAndSpanOfItsComputation) {
  for (const char* spec : {"fib:12", "balanced:6,arity=3,work=5", "skewed:300", "uts:20,seed=3", "loop:50", "chain:30",
                           "sp:3000,seed=1", "sp:3000,seed=2,sync=0.02"}) {
    const auto c = open_computation(spec);
    const measures m = measure(expand(*c));
    const recorded_run run = invent_run(*c, 10);
    EXPECT_EQ(run.work, 10. * double(m.work)) << spec;
    EXPECT_EQ(run.span, 10. * double(m.span)) << spec;
    EXPECT_EQ(run.all_forks, m.threads - 1) << spec;
    machine_costs free = small();
    EXPECT_EQ(replay(run, free, 1, 1).time, run.work) << spec;
  }
}

}  // namespace

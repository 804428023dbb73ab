// Recordings: what is written is read, and a replay keeps the greedy bound where stealing is free.

#include <analysis/dag/error.hpp>
#include <analysis/dag/measure.hpp>
#include <analysis/dag/random.hpp>
#include <analysis/replay/as_dag.hpp>
#include <analysis/replay/replay.hpp>
#include <heist/meter/recording.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace heist::analysis;
using heist::detail::recording;

std::string file(recording& r) {
  const std::vector<unsigned char>& steps = r.finished();
  return "heist recording 1\n{\"ns_per_tick\": 1, \"bytes\": " + std::to_string(steps.size()) + "}\n" +
         std::string(steps.begin(), steps.end());
}

recorded_run read(recording& r) { return parse_recording(file(r), "test"); }

machine_costs free_of_charge() {
  machine_costs c;
  c.fork = c.spawn = c.look = c.steal = c.claim = c.fence = c.interrupt = c.answer = c.resume = c.wake = 0;
  return c;
}

constexpr stealing ways[] = {stealing::flat, stealing::fence, stealing::ask};

// Strands, forks and scopes, one in another, at random; and the same computation's work and span.
class random_run {
 public:
  explicit random_run(std::uint64_t seed) : random_(seed) { span_ = body(6); }

  recording& written() { return r_; }
  double work() const { return work_; }
  double span() const { return span_; }

 private:
  double strand() {
    const std::uint64_t length = 1 + random_.below(1000);
    r_.strand(length);
    work_ += double(length);
    return double(length);
  }

  double fork(int depth) {
    r_.fork();
    const double first = body(depth);
    r_.second();
    const double second = body(depth);
    r_.join();
    return std::max(first, second);
  }

  // Spawned and queued children, work between them, and the sync.
  double scope(int depth) {
    const void* const name = &scopes_[static_cast<std::size_t>(depth)];
    double path = 0, longest = 0;
    std::vector<std::pair<std::int64_t, double>> queued;
    for (std::uint32_t i = random_.below(5); i > 0; --i) {
      if (random_.below(2) == 0) {
        r_.child();
        longest = std::max(longest, path + body(depth));
        r_.child_end(name);
      } else {
        queued.push_back({std::int64_t{i}, path});
        r_.queued(name, i);
      }
      path += strand();
    }
    for (const auto& [number, from] : queued) {
      recording child;
      std::swap(child, r_);
      const double length = body(depth);
      std::swap(child, r_);
      r_.later(name, number, child);
      longest = std::max(longest, from + length);
    }
    r_.sync(name);
    return std::max(path, longest);
  }

  // They are asked in some order, by the strand that has made them.
  double futures(int depth) {
    double path = 0;
    std::vector<std::pair<const void*, double>> made;
    for (std::uint32_t i = random_.below(4); i > 0; --i) {
      made.push_back({reinterpret_cast<const void*>(++futures_ * 2 + 1), path});
      r_.queued(made.back().first, 0);
      path += strand();
    }
    for (; !made.empty(); path += strand()) {
      const auto asked = made.begin() + random_.below(static_cast<std::uint32_t>(made.size()));
      recording child;
      std::swap(child, r_);
      const double length = body(depth);
      std::swap(child, r_);
      r_.later(asked->first, 0, child);
      r_.sync(asked->first);
      path = std::max(path, asked->second + length);
      made.erase(asked);
    }
    return path;
  }

  double body(int depth) {
    double path = strand();
    for (std::uint32_t i = depth > 0 ? random_.below(4) : 0; i > 0; --i) {
      const std::uint32_t which = random_.below(3);
      path += which == 0 ? fork(depth - 1) : which == 1 ? scope(depth - 1) : futures(depth - 1);
    }
    return path + strand();
  }

  stream random_;
  recording r_;
  double work_ = 0, span_ = 0;
  std::uintptr_t futures_ = 0;
  char scopes_[8];
};

TEST(Recording, IsReadAsItWasWritten) {
  recording::begin(0);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    random_run made(seed);
    const recorded_run run = read(made.written());
    ASSERT_EQ(run.work, made.work()) << "seed " << seed;
    ASSERT_EQ(run.span, made.span()) << "seed " << seed;
  }
}

TEST(Recording, IsAFullyStrictComputation) {
  recording::begin(0);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    random_run made(seed);
    const recorded_run run = read(made.written());
    const dag d = to_dag(run, 1);
    const measures m = measure(d);
    const auto slack = 4.0 * static_cast<double>(m.threads);  // instructions that wait, where nothing was worked
    ASSERT_EQ(topological_order(d).size(), d.instructions()) << seed;
    ASSERT_EQ(classify(d).kind, strictness::fully_strict) << seed;
    ASSERT_TRUE(oddities(d).empty()) << seed << ": " << oddities(d)[0];
    ASSERT_EQ(m.threads, threads_of(run));
    ASSERT_NEAR(static_cast<double>(m.work), run.work, slack) << seed;
    ASSERT_NEAR(static_cast<double>(m.span), run.span, slack) << seed;
    // In longer steps the work is as right as before.
    ASSERT_NEAR(static_cast<double>(measure(to_dag(run, 10)).work), run.work / 10, slack) << seed;
    for (const std::size_t most : {1u, 2u, 7u, 30u}) {
      const recorded_run small = collapse(run, most);
      ASSERT_EQ(threads_of(small), std::min(most, threads_of(run))) << seed;
      const dag c = to_dag(small, 1);
      ASSERT_TRUE(oddities(c).empty()) << seed;
      ASSERT_NEAR(static_cast<double>(measure(c).work), run.work, slack) << seed;
      ASSERT_GE(static_cast<double>(measure(c).span), run.span - slack) << seed;
    }
    const std::vector<id> path = longest_path(d);
    std::uint64_t length = 0;
    for (const id i : path) length += d.durations[i];
    ASSERT_EQ(length, m.span);
  }
}

TEST(Replay, WithoutCostsIsGreedy) {
  recording::begin(0);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    random_run made(seed);
    const recorded_run run = read(made.written());
    for (const std::uint32_t workers : {1u, 2u, 3u, 8u, 64u}) {
      for (const stealing how : ways) {
        const replayed r = replay(run, free_of_charge(), workers, seed, how);
        const double bound = run.work / workers + run.span;
        ASSERT_LE(r.time, bound * (1 + 1e-9)) << "seed " << seed << ", " << workers << " workers, " << int(how);
        ASSERT_GE(r.time, std::max(run.work / workers, run.span) * (1 - 1e-9)) << "seed " << seed << ", " << workers;
        ASSERT_NEAR(r.busy, run.work, 1e-6 * run.work);
      }
    }
  }
}

TEST(Replay, CostsAreCharged) {
  recording::begin(0);
  random_run made(7);
  const recorded_run run = read(made.written());
  ASSERT_GT(run.all_forks, 10u);
  machine_costs c = free_of_charge();
  c.fork = c.spawn = 100;
  EXPECT_NEAR(replay(run, c, 1, 1).time, run.work + 100 * double(run.all_forks), 1e-6 * run.work);
  c = free_of_charge();
  c.steal = 1e12;  // nobody waits for that
  EXPECT_NEAR(replay(run, c, 8, 1).time, run.work, 1e-6 * run.work);
  c = free_of_charge();
  c.patience = 0;
  c.wake = 1e12;
  EXPECT_NEAR(replay(run, c, 8, 1).time, run.work, run.work * 1e-6);
}

TEST(Replay, IsTheSameFromTheSameSeed) {
  recording::begin(0);
  random_run made(11);
  const recorded_run run = read(made.written());
  for (const stealing how : ways) {
    const replayed a = replay(run, {}, 8, 5, how), b = replay(run, {}, 8, 5, how);
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.steals, b.steals);
    EXPECT_EQ(a.interrupts, b.interrupts);
  }
}

// Children and futures that any strand around which their scope lies spawns, and that are asked anywhere.
class tangled_run {
 public:
  explicit tangled_run(std::uint64_t seed) : random_(seed) { body(5); }

  recording& written() { return r_; }
  double work() const { return work_; }
  double span() const { return path_; }

 private:
  struct child {
    double from;
    std::vector<int> where;           // the brackets around it
    std::vector<const void*> scopes;  // that it knows
    int depth;
  };
  struct open_scope {
    const void* name;
    std::vector<child> queued = {};
    double longest = 0;
    std::size_t ran = 0;
  };

  void strand() {
    const std::uint64_t length = 1 + random_.below(1000);
    r_.strand(length);
    work_ += double(length);
    path_ += double(length);
  }

  const void* name(bool of_future) { return reinterpret_cast<const void*>(++names_ * 2 + of_future); }

  void run(const void* scope_name, std::int64_t number, double from, const child& c) {
    const double here = std::exchange(path_, from);
    std::vector<const void*> known = c.scopes;
    std::erase_if(known, [&](const void* n) { return std::ranges::find(scopes_, n, &open_scope::name) == scopes_.end(); });
    std::swap(known_, known);
    recording parent;
    std::swap(parent, r_);
    bracket([&] { body(c.depth - 1); });
    std::swap(parent, r_);
    r_.later(scope_name, number, parent);
    std::swap(known_, known);
    ended_ = std::exchange(path_, here);
  }

  // Numbered; a child's is negative.
  template <class F>
  void bracket(F&& inside, int sign = -1) {
    where_.push_back(sign * ++brackets_);
    inside();
    where_.pop_back();
  }

  void fork(int depth) {
    const double from = path_;
    r_.fork();
    bracket([&] { body(depth - 1); }, 1);
    r_.second();
    const double first = std::exchange(path_, from);
    bracket([&] { body(depth - 1); }, 1);
    r_.join();
    path_ = std::max(path_, first);
  }

  void make_scope(int depth) {
    scopes_.push_back({name(false)});
    known_.push_back(scopes_.back().name);
    const std::size_t mine = scopes_.size() - 1;
    body(depth - 1);
    for (int i = 0; i < 2; ++i) {
      const double from = path_;
      r_.child();
      bracket([&] { body(depth - 1); });
      r_.child_end(scopes_[mine].name);
      scopes_[mine].longest = std::max(scopes_[mine].longest, std::exchange(path_, from));
      piece(depth - 1);
    }
    while (scopes_[mine].ran < scopes_[mine].queued.size()) {
      const std::size_t number = scopes_[mine].ran++;
      const child c = scopes_[mine].queued[number];
      run(scopes_[mine].name, std::int64_t(number), c.from, c);
      scopes_[mine].longest = std::max(scopes_[mine].longest, ended_);
    }
    r_.sync(scopes_[mine].name);
    path_ = std::max(path_, scopes_[mine].longest);
    scopes_.pop_back();
    known_.pop_back();
  }

  void queue(int depth) {
    if (known_.empty()) return;
    open_scope& s = *std::ranges::find(scopes_, known_[random_.below(std::uint32_t(known_.size()))], &open_scope::name);
    r_.queued(s.name, std::int64_t(s.queued.size()));
    s.queued.push_back({path_, where_, known_, depth});
  }

  void make_future(int depth) {
    futures_.emplace_back(name(true), child{path_, where_, {}, depth});  // no scope waits for it
    r_.queued(futures_.back().first, 0);
  }

  void ask() {
    if (futures_.empty()) return;
    const auto asked = futures_.begin() + random_.below(std::uint32_t(futures_.size()));
    const auto [asked_name, c] = *asked;
    futures_.erase(asked);
    const bool around = where_.size() <= c.where.size() && std::equal(where_.begin(), where_.end(), c.where.begin()) &&
                        std::all_of(c.where.begin() + std::ptrdiff_t(where_.size()), c.where.end(), [](int b) { return b > 0; });
    run(asked_name, 0, around ? c.from : path_, c);
    r_.sync(asked_name);
    path_ = std::max(path_, ended_);
  }

  void piece(int depth) {
    switch (random_.below(depth > 0 ? 7 : 1)) {
      case 0: return strand();
      case 1: return fork(depth);
      case 2: return make_scope(depth);
      case 3: return queue(depth);
      case 4: return make_future(depth);
      default: return ask();
    }
  }

  void body(int depth) {
    strand();
    for (std::uint32_t i = random_.below(4); i > 0; --i) piece(depth);
    strand();
  }

  stream random_;
  recording r_;
  double work_ = 0, path_ = 0, ended_ = 0;
  std::uintptr_t names_ = 0;
  int brackets_ = 0;
  std::vector<int> where_;
  std::vector<open_scope> scopes_;
  std::vector<const void*> known_;
  std::vector<std::pair<const void*, child>> futures_;
};

TEST(Recording, HasChildrenAndFuturesOfAnyStrand) {
  recording::begin(0);
  std::uint64_t forks = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    tangled_run made(seed);
    const recorded_run run = read(made.written());
    ASSERT_EQ(run.work, made.work()) << "seed " << seed;
    ASSERT_EQ(run.span, made.span()) << "seed " << seed;
    const heist::analysis::dag d = to_dag(run, 1);
    const double slack = 4.0 * double(d.threads.size());
    ASSERT_EQ(topological_order(d).size(), d.instructions()) << seed;
    ASSERT_NEAR(double(measure(d).work), run.work, slack) << seed;
    ASSERT_NEAR(double(measure(d).span), run.span, slack) << seed;
    ASSERT_EQ(topological_order(to_dag(collapse(run, 5), 1)).size(), to_dag(collapse(run, 5), 1).instructions());
    for (const stealing how : ways)
      for (const std::uint32_t workers : {1u, 2u, 3u, 16u}) {
        const replayed r = replay(run, free_of_charge(), workers, seed, how);
        ASSERT_NEAR(r.busy, run.work, 1e-6 * run.work) << "seed " << seed << ", " << workers;
        ASSERT_LE(r.time, (run.work / workers + run.span) * (1 + 1e-9)) << "seed " << seed << ", " << workers;
      }
    forks += run.all_forks;
  }
  EXPECT_GT(forks, 10'000u);
}

// What nobody asks is not known, and what another strand asks begins there.
TEST(Recording, HasFuturesThatNobodyOrAnotherStrandAsks) {
  recording::begin(0);
  const auto future = [](std::uintptr_t n) { return reinterpret_cast<const void*>(2 * n + 1); };
  const auto ask = [](recording& r, const void* which) {
    recording child;
    child.strand(50);
    r.later(which, 0, child);
    r.sync(which);
  };
  recording r;
  r.queued(future(1), 0);  // asked here, after another one
  r.strand(10);
  r.queued(future(2), 0);
  r.strand(10);
  r.queued(future(3), 0);  // asked by nobody
  r.queued(future(4), 0);  // asked in a branch
  r.queued(future(5), 0);  // begun in another pool, where it was not measured: begins where it is asked
  r.sync(future(5));
  ask(r, future(2));
  ask(r, future(1));
  r.fork();
  ask(r, future(4));
  r.second();
  r.strand(20);
  r.join();
  ask(r, future(6));
  r.fork();
  r.queued(future(7), 0);  // made in a branch, asked after the join
  r.strand(30);
  r.second();
  r.strand(1);
  r.join();
  ask(r, future(7));
  const recorded_run run = read(r);
  EXPECT_EQ(run.work, 10 + 10 + 5 * 50 + 20 + 31);
  EXPECT_EQ(run.span, 60 + 50 + 50 + 50);
  EXPECT_EQ(run.all_forks, 9u);
  const heist::analysis::dag d = to_dag(run, 1);
  EXPECT_EQ(classify(d).kind, strictness::strict);
  for (const stealing how : ways)
    for (const std::uint32_t workers : {1u, 2u, 8u})
      EXPECT_LE(replay(run, free_of_charge(), workers, 1, how).time, run.work / workers + run.span);
}

// Children that others than the scope's strand spawn wait for nobody but begin where they are spawned, however small that
// strand is: a child's child, its child, and one of a branch.
TEST(Recording, HasChildrenOfOtherStrandsWhereTheyAreSpawned) {
  for (const std::uint64_t grain : {0u, 1000u}) {
    recording::begin(grain);
    const int scope = 0;
    const auto later = [&](recording& r, int number, recording& child) { r.later(&scope, number, child); };
    recording r, second, third, fourth;
    r.child();
    r.strand(10);
    r.queued(&scope, 2);
    r.strand(10);
    r.child_end(&scope);
    r.fork();
    r.strand(5);
    r.queued(&scope, 4);
    r.strand(5);
    r.second();
    r.strand(7);
    r.join();
    second.strand(100);
    second.queued(&scope, 3);
    second.strand(1);
    later(r, 2, second);
    third.strand(100);
    later(r, 3, third);
    fourth.strand(50);
    later(r, 4, fourth);
    r.sync(&scope);
    r.strand(3);
    const recorded_run run = read(r);
    EXPECT_EQ(run.work, 20 + 10 + 7 + 101 + 100 + 50 + 3);
    EXPECT_EQ(run.span, 10 + 100 + 100 + 3);
    const heist::analysis::dag d = to_dag(run, 1);
    EXPECT_EQ(classify(d).kind, strictness::strict);
    EXPECT_EQ(measure(d).threads, threads_of(run));
    EXPECT_NEAR(double(measure(d).span), run.span, 8);
    for (const std::size_t most : {1u, 2u, 4u}) EXPECT_EQ(threads_of(collapse(run, most)), most);
    for (const stealing how : ways)
      for (const std::uint32_t workers : {1u, 2u, 8u}) {
        const double time = replay(run, free_of_charge(), workers, 1, how).time;
        EXPECT_LE(time, (run.work / workers + run.span) * (1 + 1e-9));
        EXPECT_GE(time, std::max(run.work / workers, run.span) * (1 - 1e-9));
      }
  }
}

// What is below the grain becomes a strand: work stays, all forks are counted, no step is left that is smaller.
TEST(Recording, LeavesOutWhatIsSmall) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    recording::begin(0);
    random_run fine(seed);
    const recorded_run all = read(fine.written());
    recording::begin(5000);
    random_run coarse(seed);
    const recorded_run some = read(coarse.written());
    ASSERT_EQ(some.work, all.work);
    ASSERT_EQ(some.all_forks, all.all_forks);
    ASSERT_LE(some.forks, all.forks);
    ASSERT_GE(some.span, all.span);
    ASSERT_LE(some.steps.size(), all.steps.size());
  }
}

// What a thief did is appended: the same file.
TEST(Recording, IsTheSameWhoeverWroteIt) {
  for (const std::uint64_t grain : {0u, 300u}) {
    recording::begin(grain);
    int scope = 0;
    auto tree = [](recording& r, auto&& self, int depth) -> void {
      r.strand(10);
      if (depth == 0) return;
      r.fork();
      self(r, self, depth - 1);
      r.second();
      self(r, self, depth - 1);
      r.join();
    };
    recording alone;
    alone.child();
    tree(alone, tree, 5);
    alone.child_end(&scope);
    alone.fork();
    tree(alone, tree, 5);
    alone.second();
    tree(alone, tree, 5);
    alone.join();
    alone.sync(&scope);

    recording robbed, continuation, branch;
    robbed.child();
    tree(robbed, tree, 5);
    robbed.child_end(&scope);
    continuation.fork();
    tree(continuation, tree, 5);
    continuation.second();
    tree(branch, tree, 5);
    continuation.append(branch);
    continuation.join();
    robbed.append(continuation);
    robbed.sync(&scope);

    const recorded_run a = read(alone), b = read(robbed);
    EXPECT_EQ(a.work, b.work);
    EXPECT_EQ(a.span, b.span);
    EXPECT_EQ(a.all_forks, b.all_forks);
    EXPECT_EQ(alone.finished(), robbed.finished());
  }
}

TEST(Recording, DamagedFilesGetOneLine) {
  recording::begin(0);
  random_run made(3);
  const std::string good = file(made.written());
  auto complaint = [](const std::string& text) -> std::string {
    try {
      parse_recording(text, "bad.rec");
    } catch (const bad_input& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(good), "");
  EXPECT_EQ(complaint(""), "bad.rec: this is not a recording; make one with heist record");
  EXPECT_EQ(complaint("{}"), "bad.rec: this is not a recording; make one with heist record");
  EXPECT_NE(complaint(good.substr(0, good.size() - 3)).find("bytes of steps and should have"), std::string::npos);
  EXPECT_NE(complaint("heist recording 1\n{\"ns\n").find("second line"), std::string::npos);
  auto steps = [&](std::string bytes) {
    return complaint("heist recording 1\n{\"ns_per_tick\": 1, \"bytes\": " + std::to_string(bytes.size()) + "}\n" +
                     bytes);
  };
  EXPECT_NE(steps("\x04").find("closes something that is not open"), std::string::npos);
  EXPECT_NE(steps("\x02").find("ends inside"), std::string::npos);
  EXPECT_NE(steps("\x63").find("unknown step"), std::string::npos);
  EXPECT_NE(steps("\x01\x80").find("cut off"), std::string::npos);
  EXPECT_NE(steps("\x08\x02\x01").find("ends inside"), std::string::npos);
}

}  // namespace

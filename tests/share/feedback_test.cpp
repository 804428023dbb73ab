// options::share = feedback: A-Steal's desires, the division of processors, the board, and pools that do it all.

#include "tests/private.hpp"
#include "tests/support.hpp"

#include <heist/heist.hpp>
#include <heist/share/board.hpp>
#include <heist/share/desire.hpp>
#include <heist/share/equipartition.hpp>
#include <heist/share/foreign.hpp>
#include <heist/share/silence.hpp>
#include <heist/sched/scheduler.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {
struct machine_size {
  using type = unsigned heist::detail::feedback::*;
};
struct look_again {
  using type = heist::detail::nanoseconds heist::detail::feedback::*;
};
struct desired_by {
  using type = heist::detail::desire heist::detail::feedback::*;
};
struct allotment {
  using type = unsigned (heist::detail::feedback::*)();
};
}  // namespace

template struct heist_test::opened<machine_size, &heist::detail::feedback::machine_>;
template struct heist_test::opened<look_again, &heist::detail::feedback::look_again_>;
template struct heist_test::opened<desired_by, &heist::detail::feedback::desire_>;
template struct heist_test::opened<allotment, &heist::detail::feedback::allotment>;

namespace {

using namespace heist_test;
using namespace heist::detail;
using namespace std::chrono_literals;

// Not the user's own, on which other programs may be.
const std::string own_board = [] {
  std::string path = (std::filesystem::temp_directory_path() / ("heist-test-" + std::to_string(::getpid()))).string();
  ::setenv("HEIST_BOARD", path.c_str(), 1);
  return path;
}();
struct remove_at_end : testing::Environment {
  void TearDown() override { std::filesystem::remove(own_board); }
};
[[maybe_unused]] const auto* const remover = testing::AddGlobalTestEnvironment(new remove_at_end);

TEST(equipartition, gives_the_modest_what_they_want_and_divides_the_rest) {
  using all = std::vector<unsigned>;
  EXPECT_EQ(equipartition(8, all{1, 10, 10}), (all{1, 4, 3}));
  EXPECT_EQ(equipartition(8, all{2, 2, 2}), (all{2, 2, 2}));
  EXPECT_EQ(equipartition(9, all{4, 4, 4}), (all{3, 3, 3}));
  EXPECT_EQ(equipartition(2, all{5, 5, 5}), (all{1, 1, 1}));  // nobody is left without
  EXPECT_EQ(equipartition(4, all{0, 4}), (all{0, 4}));
  EXPECT_EQ(equipartition(4, all{}), all{});
}

TEST(equipartition, is_fair_and_wastes_nothing) {
  std::mt19937 dice(1);
  for (int round = 0; round < 2000; ++round) {
    const auto processors = static_cast<unsigned>(1 + dice() % 64);
    std::vector<unsigned> desires(1 + dice() % 10);
    for (unsigned& d : desires) d = static_cast<unsigned>(dice() % 70);
    const auto shares = equipartition(processors, desires);
    unsigned given = 0, wanted = 0;
    for (std::size_t i = 0; i < desires.size(); ++i) {
      EXPECT_LE(shares[i], desires[i]);
      EXPECT_EQ(shares[i] == 0, desires[i] == 0);
      given += shares[i], wanted += desires[i];
      for (std::size_t k = 0; k < desires.size(); ++k)
        EXPECT_TRUE(shares[i] == desires[i] || shares[i] + 1 >= shares[k]);
    }
    EXPECT_TRUE(processors < desires.size() || given == std::min(processors, wanted));
  }
}

TEST(desire, rises_and_falls_as_the_paper_says) {
  desire d;
  EXPECT_EQ(d.get(), 1u);
  EXPECT_EQ(d.judge(0.9, 1, 16), quantum::efficient_satisfied);
  EXPECT_EQ(d.get(), 2u);
  EXPECT_EQ(d.judge(0.9, 1, 16), quantum::efficient_deprived);
  EXPECT_EQ(d.get(), 2u);
  for (int i = 0; i < 9; ++i) d.judge(1.0, d.get(), 16);
  EXPECT_EQ(d.get(), 16u);
  EXPECT_EQ(d.judge(0.5, 16, 16), quantum::inefficient);
  EXPECT_EQ(d.get(), 8u);
  for (int i = 0; i < 9; ++i) d.judge(0.0, 1, 16);
  EXPECT_EQ(d.get(), 1u);
}

// One worker that works, of sixteen.
TEST(desire, falls_to_one_after_two_quanta_of_a_serial_phase) {
  desire d;
  for (int i = 0; i < 5; ++i) d.judge(1.0, d.get(), 16);
  ASSERT_EQ(d.get(), 16u);
  d.judge(1.0 / 16, 16, 16);
  EXPECT_EQ(d.get(), 2u);
  d.judge(1.0 / 2, 2, 16);
  EXPECT_EQ(d.get(), 1u);
}

// Eight processors are busy, as the kernel's file says.
class a_machine : public testing::Test {
 protected:
  ~a_machine() override { std::filesystem::remove(path); }
  std::uint64_t one() const { return static_cast<std::uint64_t>(time); }  // what keeps one of them busy all the time
  unsigned look(const std::vector<board::entry>& entries) {
    time += 200'000'000;
    std::ofstream(path) << "cpu " << 8 * time / (1'000'000'000 / ::sysconf(_SC_CLK_TCK)) << " 0 0 0 0 0 0 0\n";
    return load.processors(entries, time);
  }
  template <class F>
  unsigned look_often(F entries) {
    unsigned seen = 0;
    for (int i = 0; i < 6; ++i) {
      time += 200'000'000;
      const std::vector<board::entry> all = entries(i);
      time -= 200'000'000;
      seen = look(all);
    }
    return seen;
  }

  const std::string path = own_board + "-stat";
  foreign_load load{path};
  nanoseconds time = 0;
};

constexpr std::uint64_t huge = ~std::uint64_t{0};

TEST_F(a_machine, has_as_much_foreign_load_as_nobody_on_the_board_reports) {
  using entries = std::vector<board::entry>;
  EXPECT_EQ(look_often([&](int) { return entries{}; }), 8u);
  EXPECT_EQ(look_often([&](int) { return entries{{0, {.process = 1, .processor = one()}}}; }), 7u);
  // Two pools of one process, and another process.
  EXPECT_EQ(look_often([&](int) {
    return entries{{0, {.process = 1, .processor = one()}},
                   {1, {.process = 1, .processor = one()}},
                   {2, {.process = 2, .processor = one()}}};
  }),
            6u);
}

TEST_F(a_machine, has_no_more_foreign_load_whatever_a_liar_says) {
  const auto with_liar = [&](std::uint32_t as, auto says) {
    return look_often([&](int i) {
      return std::vector<board::entry>{{0, {.process = 1, .processor = one()}}, {1, {.process = as, .processor = says(i)}}};
    });
  };
  EXPECT_LE(with_liar(1, [](int) { return huge; }), 7u);  // as process 1, which it is not
  EXPECT_LE(with_liar(1, [](int i) { return i % 2 == 0 ? huge : 0; }), 7u);
  EXPECT_LE(with_liar(2, [](int i) { return huge - static_cast<std::uint64_t>(i); }), 7u);
  EXPECT_LE(with_liar(2, [&](int) { return 100'000'000'000u - one(); }), 7u);  // less by what process 1 uses more
  EXPECT_LE(with_liar(0, [](int) { return huge; }), 7u);
}

TEST_F(a_machine, has_no_more_foreign_load_when_a_process_leaves_the_board) {
  using entries = std::vector<board::entry>;
  EXPECT_EQ(look_often([&](int) { return entries{{0, {.process = 1, .processor = one()}}}; }), 7u);
  EXPECT_EQ(look({}), 7u);
}

class board_of_users : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path); }
  const std::string path = own_board + "-b";
};

TEST_F(board_of_users, shows_what_others_write_while_they_live) {
  board here(path), there(path);
  EXPECT_EQ(here.complaint(), "");
  const board::place mine(here);
  ASSERT_TRUE(mine.taken());
  mine.write({.process = 1, .desire = 5});
  {
    const board::place theirs(there);
    EXPECT_NE(theirs.slot(), mine.slot());
    theirs.write({.process = 2, .desire = 7});
    const auto all = here.read();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].what.desire, 5u);
    EXPECT_EQ(all[1].what.desire, 7u);
  }
  EXPECT_EQ(there.read().size(), 1u);
}

TEST_F(board_of_users, forgets_a_process_that_was_killed) {
  board here(path);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    board mine(path);
    const board::place place(mine);
    place.write({.process = 9, .desire = 3});
    static_cast<void>(::write(ready[1], "x", 1) < 0);
    for (;;) ::pause();
  }
  char c;
  ASSERT_EQ(::read(ready[0], &c, 1), 1);
  EXPECT_EQ(here.read().size(), 1u);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(here.read().size(), 0u);
  EXPECT_EQ(board::place(here).slot(), 0u);
}

TEST_F(board_of_users, forgets_a_process_whose_child_lives_on) {
  board here(path);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    board mine(path);
    const board::place place(mine);
    place.write({.process = 9, .desire = 3});
    const pid_t other = ::fork();
    if (other == 0)
      for (;;) ::pause();
    static_cast<void>(::write(ready[1], &other, sizeof other) < 0);
    ::_exit(0);
  }
  pid_t other = 0;
  ASSERT_EQ(::read(ready[0], &other, sizeof other), static_cast<ssize_t>(sizeof other));
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return here.read().empty(); }));
  ::kill(other, SIGKILL);
}

TEST_F(board_of_users, ignores_garbage) {
  board here(path);
  const board::place mine(here);
  mine.write({.process = 1, .desire = 5});
  std::mt19937 dice(1);
  for (int round = 0; round < 200; ++round) {
    std::fstream f(path, std::ios::in | std::ios::out | std::ios::binary);
    for (int i = 0; i < 40; ++i) {
      f.seekp(static_cast<std::streamoff>(dice() % (board::slots * 128)));
      f.put(static_cast<char>(dice()));
    }
    f.close();
    for (const auto& e : here.read()) EXPECT_EQ(e.what.desire, 5u);  // ours, or nobody's
  }
  std::filesystem::resize_file(path, 3);
  EXPECT_TRUE(here.read().empty());
  mine.write({.process = 1, .desire = 6});
  ASSERT_EQ(here.read().size(), 1u);
  EXPECT_EQ(here.read()[0].what.desire, 6u);
}

TEST_F(board_of_users, is_refused_if_it_is_not_the_users_own_file) {
  std::filesystem::create_directory(path);
  EXPECT_NE(board(path).complaint().find("cannot be opened"), std::string::npos);
  std::filesystem::remove(path);
  std::ofstream(path) << "";
  ::chmod(path.c_str(), 0644);
  EXPECT_NE(board(path).complaint().find("by others than its owner"), std::string::npos);
  ::chmod(path.c_str(), 0600);
  std::filesystem::resize_file(path, 1 << 20);
  EXPECT_NE(board(path).complaint().find("too long"), std::string::npos);
  std::filesystem::remove(path);
  std::ofstream(path) << "somebody's key";
  ::chmod(path.c_str(), 0600);
  EXPECT_NE(board(path).complaint().find("something else"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(path), 14u);
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/null", path);
  board refused(path);
  EXPECT_NE(refused.complaint().find("cannot be opened"), std::string::npos);
  EXPECT_FALSE(board::place(refused).taken());
  EXPECT_TRUE(refused.read().empty());
}

heist::options sharing(unsigned n) {
  heist::options o = workers(n);
  o.share = heist::share::feedback;
  return o;
}

// What this process's pools desire. On a busy machine they may not get it.
unsigned desired() {
  unsigned sum = 0;
  for (const auto& e : board::of_user().read()) sum += e.what.desire;
  return sum;
}

TEST(feedback, has_one_worker_in_a_serial_phase_and_desires_more_in_a_parallel_one) {
  heist::pool p(sharing(4));
  p.run([&] {
    EXPECT_TRUE(eventually([&] { return p.workers() == 1; }));
    EXPECT_TRUE(eventually([&] { return fib(22), desired() > 1; }));
    EXPECT_TRUE(eventually([&] { return p.workers() == 1; }));
  });
  EXPECT_EQ(p.run([] { return fib(20); }), 6765);
}

TEST(feedback, desires_nothing_when_idle) {
  heist::pool p(sharing(2));
  p.run([] { return fib(25); });
  EXPECT_TRUE(eventually([&] {
    std::this_thread::sleep_for(1ms);
    return desired() == 0;
  }));
}

TEST(feedback, divides_the_machine_between_pools) {
  std::atomic<bool> ended{false};
  heist::pool a(sharing(4)), b(sharing(4));
  auto work = [&](heist::pool& p) { p.run([&] { while (!ended) fib(18); }); };
  std::thread first(work, std::ref(a)), second(work, std::ref(b));
  EXPECT_TRUE(eventually([&] {
    std::this_thread::sleep_for(5ms);
    return desired() >= 4 && a.workers() + b.workers() <= std::max(2u, heist::available_parallelism());
  }));
  ended = true;
  first.join();
  second.join();
}

TEST(feedback, has_no_more_than_resize_says_as_soon_as_that_returns) {
  heist::pool p(sharing(8));
  EXPECT_EQ(p.workers(), 8u);  // no quantum has passed
  p.resize(3);
  EXPECT_EQ(p.workers(), 3u);
  p.run([&] {
    for (unsigned n : {2u, 1u, 7u, 1u}) {
      p.resize(n);
      EXPECT_LE(p.workers(), n);
      fib(15);
      EXPECT_LE(p.workers(), n);
    }
  });
}

// A process that writes what it likes, with right sums: as the same user may.
class liar {
 public:
  explicit liar(board& on, std::uint32_t process) : place_(on) {
    place_.write({.process = process, .pool = ~0u, .desire = ~0u, .workers = ~0u, .efficiency = ~0u, .steals = huge,
                  .work = huge, .processor = huge, .quanta = huge});
  }
  bool heard() const { return place_.taken(); }

 private:
  board::place place_;
};

// Of a pool in which nothing runs, on a machine that has so many processors.
void desires_all_of(feedback& f, unsigned machine) {
  f.*member<machine_size> = machine;
  f.*member<look_again> = now() + 3'600'000'000'000;
  while ((f.*member<desired_by>).get() < machine) (f.*member<desired_by>).judge(1.0, (f.*member<desired_by>).get(), machine);
}
unsigned share_of_all(unsigned machine) {
  scheduler s(sharing(machine));
  feedback& f = s.feedback;
  desires_all_of(f, machine);
  return (f.*member<::allotment>)();
}

TEST(hostile_board, leaves_a_pool_its_equal_share_whatever_others_write) {
  board there(own_board);
  const liar a(there, static_cast<std::uint32_t>(::getpid())), b(there, 1), c(there, ~0u);
  ASSERT_TRUE(a.heard() && b.heard() && c.heard());
  EXPECT_EQ(share_of_all(64), 16u);
  heist::pool p(sharing(64));
  EXPECT_EQ(p.run([] { return fib(22); }), 17711);
  EXPECT_GE(p.workers(), 1u);
}

TEST(silence, is_when_a_pool_ends_no_quantum_for_a_second) {
  silence s;
  board::entry e{5, {.process = 1, .desire = 2, .quanta = 7}};
  nanoseconds time = 10;
  EXPECT_FALSE(s.has_stopped(e, time));
  EXPECT_FALSE(s.has_stopped(e, time += 900'000'000));
  EXPECT_TRUE(s.has_stopped(e, time += 200'000'000));
  e.what.quanta = 8;
  EXPECT_FALSE(s.has_stopped(e, time));
  EXPECT_TRUE(s.has_stopped(e, time += 1'100'000'000));
  e.what.process = 2;  // another one's slot now
  EXPECT_FALSE(s.has_stopped(e, time));
}

TEST(hostile_board, leaves_a_pool_the_share_of_what_has_stopped) {
  board there(own_board);
  const liar stopped(there, 1);
  scheduler s(sharing(4096));
  feedback& f = s.feedback;
  desires_all_of(f, 4096);
  EXPECT_EQ((f.*member<::allotment>)(), 2048u);
  // Foreign load may take some of it.
  EXPECT_TRUE(eventually([&] { return std::this_thread::sleep_for(50ms), (f.*member<::allotment>)() > 2048; }));
}

TEST(hostile_board, may_be_full) {
  board there(own_board);
  std::deque<liar> all;
  for (unsigned i = 0; i < board::slots; ++i) all.emplace_back(there, 100 + i);
  EXPECT_EQ(share_of_all(4), 1u);
  heist::pool p(sharing(4));
  EXPECT_EQ(p.run([] { return fib(22); }), 17711);
  for (const auto& e : board::of_user().read()) EXPECT_NE(e.what.process, static_cast<std::uint32_t>(::getpid()));
  all.clear();
  // The pool looks again once a second.
  EXPECT_TRUE(eventually([&] {
    p.run([] { return fib(24); });
    for (const auto& e : board::of_user().read())
      if (e.what.process == static_cast<std::uint32_t>(::getpid())) return true;
    return false;
  }));
}

TEST(hostile_board, may_be_cut_off_removed_and_replaced_while_pools_run) {
  heist::pool p(sharing(4));
  for (int round = 0; round < 30; ++round) {
    EXPECT_EQ(p.run([] { return fib(20); }), 6765);
    if (round % 3 == 0) std::filesystem::resize_file(own_board, static_cast<std::uintmax_t>(round));
    if (round % 3 == 1) std::filesystem::remove(own_board);
    if (round % 3 == 2) std::filesystem::remove(own_board), std::ofstream(own_board) << "something else";
    if (round % 3 == 2) std::filesystem::remove(own_board);
    if (round % 3 != 0) std::ofstream(own_board) << "";
    heist::pool another(sharing(2));
    EXPECT_EQ(another.run([] { return fib(18); }), 2584);
  }
}

TEST_F(board_of_users, is_refused_if_it_belongs_to_somebody_else) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  std::ofstream(path) << "";
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  ASSERT_EQ(::chown(path.c_str(), 12345, 12345), 0);
  EXPECT_NE(board(path).complaint().find("belongs to another user"), std::string::npos);
}

TEST(feedback, counts_resize_as_a_limit) {
  heist::pool p(sharing(4));
  p.resize(1);
  p.run([&] {
    const auto until = std::chrono::steady_clock::now() + 100ms;
    while (std::chrono::steady_clock::now() < until) fib(15);
    EXPECT_TRUE(eventually([&] { return p.workers() == 1; }));
  });
}

}  // namespace

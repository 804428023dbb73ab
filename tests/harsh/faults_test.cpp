// Each call that heist makes to the system, refused in turn: once, or from then on.

#include "tests/harsh/everything.hpp"
#include "tests/harsh/faults.hpp"
#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <new>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

namespace {

using namespace heist_test;

// How it went. Unreached: there were not so many calls.
enum class outcome { right, threw, refused, bad, unreached };

// Heist does without what the system refuses. Only where memory for a program's own objects may be missing can it do no
// better than say so.
bool is_right(faults::kind k, outcome o) {
  if (o == outcome::right || o == outcome::unreached) return true;
  return k == faults::kind::operator_new && (o == outcome::threw || o == outcome::refused);
}

// In a process of its own.
outcome refuse_and_see(faults::kind k, int first, int more) {
  constexpr int threw = 4, unreached = 5;
  const ending e = in_child([=] {
    faults::refuse(k, first, more);
    int code = 1;
    try {
      code = a_bit_of_everything() == answer ? 0 : 2;
    } catch (const std::bad_alloc&) {
      code = threw;
    }
    if (code == 0 && faults::calls() < first) code = unreached;
    faults::relent();
    std::_Exit(code);
  });
  const outcome o = e.code == 0                     ? outcome::right
                    : e.code == threw               ? outcome::threw
                    : e.code == unreached           ? outcome::unreached
                    : ended_for_want_of_memory(e) ? outcome::refused
                                                    : outcome::bad;
  if (is_right(k, o)) return o;
  ADD_FAILURE() << faults::name(k) << " refused at call " << first << (more > 0 ? " and ever after" : "") << ": code "
                << e.code << ", signal " << e.signal << ": " << e.said;
  return outcome::bad;
}

using refusal = std::tuple<faults::kind, int>;
class a_system_that_refuses : public testing::TestWithParam<refusal> {
 protected:
  // The first measurement finds out what its own hooks cost, which takes its time; by one worker, without a thread.
  static void SetUpTestSuite() {
    heist::pool(workers(1)).run([] { heist::measure([] {}); });
  }
};

std::string test_name(const testing::TestParamInfo<refusal>& p) {
  const auto [k, more] = p.param;
  std::string name = faults::name(k);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name + (more == 0 ? "_once" : "_ever_after");
}
INSTANTIATE_TEST_SUITE_P(each, a_system_that_refuses,
                         testing::Combine(testing::ValuesIn(faults::all_kinds), testing::Values(0, faults::ever_after)),
                         test_name);

TEST_P(a_system_that_refuses, gets_the_right_answer_or_if_it_is_memory_an_exception_or_a_sentence) {
  const auto [k, more] = GetParam();
#if defined(HEIST_ASAN) || defined(HEIST_TSAN)
  if (k == faults::kind::sigaltstack) GTEST_SKIP() << "the sanitizer wants one for its own threads";
#endif
  std::map<outcome, int> seen;
  // How many calls there are differs from run to run: past the last one, a few in a row are not reached.
  for (int call = 1, in_vain = 0; in_vain < 3 && seen[outcome::bad] < 3; ++call) {
    const outcome o = refuse_and_see(k, call, more);
    ++seen[o];
    in_vain = o == outcome::unreached ? in_vain + 1 : 0;
  }
  EXPECT_GT(seen[outcome::right] + seen[outcome::threw], 0) << "no call was refused";
  std::printf("%s refused %s: %d times the right answer, %d std::bad_alloc, %d a sentence\n", faults::name(k),
              more == 0 ? "once" : "ever after", seen[outcome::right], seen[outcome::threw], seen[outcome::refused]);
}

// The pool's end runs what is there, and finds that the rest waits for something that does not come.
TEST(a_system_that_refuses_threads, ends_a_pool_in_which_strands_wait_with_a_sentence) {
  const ending e = in_child([] {
    ::alarm(60);
    faults::refuse(faults::kind::pthread_create, 1, faults::ever_after);
    static heist::resumption kept;
    {
      heist::pool p(workers(2));
      p.detach([] { heist::suspend([](heist::resumption r) { kept = std::move(r); }); });
    }
    std::_Exit(2);
  });
  EXPECT_EQ(e.signal, SIGABRT) << "code " << e.code << ": " << e.said;
  EXPECT_NE(e.said.find("heist: a pool was destroyed while strands waited in it"), std::string::npos) << e.said;
}

// So does one in which another thread has had the place of one that was blocked.
TEST(a_pool_that_has_replaced_a_thread, ends_with_the_same_sentence) {
  const ending e = in_child([] {
    ::alarm(60);
    static heist::resumption kept;
    {
      heist::pool p(workers(2));
      auto long_call = [] { heist::blocking([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }); };
      p.run([&] { heist::join(long_call, long_call, long_call); });
      p.detach([] { heist::suspend([](heist::resumption r) { kept = std::move(r); }); });
    }
    std::_Exit(2);
  });
  EXPECT_EQ(e.signal, SIGABRT) << "code " << e.code << ": " << e.said;
  EXPECT_NE(e.said.find("heist: a pool was destroyed while strands waited in it"), std::string::npos) << e.said;
}

// Waits block their threads then, and that is said once.
TEST(a_system_that_refuses_stacks, is_named_once) {
  const ending e = in_child([] {
    heist::pool p(workers(2));
    p.run([] { heist::join([] {}, [] {}); });
    faults::refuse(faults::kind::mmap, 1, faults::ever_after);
    p.run([] {
      heist::scope s;
      for (int i = 0; i < 100; ++i)
        s.spawn([i] {
          if (i % 2 == 0) heist::sleep_for(std::chrono::microseconds(100));
        });
    });
    const bool none = p.stats().stackless > 0;
    faults::relent();
    std::_Exit(none ? 0 : 2);
  });
  EXPECT_EQ(e.code, 0) << "signal " << e.signal << ": " << e.said;
  const std::string sentence = "heist: the system refuses more stacks";
  const auto first = e.said.find(sentence);
  EXPECT_NE(first, std::string::npos) << e.said;
  EXPECT_EQ(e.said.find(sentence, first + 1), std::string::npos) << e.said;
}

}  // namespace

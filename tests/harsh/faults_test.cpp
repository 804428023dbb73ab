// Each call that heist makes to the system, refused in turn: once, or from then on.

#include "tests/harsh/everything.hpp"
#include "tests/harsh/faults.hpp"
#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <new>
#include <string>
#include <tuple>

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

}  // namespace

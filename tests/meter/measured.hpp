#pragma once
// Dags whose work and span are known, and pools of several sizes to measure them on.

#include <tests/join/support.hpp>

namespace heist_test {

using heist::measurement;
using heist::unit;

inline void dawdle(int i) {
  if (i % 5 == 0) std::this_thread::yield();
}

struct dag {
  double work, span;
  std::size_t forks;
};

class measured : public testing::TestWithParam<unsigned> {
 protected:
  // Many times over: each has the same work and the same span.
  template <class F>
  void expect(const dag& d, F f) {
    for (int round = 0; round < rounds(60); ++round) {
      const measurement m = pool.run([&] { return heist::measure(f, unit::strand); });
      ASSERT_EQ(m.work, d.work) << "work, round " << round;
      ASSERT_EQ(m.span, d.span) << "span, round " << round;
      ASSERT_EQ(m.forks, d.forks) << "forks, round " << round;
    }
  }
  heist::pool pool{{.workers = GetParam()}};
};
inline void balanced(int depth) {
  if (depth == 0) return dawdle(static_cast<int>(reinterpret_cast<std::uintptr_t>(&depth) >> 6));
  heist::join([=] { balanced(depth - 1); }, [=] { balanced(depth - 1); });
}

}  // namespace heist_test

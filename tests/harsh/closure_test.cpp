// Functions larger than a page, and stricter than a stack in their alignment.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>

namespace {

using namespace heist_test;

// What a closure captures: its sum tells whether it came whole.
template <std::size_t bytes, std::size_t alignment>
struct alignas(alignment) cargo {
  cargo() { std::iota(numbers.begin(), numbers.end(), 0); }
  long sum() const {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(this) % alignment, 0u);
    return std::accumulate(numbers.begin(), numbers.end(), 0L);
  }
  std::array<int, bytes / sizeof(int)> numbers;
};

template <class Cargo>
void carry_everywhere(unsigned n) {
  const Cargo c;
  const long sum = c.sum();
  heist::pool p(workers(n));
  for (int i = 0; i < 20; ++i) {
    const auto total = p.run([c, n] {
      std::atomic<int> here{0};
      // Both branches at once, so that the second is stolen.
      auto meet = [&] {
        ++here;
        EXPECT_TRUE(n == 1 || eventually([&] { return here >= 2; }));
      };
      auto [a, b] = heist::join([c, &meet] { return meet(), c.sum(); }, [c, &meet] { return meet(), c.sum(); });
      std::atomic<long> more{0};
      heist::scope s;
      s.spawn([c, &more] { more += c.sum(); });
      s.spawn_later([c, &more] { more += c.sum(); });
      s.sync();
      return a + b + more;
    });
    ASSERT_EQ(total, 4 * sum);
  }
  // Outside of every pool.
  std::atomic<long> more{0};
  heist::scope s;
  s.spawn([c, &more] { more += c.sum(); });
  s.sync();
  EXPECT_EQ(more, sum);
}

template <class Cargo>
class a_closure : public testing::Test {};
using cargoes = testing::Types<cargo<5'000, 4>, cargo<5'120, 1024>, cargo<100'000, 64>>;
TYPED_TEST_SUITE(a_closure, cargoes, );

TYPED_TEST(a_closure, larger_than_a_page_is_carried_whole) {
  for (const unsigned n : {1u, 2u}) carry_everywhere<TypeParam>(n);
}

}  // namespace

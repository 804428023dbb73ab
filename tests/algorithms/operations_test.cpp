// One notion of an operation: what heist::op has, what the standard has, lambdas and monoids of one's own, each in
// reduce, in the scans and in a reducer, with the same answer.
#include "tests/algorithms/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using heist_test::bits;
using heist_test::in_every_pool;
using text = std::string;

// In place: the operation of a monoid that is not heist's.
struct gather {
  text identity() const { return {}; }
  void operator()(text& left, text&& right) const { left += right; }
};
// The same without an identity, and with something that varies.
struct joined {
  char between;
  text operator()(text left, const text& right) const {
    if (left.empty() || right.empty()) return left + right;
    return left + between + right;
  }
};

std::vector<text> words(int n) {
  std::vector<text> all;
  for (int i = 0; i < n; ++i) all.push_back(std::to_string(i));
  return all;
}
text one_after_the_other(const std::vector<text>& all) { return std::accumulate(all.begin(), all.end(), text()); }

// All the ways in which an operation on texts can be used.
template <class Op>
void expect_it_concatenates(const Op& op) {
  const std::vector<text> all = words(3000);
  const text whole = one_after_the_other(all);
  in_every_pool([&](heist::pool&) {
    ASSERT_EQ(heist::reduce(all, text(), op), whole);
    ASSERT_EQ(heist::reduce(all.begin(), all.end(), text("<"), op, heist::grain{7}), "<" + whole);
    ASSERT_EQ(heist::transform_reduce(all, text(), op, [](const text& t) { return t + t; }).size(), 2 * whole.size());
    std::vector<text> out(all.size());
    heist::inclusive_scan(all, out.begin(), op);
    ASSERT_EQ(out.back(), whole);
    heist::exclusive_scan(all, out.begin(), text("<"), op);
    ASSERT_EQ(out.back() + all.back(), "<" + whole);
    heist::reducer<text, Op> r(text(), op);
    heist::for_each_index(0, 3000, [&](int i) { *r += std::to_string(i); });
    ASSERT_EQ(r.take(), whole);
    ASSERT_EQ(*r, "");
  });
}

TEST(an_operation, may_be_of_heist) { expect_it_concatenates(heist::op::append<text>()); }
TEST(an_operation, may_be_of_the_standard) { expect_it_concatenates(std::plus<>()); }
TEST(an_operation, may_be_a_monoid_that_works_in_place) { expect_it_concatenates(gather()); }
TEST(an_operation, may_be_a_lambda) {
  expect_it_concatenates([](text a, const text& b) { return std::move(a) + b; });
  expect_it_concatenates([](text& a, text&& b) { a += b; });
  const text nothing;
  expect_it_concatenates([&nothing](const text& a, const text& b) { return a + nothing + b; });
}
TEST(an_operation, may_be_a_function) {
  struct plain {
    static text add(text a, const text& b) { return std::move(a) + b; }
  };
  expect_it_concatenates(&plain::add);
}

TEST(an_operation, with_an_identity_needs_no_initial_value) {
  const std::vector<text> all = words(3000);
  const std::vector<int> numbers{4, 9, -3, 7}, none;
  in_every_pool([&](heist::pool&) {
    ASSERT_EQ(heist::reduce(all, heist::op::append<text>()), one_after_the_other(all));
    ASSERT_EQ(heist::reduce(all.begin(), all.end(), gather(), heist::grain{9}), one_after_the_other(all));
    ASSERT_EQ(heist::reduce(numbers, heist::op::max<int>()), 9);
    ASSERT_EQ(heist::reduce(numbers, heist::op::min<long>()), -3L);
    ASSERT_EQ(heist::reduce(none, heist::op::max<int>()), std::numeric_limits<int>::lowest());
    ASSERT_EQ(heist::reduce(none, heist::op::max<std::optional<int>>()), std::nullopt);
    ASSERT_EQ(heist::reduce(numbers, heist::op::max<std::optional<int>>()), 9);
    ASSERT_EQ(heist::transform_reduce(all, heist::op::sum<std::size_t>(), &text::size), one_after_the_other(all).size());
    ASSERT_EQ(heist::transform_reduce(all.begin(), all.end(), heist::op::sum<std::size_t>(), &text::size, heist::grain{5}),
              one_after_the_other(all).size());
    std::vector<int> out(4);
    heist::exclusive_scan(numbers, out.begin(), heist::op::sum<int>());
    ASSERT_EQ(out, (std::vector{0, 4, 13, 10}));
    heist::exclusive_scan(numbers.begin(), numbers.end(), out.begin(), heist::op::min<int>(), heist::grain{1});
    ASSERT_EQ(out, (std::vector{std::numeric_limits<int>::max(), 4, 4, -3}));
  });
}

TEST(an_operation, of_heist_rounds_as_the_standards_does) {
  const std::vector<double> v = heist_test::touchy(100'000);
  in_every_pool([&](heist::pool&) {
    ASSERT_EQ(bits(heist::reduce(v, heist::op::sum<double>())), bits(heist::reduce(v)));
    std::vector<double> one(v.size()), other(v.size());
    heist::inclusive_scan(v, one.begin());
    heist::inclusive_scan(v, other.begin(), heist::op::sum<double>());
    ASSERT_EQ(one, other);
  });
}

TEST(an_operation, of_heist_is_taken_by_the_standards_algorithms) {
  std::vector<int> v{3, 1, 2}, out(3);
  EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0, heist::op::sum<int>()), 6);
  EXPECT_EQ(std::reduce(v.begin(), v.end(), 0, heist::op::max<int>()), 3);
  std::partial_sum(v.begin(), v.end(), out.begin(), heist::op::min<int>());
  EXPECT_EQ(out, (std::vector{3, 1, 1}));
  std::vector<int> left{1}, right{2};
  EXPECT_EQ(heist::op::append<std::vector<int>>()(left, right), (std::vector{1, 2}));
  EXPECT_EQ(left, std::vector{1});
}

TEST(a_reducer, has_an_operation_with_something_in_it) {
  const std::vector<text> all = words(2000);
  in_every_pool([&](heist::pool&) {
    const joined by_commas{','};
    heist::reducer list(text(), by_commas);
    heist::for_each_index(0, 2000, [&](int i) { *list = by_commas(*list, std::to_string(i)); });
    ASSERT_EQ(list.take(), heist::reduce(all, text(), by_commas));
    heist::reducer product(1.0, std::multiplies<>());
    heist::for_each_index(0, 100, [&](int) { *product *= 2; });
    ASSERT_EQ(*product, std::ldexp(1, 100));
  });
}

TEST(a_reducer, may_have_an_operation_without_an_identity_if_that_is_passed) {
  in_every_pool([&](heist::pool&) {
    heist::reducer<text, heist::op::max<text>> last("", {});
    heist::for_each_index(0, 1000, [&](int i) { *last = std::max(*last, std::to_string(i)); });
    ASSERT_EQ(*last, "999");
  });
}

}  // namespace

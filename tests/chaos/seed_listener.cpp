// Linked into every test of a chaos build: a failure says how to have the same decisions again.

#include <heist/base/chaos.hpp>

#include <gtest/gtest.h>

#include <cstdio>

namespace {

class seed_listener : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& test) override {
    const char* const seed = heist::detail::chaos::seed_text();
    if (seed == nullptr || !test.result()->Failed()) return;
    std::printf("HEIST_CHAOS=%s reruns it: --gtest_filter=%s.%s\n", seed, test.test_suite_name(), test.name());
  }
};

[[maybe_unused]] const bool listening = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new seed_listener);
  return true;
}();

}  // namespace

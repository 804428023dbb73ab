// Linked into every test of a chaos build: says how to have the same decisions again, at the start, for those that end
// by a signal or not at all, and after each failure.

#include <heist/check/chaos.hpp>

#include <gtest/gtest.h>

#include <cstdio>

namespace {

class seed_listener : public testing::EmptyTestEventListener {
  void OnTestProgramStart(const testing::UnitTest&) override {
    const char* const seed = heist::detail::chaos::seed_text();
    if (seed != nullptr) std::printf("HEIST_CHAOS=%s\n", seed);
    std::fflush(stdout);
  }
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

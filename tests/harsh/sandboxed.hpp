#pragma once
// Tests whose body runs in a process of its own, which may lock itself in.

#include "tests/harsh/process.hpp"

#include <gtest/gtest.h>

namespace heist_test {

constexpr int no_sandbox = 77;

class sandboxed : public testing::Test {
 protected:
  void SetUp() override {
#if defined(HEIST_TSAN)
    GTEST_SKIP() << "ThreadSanitizer allows no threads in the child of a process with threads";
#endif
  }

  // The body ends by exit code no_sandbox if the kernel refuses to refuse.
  template <class Body>
  static void in_sandbox(Body body) {
    const ending e = in_child(body);
    if (e.code == no_sandbox) GTEST_SKIP() << "this kernel does not let a process refuse itself a system call";
    EXPECT_EQ(e.code, 0) << "signal " << e.signal << ": " << e.said;
  }
};

}  // namespace heist_test

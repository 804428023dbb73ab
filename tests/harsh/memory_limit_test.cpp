// A process that may map no more than a little: ulimit -v.

#include "tests/harsh/everything.hpp"
#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <new>
#include <string>

namespace {

using namespace heist_test;

// What the process has mapped, in bytes.
std::size_t mapped() {
  std::FILE* const f = std::fopen("/proc/self/statm", "r");
  std::size_t pages = 0;
  if (f == nullptr || std::fscanf(f, "%zu", &pages) != 1) return 0;
  std::fclose(f);
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// The limit counts the thread's own stack, too, and one that cannot grow is a fault of nobody's making.
[[gnu::noinline]] void grow_native_stack() {
  volatile char large[2 << 20];
  for (std::size_t i = 0; i < sizeof large; i += 1024) large[i] = 1;
}

TEST(a_limit_on_memory, ends_in_the_right_answer_an_exception_or_a_sentence) {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
  GTEST_SKIP() << "the sanitizers map terabytes";
#endif
  constexpr int threw = 4;
  int right = 0, exceptions = 0, sentences = 0;
  for (std::size_t kib = 64; kib <= 128 * 1024; kib += kib / 2) {
    const ending e = in_child([=] {
      grow_native_stack();
      const std::size_t most = mapped() + kib * 1024;
      const rlimit limit{most, most};
      ::setrlimit(RLIMIT_AS, &limit);
      int code = 1;
      try {
        code = a_bit_of_everything() == answer ? 0 : 2;
      } catch (const std::bad_alloc&) {
        code = threw;
      }
      std::_Exit(code);
    });
    const bool sentence = ended_for_want_of_memory(e);
    EXPECT_TRUE(e.code == 0 || e.code == threw || sentence)
        << kib << " KiB: code " << e.code << ", signal " << e.signal << ": " << e.said;
    ++(e.code == 0 ? right : sentence ? sentences : exceptions);
  }
  EXPECT_GT(right, 0);
  EXPECT_GT(exceptions + sentences, 0);
  std::printf("memory limited: %d times the right answer, %d std::bad_alloc, %d a sentence\n", right, exceptions,
              sentences);
}

}  // namespace

// A library that uses heist, loaded, used and unloaded a hundred times. This program does not know of heist otherwise.

#include <heist/base/sanitizer.hpp>

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

std::size_t threads() {
  std::size_t n = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task")) ++n;
  return n;
}

std::size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t n = 0;
  for (std::string line; std::getline(maps, line);) ++n;
  return n;
}

TEST(a_library_that_uses_heist, is_loaded_used_and_unloaded_a_hundred_times) {
  std::size_t threads_early = 0, mappings_early = 0;
  for (int i = 0; i < 100; ++i) {
    void* const library = ::dlopen(HEIST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << ::dlerror();
    const auto fib = reinterpret_cast<long (*)(int)>(::dlsym(library, "plugin_fib"));
    ASSERT_NE(fib, nullptr) << ::dlerror();
    ASSERT_EQ(fib(15), 610);
    ASSERT_EQ(::dlclose(library), 0);
    if (i == 10) threads_early = threads(), mappings_early = mappings();
  }
  // The default pool's threads are there still, asleep in code that was not unloaded; nothing piles up.
  EXPECT_LE(threads(), threads_early + 3);
#if !defined(HEIST_TSAN)  // whose own books grow
  EXPECT_LE(mappings(), mappings_early + 40);
#endif
}

}  // namespace

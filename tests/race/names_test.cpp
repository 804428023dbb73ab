// Reports name the program's lines: so every file of heist must be known as heist's, and no other.

#include <analysis/race/symbols.hpp>

#include <gtest/gtest.h>

#include <filesystem>

namespace {

bool ours(const std::string& file) { return heist::race::source_place{"f", file, 1}.is_ours(); }

TEST(RaceNames, every_header_of_heist_is_heists) {
  for (const auto& e : std::filesystem::recursive_directory_iterator(HEIST_SOURCE_DIR "/heist"))
    if (e.path().extension() == ".hpp") {
      EXPECT_TRUE(ours(e.path().string())) << e.path();
    }
}

TEST(RaceNames, other_files_are_the_programs) {
  EXPECT_FALSE(ours("/home/me/heist/main.cpp"));
  EXPECT_TRUE(ours("/opt/include/heist/race/builtins.h"));
  EXPECT_FALSE(ours("/home/me/builtins.h"));
  EXPECT_FALSE(ours("/home/me/heist/mine.hpp"));
  EXPECT_FALSE(ours("/home/me/heist/tools/join.hpp"));
  EXPECT_FALSE(ours("/home/me/join.hpp"));
  EXPECT_TRUE(ours("/opt/include/heist/join.hpp"));
}

}  // namespace

// Programs with memory traces on processors with caches.

#include <analysis/cache/address_file.hpp>
#include <analysis/cache/misses.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/measure.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace heist::analysis;

TEST(IdealCache, DropsWhatWasUsedLeastRecently) {
  ideal_cache c(2, 10);
  EXPECT_TRUE(c.touch(1));
  EXPECT_TRUE(c.touch(2));
  EXPECT_FALSE(c.touch(1));
  EXPECT_TRUE(c.touch(3));  // 2 goes
  EXPECT_FALSE(c.touch(1));
  EXPECT_TRUE(c.touch(2));  // 3 goes
  EXPECT_FALSE(c.touch(1));
  EXPECT_TRUE(c.touch(3));
}

TEST(Traces, TouchEveryWordOnceAnInstruction) {
  tracer t;
  t.fork([&] { t.touch(1), t.touch(2); }, [&] { t.touch(3); });
  t.touch(4);
  const auto p = t.finish();
  const measures m = measure(*p->stored());
  EXPECT_EQ(m.threads, 2u);
  EXPECT_EQ(m.work, 6u);  // a spawn, four touches, a sync
  EXPECT_TRUE(oddities(*p->stored()).empty());
  EXPECT_EQ(classify(*p->stored()).kind, strictness::fully_strict);
  EXPECT_EQ(run_with_caches(*p, {}, {64, 1}).misses, 4u);
  EXPECT_EQ(run_with_caches(*p, {}, {64, 8}).misses, 1u);
}

TEST(Traces, OfOneProcessorMissAsTheirTextSays) {
  // All fits into the cache: each line is missed once.
  const auto scan = make_traced("scan:1024");
  EXPECT_EQ(run_with_caches(*scan, {}, {4096, 8}).misses, (2 * 1024 + 16) / 8u);
  const auto heat = make_traced("heat:16,rounds=4,parts=4");
  EXPECT_EQ(run_with_caches(*heat, {}, {1024, 8}).misses, 2u * 16 * 16 / 8);
}

TEST(Misses, GrowByAtMostTwoCachesForEverySteal) {
  for (const char* const name : {"matrix:16", "sort:512", "scan:2048", "heat:24,rounds=5,parts=12", "graph:300"}) {
    const auto p = make_traced(name);
    for (const std::uint32_t words : {16u, 128u, 1024u}) {
      const cache_size size{words, 8};
      const std::uint64_t serial = run_with_caches(*p, {}, size).misses;
      for (const std::uint32_t processors : {2u, 7u, 32u}) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
          options o;
          o.processors = processors;
          o.seed = seed;
          ASSERT_TRUE(misses_bounded(o));
          const cache_run r = run_with_caches(*p, o, size);
          EXPECT_LE(r.misses, serial + 2 * size.places() * r.seen.steals) << name << ' ' << words << ' ' << processors;
          EXPECT_GT(r.misses, 0u);
        }
      }
    }
  }
}

TEST(Misses, AreFewerIfPartsComeBack) {
  const auto heat = make_traced("heat:64,rounds=10,parts=32");
  options o;
  o.processors = 8;
  const cache_run without = run_with_caches(*heat, o, {2048, 8});
  o.affinity = true;
  const cache_run with = run_with_caches(*heat, o, {2048, 8});
  EXPECT_LT(with.misses, without.misses);
  EXPECT_GT(with.seen.parts_kept, without.seen.parts_kept);
}

TEST(Traces, ThatMakeNoSenseAreRefused) {
  EXPECT_THROW(make_traced("nothing:5"), bad_input);
  EXPECT_THROW(make_traced("matrix:5,colour=2"), bad_input);
  EXPECT_THROW(make_traced("heat:0"), bad_input);
  const auto p = make_traced("scan");
  EXPECT_THROW(run_with_caches(*p, {}, {4, 8}), bad_input);
}

// What heist record --addresses writes; "a" and a number below 128 is an access, so many halves of a word behind the
// last.
class AddressFile : public testing::Test {
 protected:
  std::unique_ptr<traced_program> of(const std::string& events, const std::string& first = "heist addresses 1 1\n") {
    std::ofstream(path_, std::ios::binary) << first << events;
    return read_addresses(path_);
  }
  ~AddressFile() override { std::filesystem::remove(path_); }

 private:
  const std::string path_ = testing::TempDir() + "heist_address_file";
};

TEST_F(AddressFile, HasForksChildrenAndAccesses) {
  const std::string next = "a\2";  // the next word
  const auto joined = of(next + "(" + next + next + ")" + next + "j" + next + ".");
  const measures m = measure(*joined->stored());
  EXPECT_EQ(m.threads, 2u);
  EXPECT_EQ(joined->touches(), 5u);
  EXPECT_TRUE(oddities(*joined->stored()).empty());
  EXPECT_EQ(classify(*joined->stored()).kind, strictness::fully_strict);
  // A sync waits for its own group only; the other child is waited for at the end.
  const auto scopes = of("[\1" + next + "][\2" + next + "]s\1" + next + "s\2.");
  EXPECT_EQ(measure(*scopes->stored()).threads, 3u);
  EXPECT_TRUE(oddities(*scopes->stored()).empty());
  // An exception leaves a loop in an iteration; the program ends in the midst of a branch.
  EXPECT_EQ(of("li" + next + "ei" + next + "L.")->touches(), 2u);
  EXPECT_EQ(of("(" + next + "(" + next + ".")->touches(), 2u);
}

TEST_F(AddressFile, MakesTreesOfLoops) {
  std::string loop = "l";
  for (int i = 0; i < 64; ++i) {
    loop += 'i';
    for (int k = 0; k < 500; ++k) loop += "a\2";
    loop += 'e';
  }
  const auto p = of(loop + "L.");
  const measures m = measure(*p->stored());
  EXPECT_EQ(m.threads, 64u);
  EXPECT_TRUE(oddities(*p->stored()).empty());
  EXPECT_LT(m.span, 600u);                                                  // a leaf, and six levels
  EXPECT_EQ(run_with_caches(*p, {}, {1024, 8}).misses, 64u * 500 / 8 + 1);  // the first word is the second of its line
  // Small bodies share a leaf.
  EXPECT_EQ(measure(*of("lia\2eia\2eia\2eia\2eL.")->stored()).threads, 1u);
}

TEST_F(AddressFile, ThatMakesNoSenseIsRefused) {
  EXPECT_THROW(of(".", "something else\n"), bad_input);
  EXPECT_THROW(of(".", "heist addresses 1 0\n"), bad_input);
  EXPECT_THROW(of(".", "heist addresses 1 x\n"), bad_input);
  EXPECT_THROW(of("a"), bad_input);
  for (const char* const events :
       {"a.", "x.", ").", "j.", "i.", "e.", "L.", "[.", "s.", "a\377\377\377\377\377\377\377\377\377\377\377."})
    EXPECT_THROW(of(events), bad_input) << events;
  EXPECT_THROW(read_addresses("/no/such/file"), bad_input);
}

}  // namespace

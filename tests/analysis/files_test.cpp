// Files: what is read is what was written, and what is wrong is said in one line that names the place.

#include <analysis/dag/error.hpp>
#include <analysis/dag/io.hpp>
#include <analysis/dag/measure.hpp>
#include <analysis/dag/random_dag.hpp>
#include <analysis/dag/shapes.hpp>

#include <gtest/gtest.h>

namespace {

using namespace heist::analysis;

std::string complaint(std::string_view file) {
  try {
    read(file, "f");
  } catch (const bad_input& e) {
    const std::string what = e.what();
    EXPECT_EQ(what.find('\n'), std::string::npos);
    EXPECT_LT(what.size(), 500u);
    return what;
  }
  return "";
}

void expect_same(const dag& a, const dag& b) {
  ASSERT_EQ(a.instructions(), b.instructions());
  ASSERT_EQ(a.threads.size(), b.threads.size());
  EXPECT_EQ(a.spawns, b.spawns);
  EXPECT_EQ(a.durations, b.durations);
  EXPECT_EQ(a.thread_of, b.thread_of);
  EXPECT_EQ(a.joins, b.joins);
  EXPECT_EQ(a.root, b.root);
  for (id i = 0; i < a.instructions(); ++i) ASSERT_EQ(a.label(i), b.label(i));
  for (id t = 0; t < a.threads.size(); ++t) ASSERT_EQ(a.threads[t].frame, b.threads[t].frame);
}

TEST(Files, ComeBackAsTheyWereWritten) {
  for (const dag& d : {read_file(EXAMPLES "figure1.dag"), read_file(EXAMPLES "four_workers.prog"),
                       random_dag(3, 400, random_kind::any), expand(*make_shape("sp:2000,frame=5"))}) {
    expect_same(d, read(to_text(d), "text"));
    expect_same(d, read(to_json(d), "json"));
  }
}

TEST(Files, AreDrawnWithABlockForEachThread) {
  const std::string dot = to_graphviz(read_file(EXAMPLES "figure1.dag"));
  std::size_t blocks = 0;
  for (auto at = dot.find("subgraph cluster_"); at != std::string::npos; at = dot.find("subgraph cluster_", at + 1))
    ++blocks;
  EXPECT_EQ(blocks, 6u);
  EXPECT_NE(dot.find("Γ5"), std::string::npos);
}

TEST(BadTexts, AreNamedByLineAndColumn) {
  EXPECT_EQ(complaint(""), "f:1:1: no thread");
  EXPECT_EQ(complaint("thread a : a1\njoin x -> a1"), "f:2:1: join from x, which is in no thread");
  EXPECT_EQ(complaint("thread a : a1 a2\nthread b : b1 b2\nspawn a1 -> b1\njoin b2 -> a1"),
            "f:4:1: a cycle: a1 -> b1 -> b2 -> a1");
  EXPECT_EQ(complaint("thread a : a1 a2\nthread b : b1\nspawn a1 -> b1\nspawn a2 -> b1"),
            "f:4:1: thread b has two parents: a1 spawned it, too");
  EXPECT_EQ(complaint("thread a : a1\nthread b : b1\nthread c : c1\nspawn a1 -> b1\nspawn a1 -> c1"),
            "f:5:1: a1 spawns two threads");
  EXPECT_EQ(complaint("thread a : a1\nthread b : b1"), "f:2:8: no thread spawns b, and a is already the root");
  EXPECT_EQ(complaint("thread a : a1\nthread b : b1\nspawn a1 -> b1\nspawn b1 -> a1"),
            "f:1:8: no root: every thread is spawned by another");
  EXPECT_EQ(complaint("thread a : a1\nthread b : b1\nthread c : c1 \nspawn c1 -> b1\nspawn b1 -> c1"),
            "f:2:8: a cycle: b1 -> c1 -> b1");
  EXPECT_EQ(complaint("thread a : a1 a1"), "f:1:15: instruction a1 is already in thread a");
  EXPECT_EQ(complaint("thread a :"), "f:1:8: thread a has no instruction");
  for (const char* const name : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80"})
    EXPECT_NE(complaint(std::string("thread a : ") + name).find("f:1:12: an instruction's name must be"),
              std::string::npos);
  EXPECT_EQ(complaint("thread a : a1*0"), "f:1:12: the duration of a1 is not in 1 … 2^32 - 1");
  EXPECT_EQ(complaint("thread a a1"), "f:1:10: expected \":\" after the thread's name, found \"a1\"");
  EXPECT_EQ(complaint("join a1"), "f:1:8: expected \"->\" after join, found the end of the file");
  EXPECT_EQ(complaint("thread a : a1\nthread b : b1 b2\nspawn a1 -> b2"),
            "f:3:1: spawn of b2, which is not the first instruction of thread b");
  EXPECT_EQ(complaint(std::string_view("thread a : a1\0", 14)), "f:1:14: byte 0x00 is not allowed in a text");
  EXPECT_EQ(complaint("thread a : a1 a2 a3 thread b : b1 spawn a1 -> b1\njoin b1 -> a3\njoin b1 -> a3"),
            "f:3:1: join b1 -> a3 appears twice");
}

TEST(BadPrograms, AreNamedByLineAndColumn) {
  EXPECT_EQ(complaint("program work"), "f:1:13: an amount of work must be a number, not the end of the file");
  EXPECT_EQ(complaint("program spawn {"),
            "f:1:16: expected work, spawn, sync, repeat or }, found the end of the file");
  EXPECT_EQ(complaint("program }"), "f:1:9: expected work, spawn, sync or repeat, found \"}\"");
  EXPECT_NE(complaint("program repeat 100000 { repeat 100000 { work 1 } }").find("more than 4194304 instructions"),
            std::string::npos);
  EXPECT_NE(complaint("program repeat 4000000000 { repeat 4000000000 { } }").find("more than"), std::string::npos);
}

TEST(BadJson, IsNamedByItsElement) {
  EXPECT_EQ(complaint("{"), "f:1:2: the JSON ends too early");
  EXPECT_EQ(complaint("{\"threads\": [\n}"), "f:2:1: this is not JSON");
  EXPECT_EQ(complaint(R"({"threads":[{"name":"a","instructions":["a1"]}],"joins":[["x","a1"]]})"),
            "f:joins[0]: join from x, which is in no thread");
  EXPECT_EQ(complaint(R"({"threads":[{"name":"a","instructions":["a1",7]}]})"),
            "f:threads[0][1]: an instruction must be a string");
  EXPECT_EQ(complaint(R"({"threads":[{"name":"a\nb","instructions":[]}]})"),
            "f:threads[0]: a thread's name must be at most 64 bytes of letters, digits, _ . and ', and not a word of the format");
  EXPECT_EQ(complaint(R"({"threads":[{"name":"a","instructions":["a1"]}],"joins":[["\n","a1"]]})"),
            "f:joins[0]: join from something that is not a name");
  const std::string whole = to_json(read_file(EXAMPLES "figure1.dag"));
  for (std::size_t n = 1; n + 2 < whole.size(); ++n) EXPECT_NE(complaint(whole.substr(0, n)), "") << n;
}

TEST(BadFiles, OfTenMillionLevelsGetOneLine) {
  constexpr std::size_t levels = 10'000'000;
  EXPECT_EQ(complaint(std::string(levels, '[')), "f:1:9: nested deeper than 8 levels");
  std::string program = "program ";
  program.reserve(levels * 7 + 8);
  for (std::size_t i = 0; i < levels; ++i) program += "spawn{ ";
  EXPECT_NE(complaint(program).find(": nested deeper than 100000 levels"), std::string::npos);
}

}  // namespace

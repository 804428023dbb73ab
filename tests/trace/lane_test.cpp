// A lane keeps the last events and counts the rest; played again, they are slices that do not overlap.

#include <heist/trace/lane.hpp>
#include <heist/trace/timeline.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {
thread_local bool no_memory = false;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  void* const p = no_memory ? nullptr : std::malloc(size);
  return p != nullptr ? p : throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace heist::detail;
using kind = trace_event::kind;

std::vector<kind> kinds(const trace_lane::record& seen) {
  std::vector<kind> all;
  for (const trace_event& e : seen.events) all.push_back(e.what);
  return all;
}

TEST(lane, drops_the_oldest_and_counts_them) {
  trace_lane l(0, 3);
  for (const kind k : {kind::rest, kind::wake, kind::sleep, kind::wake, kind::root}) l.note(k);
  const auto seen = l.close();
  EXPECT_EQ(kinds(seen), (std::vector{kind::sleep, kind::wake, kind::root}));
  EXPECT_EQ(seen.dropped, 2u);
}

TEST(lane, counts_what_there_was_no_memory_for_as_dropped) {
  trace_lane l(0, 10'000);
  constexpr std::size_t noted = 1000;
  l.note(kind::sleep);
  no_memory = true;
  for (std::size_t i = 1; i < noted; ++i) l.note(kind::wake);
  no_memory = false;
  const auto seen = l.close();
  EXPECT_GT(seen.dropped, 0u);
  EXPECT_EQ(seen.events.size() + seen.dropped, noted);
}

TEST(lane, notes_nothing_once_it_is_closed) {
  trace_lane l(0, 3);
  l.close();
  l.note(kind::root);
  l.note_region("late", 0, 1);
  const auto seen = l.close();
  EXPECT_TRUE(seen.events.empty());
  EXPECT_EQ(seen.dropped, 0u);
}

TEST(lane, has_no_end_without_a_run) {
  trace_lane l(0, 100);
  for (const kind k : {kind::end, kind::root, kind::suspend, kind::end, kind::resume, kind::end, kind::end}) l.note(k);
  EXPECT_EQ(kinds(l.close()), (std::vector{kind::root, kind::suspend, kind::resume, kind::end}));
}

TEST(lane, says_from_whom_a_run_was_stolen_and_what_was_not_is_a_root) {
  trace_lane l(0, 100);
  l.note_theft(7, 5, reach::far);
  l.note(kind::stolen);
  l.note(kind::stolen);
  l.note_theft(8, 6, reach::own_node);
  l.note(kind::continuation);
  const auto seen = l.close();
  EXPECT_EQ(kinds(seen), (std::vector{kind::stolen, kind::root, kind::continuation}));
  EXPECT_EQ(seen.events[0].from, 7u);
  EXPECT_EQ(seen.events[0].since, 5);
  EXPECT_EQ(seen.events[0].over, reach::far);
  EXPECT_EQ(seen.events[1].from, trace_event::nobody);
  EXPECT_EQ(seen.events[2].from, 8u);
  EXPECT_EQ(seen.events[2].over, reach::own_node);
}

TEST(lane, is_closed_while_its_worker_is_busy) {
  trace_lane l(0, 1'000'000);
  std::atomic<bool> begun{false}, stop{false};
  std::thread busy([&] {
    for (; !stop; begun = true) l.note(kind::root), l.note(kind::end);
  });
  while (!begun) std::this_thread::yield();
  EXPECT_FALSE(l.close().events.empty());
  EXPECT_TRUE(l.close().events.empty());
  stop = true;
  busy.join();
}

std::string json(const timeline& t) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const to = ::open_memstream(&text, &size);
  write_json(t, to);
  std::fclose(to);
  std::string all(text, size);
  std::free(text);
  return all;
}

// The lines of lane 0 in a pool of one worker that ended at 10 µs.
std::string played(std::deque<trace_event> events, unsigned workers = 1) {
  timeline t;
  t.pools.push_back({1, workers, 10'000, {{0, {std::move(events), 0}}}});
  const std::string all = json(t);
  const auto names = all.find("thread_sort_index"), first = all.find(",\n", names) + 2;
  return all.substr(first, all.find("],\n\"displayTimeUnit") - first);
}

trace_event event(heist::detail::nanoseconds at, kind what) { return {.at = at, .what = what}; }

TEST(timeline, a_loan_of_the_seat_cuts_its_threads_sleep) {
  EXPECT_EQ(
      played({event(0, kind::sleep), event(1'000, kind::root), event(2'500, kind::rest), event(4'000, kind::wake)}),
      R"({"ph":"X","pid":1,"tid":2,"ts":0.000,"dur":1.000,"cat":"sleep","name":"asleep","args":{"end":"lent","begin":"sleep"}},
{"ph":"X","pid":1,"tid":2,"ts":1.000,"dur":1.500,"cat":"run","name":"root","args":{"end":"ended"}},
{"ph":"X","pid":1,"tid":2,"ts":2.500,"dur":1.500,"cat":"sleep","name":"asleep","args":{"end":"woken","begin":"rest"}})");
}

TEST(timeline, what_goes_on_at_the_end_ends_there) {
  EXPECT_EQ(
      played({event(2'000, kind::wake), event(3'000, kind::resume)}),
      R"({"ph":"X","pid":1,"tid":2,"ts":1.000,"dur":7.000,"cat":"run","name":"resumed","args":{"end":"trace ended"}})");
}

TEST(timeline, a_steal_is_an_arrow_and_a_slice_that_names_it) {
  trace_event theft{.at = 3'000, .since = 2'000, .from = 4, .what = kind::stolen};
  EXPECT_EQ(played({event(0, kind::wake), theft, event(5'000, kind::suspend)}),
            R"({"ph":"s","id":1,"pid":1,"tid":6,"ts":2.000,"cat":"steal","name":"steal"},
{"ph":"f","bp":"e","id":1,"pid":1,"tid":2,"ts":3.000,"cat":"steal","name":"steal"},
{"ph":"X","pid":1,"tid":2,"ts":3.000,"dur":2.000,"cat":"run","name":"stolen","args":{"end":"suspended","from":4,"steal":1}})");
}

TEST(timeline, a_steal_from_another_node_is_marked) {
  trace_event theft{.at = 3'000, .since = 2'000, .from = 4, .what = kind::stolen, .over = reach::far};
  EXPECT_NE(played({event(0, kind::wake), theft, event(5'000, kind::suspend)}).find(R"("steal":1,"far":true}})"), std::string::npos);
}

TEST(timeline, a_region_goes_from_where_it_began_to_where_it_ended) {
  trace_event region{.at = 3'000, .since = 2'000, .name = "a \"b\"\xff", .from = 4, .what = kind::region};
  EXPECT_EQ(played({event(0, kind::wake), region}),
            R"({"ph":"b","id":1,"pid":1,"tid":6,"ts":2.000,"cat":"region","name":"a \"b\"?"},
{"ph":"e","id":1,"pid":1,"tid":2,"ts":3.000,"cat":"region","name":"a \"b\"?"})");
}

TEST(timeline, a_region_that_began_first_is_the_beginning) {
  trace_event region{.at = 3'000, .since = 500, .name = "r", .from = 0, .what = kind::region};
  EXPECT_NE(played({event(1'000, kind::root), region}).find(R"("ts":0.000,"cat":"region")"), std::string::npos);
}

TEST(timeline, a_theft_that_was_begun_first_is_the_beginning) {
  trace_event theft{.at = 3'000, .since = 500, .from = 4, .what = kind::stolen};
  EXPECT_NE(played({event(1'000, kind::wake), theft}).find(R"("ts":0.000,"cat":"steal")"), std::string::npos);
}

TEST(timeline, a_temporary_seat_is_not_asleep_when_nobody_sits_on_it) {
  timeline t;
  t.pools.push_back(
      {1, 1, 10'000, {{1, {{event(0, kind::rest), event(1'000, kind::root), event(2'000, kind::rest)}, 0}}}});
  const std::string all = json(t);
  EXPECT_EQ(all.find("asleep"), std::string::npos);
  EXPECT_NE(all.find("caller-1"), std::string::npos);
  EXPECT_NE(all.find(R"("name":"root")"), std::string::npos);
}

TEST(timeline, pools_and_lanes_have_their_names_and_numbers) {
  timeline t;
  t.pools.push_back({0, 0, 10'000, {{0, {{}, 0}}}});
  t.pools.push_back({1, 1, 10'000, {{0, {{}, 0}}, {1, {{}, 0}}}});
  const std::string all = json(t), begin = "{\"traceEvents\":[\n", end = "],\n\"displayTimeUnit";
  EXPECT_EQ(all.substr(begin.size(), all.find(end) - begin.size()),
            R"({"ph":"M","pid":1,"name":"process_name","args":{"name":"outside every pool"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"callers","pool":0,"lane":0}},
{"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":3,"name":"process_name","args":{"name":"pool 1"}},
{"ph":"M","pid":3,"tid":4,"name":"thread_name","args":{"name":"heist-0","pool":1,"lane":0}},
{"ph":"M","pid":3,"tid":4,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":3,"tid":5,"name":"thread_name","args":{"name":"caller-1","pool":1,"lane":1}},
{"ph":"M","pid":3,"tid":5,"name":"thread_sort_index","args":{"sort_index":1}})");
}

TEST(timeline, of_a_program_without_pools_is_valid) {
  timeline t;
  t.program = "tab\t";
  EXPECT_NE(json(t).find(R"("traceEvents":[],)"), std::string::npos);
  EXPECT_NE(json(t).find(R"("program":"tab\u0009")"), std::string::npos);
}

}  // namespace

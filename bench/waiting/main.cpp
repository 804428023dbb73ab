// What does it cost to wait: to suspend and resume a strand, to hand a value over, to contend for a lock? Do thousands
// of tasks that wait keep two workers busy, with heist and with others?
//
// bench_waiting [--rounds N] [TABLE…]; the tables' names are in main(). One round is for a test of the benchmark
// itself: everything is ten times smaller.

#include <bench/common/bench.hpp>
#include <bench/waiting/contest.hpp>
#include <bench/waiting/folder.hpp>
#include <bench/waiting/work.hpp>

#include <cmath>
#include <csignal>
#include <map>

namespace {

using namespace waiting;
using bench::series;
using bench::text;

int rounds = 0;

long scaled(long n) { return rounds == 1 ? n / 10 : n; }

// How many steps of chain() take a nanosecond.
double steps_per_ns() {
  constexpr long steps = 100'000;
  double least = 1e9;
  for (int i = 0; i < 50; ++i) {
    word x = static_cast<word>(i);
    least = std::min(least, bench::ns_of([&] { x = chain(x, steps); }));
    bench::opaque(x);
  }
  return steps / least;
}

long steps_of(double ns) {
  static const double rate = steps_per_ns();
  return static_cast<long>(ns * rate);
}

// ns for one, of all that take part.
std::vector<outcome> play_ns(const std::vector<entry>& entries) {
  std::vector<outcome> all = play(entries, rounds);
  bench::table t({"ns", "min", "median"});
  for (const outcome& o : all) t.add({o.of.name, text("%.1f", o.each().min()), text("%.1f", o.median())});
  t.print();
  return all;
}

// A task that does the same n times.
entry many(const char* name, const std::string& command, const char* task, long n, bool peer = false) {
  return {name, command, text("%s %ld", task, scaled(n)), static_cast<double>(scaled(n)), peer};
}

void play_suspend() {
  std::printf("suspend and resume\n\n");
  const auto all = play_ns({many("resumed at once, one worker", "suspend 1", "at_once", 200'000),
                            many("two strands in turns, one worker", "suspend 1", "in_turns", 100'000),
                            many("two strands in turns, two workers", "suspend 2", "in_turns", 100'000),
                            many("resumed by another thread, a worker searches", "suspend 1", "from_outside", 300),
                            many("heist::blocking of an empty function", "suspend 1", "blocking", 200'000),
                            many("the function alone", "suspend 1", "called", 200'000)});
  print_target("resumed at once", all[0].median(), 250, "ns");
  print_target("in turns, one worker", all[1].median(), 250, "ns");
  print_target("by another thread", all[3].median(), 1500, "ns");
  print_target("blocking, more than the function alone", all[4].median() - all[5].median(), 200, "ns");
}

// A process of its own for each number of strands: what it has once touched it keeps for a while.
void play_many() {
  std::printf("strands that all wait at once, two workers, stacks of 8 MiB\n\n");
  std::vector<entry> entries;
  for (const long n : {1'000, 10'000, 100'000})
    entries.push_back({text("%ld strands", scaled(n)), text("suspend 2 %ld", n), text("many %ld", scaled(n)),
                       static_cast<double>(scaled(n)), false});
  const auto all = play(entries, 1);
  bench::table t({"", "KiB each, page tables included", "most that waited", "waits that blocked their threads"});
  for (const outcome& o : all)
    t.add({o.of.name, text("%.2f", o.figures[0].median()), text("%.0f", o.figures[1].median()),
           text("%.0f", o.figures[2].median())});
  t.print();
  const outcome& most = all.back();
  print_target("resident, " + most.of.name, most.figures[0].median(), 12, "KiB");
  const bool all_waited = most.figures[1].median() >= most.of.count && most.figures[2].median() == 0;
  std::printf("- target: all of them waited at once, none on its thread: %s\n", all_waited ? "met" : "missed");
}

// A source, a parallel stage and an ordered one, 32 items in flight.
void play_pipeline() {
  for (const double ns : {0.0, 10'000.0}) {
    const long n = scaled(ns == 0 ? 200'000 : 5'000), steps = ns == 0 ? 1 : steps_of(ns);
    for (const unsigned workers : {1u, 2u}) {
      std::printf("a pipeline, a parallel stage of %.0f us, by item, workers: %u\n\n", ns / 1000, workers);
      const std::string task = text("pipeline %ld %ld", n, steps);
      const auto all = play_ns({{"heist::pipeline", text("heist %u", workers), task, static_cast<double>(n), false},
                                {"tbb::parallel_pipeline", text("tbb %u", workers), task, static_cast<double>(n), true}});
      print_target("heist, as oneTBB", all[0].median(), all[1].median(), "ns");
      std::printf("\n");
    }
  }
}

void play_async() {
  std::printf("a future of an empty function, nothing stolen\n\n");
  const auto all = play_ns({many("heist::async and get", "heist 1", "async", 200'000),
                            many("std::async and get", "threads 1", "async", 300),
                            many("oneTBB, task_group: run and wait", "tbb 1", "async", 100'000)});
  print_target("heist::async and get", all[0].median(), 20, "ns");
}

void play_channel() {
  constexpr long n = 30'000;
  for (const unsigned workers : {1u, 2u}) {
    std::printf("a value there and back by channels of capacity 0, workers: %u\n\n", workers);
    const auto on = [=](const char* program) { return text(program, workers); };
    std::vector<entry> entries{many("heist", on("heist %u"), "ping_pong", n),
                               many("Boost.Fiber", on("fiber %u own"), "ping_pong", n, true),
                               many("Go", on("goroutines %u"), "ping_pong", n, true)};
    if (workers == 2) {
      // They poll, and take very long if they lack a core.
      entries.push_back(many("Boost.Fiber, sharing", "fiber 2 sharing", "ping_pong", n / 10, true));
      entries.push_back(many("Boost.Fiber, stealing", "fiber 2 stealing", "ping_pong", n / 10, true));
      entries.push_back(many("two threads and a condition variable", "threads 2", "ping_pong", n / 10));
    }
    const auto all = play_ns(entries);
    if (const outcome* const go = find(all, "Go")) print_target("heist, as Go", all[0].median(), go->median(), "ns");
    std::printf("\n");
  }
}

void play_mutex() {
  for (const double ns : {100.0, 10'000.0}) {
    std::printf("eight that want a lock for %.0f ns, by section\n\n", ns);
    const long n = ns < 1000 ? 4'000 : 400;
    const std::string task = text("sections 8 %ld %ld", scaled(n), steps_of(ns));
    const double count = 8.0 * static_cast<double>(scaled(n));
    const auto all = play_ns({{"heist, eight workers", "heist 8", task, count, false},
                              {"heist, two workers", "heist 2", task, count, false},
                              {"std::mutex, eight threads", "threads 8", task, count, true},
                              {"Boost.Fiber, eight threads", "fiber 8 own", task, count, true},
                              {"Boost.Fiber, two threads", "fiber 2 own", task, count, true},
                              {"Boost.Fiber, two threads, stealing", "fiber 2 stealing", task, count, true},
                              {"Go, eight workers", "goroutines 8", task, count, true},
                              {"Go, two workers", "goroutines 2", task, count, true}});
    print_target("heist, eight workers, as std::mutex", all[0].median(), 1.1 * all[2].median(), "ns");
    std::printf("\n");
  }
}

// Tasks that wait and compute. The first entry computes without waiting. The last figure of each outcome is its memory.
std::vector<outcome> play_waiting(const std::vector<entry>& entries) {
  auto all = play(entries, rounds);
  bench::table t({"", "ms: min", "median", "of the computation", "of its processor time", "peak memory, MiB"});
  for (outcome& o : all) {
    // One more turn, in which we look at the memory every millisecond.
    double peak = 0;
    o.who->ask(o.of.task, [&] { peak = std::max(peak, o.who->resident_kib()); });
    o.figures.emplace_back().add(peak / 1024);
    t.add({o.of.name, text("%.1f", o.figures[0].min() / 1e6), text("%.1f", o.figures[0].median() / 1e6),
           text("%.1f %%", 100 * bench::ratio(o.each(), all[0].each()).median()),
           text("%.1f %%", 100 * bench::ratio(o.each(1), all[0].each(1)).median()), text("%.1f", peak / 1024)});
  }
  t.print();
  return all;
}

std::vector<entry> those_that_wait(const std::string& task, const std::string& fewer, double count, double few) {
  return {{"the computation alone, two threads", "threads 2", task, count, false},
          {"heist", "heist 2", task, count, false},
          {"oneTBB, two threads that block", "tbb 2", fewer, few, true},
          {"oneTBB, 256 threads that block", "tbb 256", task, count, true},
          {"Boost.Fiber", "fiber 2 own", task, count, true},
          {"Boost.Fiber, sharing", "fiber 2 sharing", task, count, true},
          {"Boost.Fiber, stealing", "fiber 2 stealing", task, count, true},
          {"Go", "goroutines 2", task, count, true}};
}

void play_tasks() {
  const long n = scaled(10'000), steps = steps_of(100'000);
  std::printf("%ld tasks that wait 10 ms and compute 100 us, two workers (of the first that blocks: 200 tasks)\n\n", n);
  const auto all = play_waiting(those_that_wait(text("compute %ld 10 %ld", n, steps), text("compute 200 10 %ld", steps),
                                                static_cast<double>(n), 200));
  print_target("heist, of the computation", 100 * bench::ratio(all[1].each(), all[0].each()).median(), 105, "%");
  const auto memory = [](const outcome& o) { return o.figures.back().max(); };
  const auto but_go = [&](const outcome& o) { return o.of.name == "Go" ? HUGE_VAL : memory(o); };
  print_target("heist, memory, as the best peer but Go", memory(all[1]), best_peer(all, but_go), "MiB");
}

void play_forks() {
  const long n = scaled(1'000);
  std::printf(
      "%ld tasks that wait 10 ms and sort 10,000 numbers, two workers (of the first that blocks: 100 tasks)\n\n", n);
  const auto all =
      play_waiting(those_that_wait(text("sort %ld 10 10000", n), "sort 100 10 10000", static_cast<double>(n), 100));
  const auto median_ms = [&](const outcome& o) { return o.median() * static_cast<double>(n) / 1e6; };
  print_target("heist, as the best peer", median_ms(all[1]), best_peer(all, median_ms), "ms");
}

// An echo server in each contestant's process, and one client for all. A rate of 0: as many requests as they can.
void echo_at(long rate, long requests) {
  constexpr long connections = 1'000, leaves = 8;
  const long steps = steps_of(50'000.0 / leaves);
  const std::string ask = text("listen %ld %ld", leaves, steps);
  player client("load 1");
  std::map<const player*, std::uint16_t> ports;
  const auto all = play({{"heist::io", "heist_io 2", ask, 1, false},
                         {"Boost.Asio", "asio 2", ask, 1, true},
                         {"Boost.Asio, without forks", "asio 2", text("listen 1 %ld", leaves * steps), 1, true},
                         {"Go", "goroutines 2", ask, 1, true}},
                        rounds, [&](player& p, const entry& e) {
                          if (!ports.contains(&p)) ports[&p] = static_cast<std::uint16_t>(p.ask(e.task)[0]);
                          const long n = e.task == ask ? leaves : 1;
                          return client.ask(text("play %d %ld %ld %ld %ld %ld", ports[&p], connections, n,
                                                 leaves * steps / n, scaled(requests), rate));
                        });
  bench::table t({"", "requests/s: max", "median", "p50, us: min", "median", "p99, us: min", "median"});
  for (const outcome& o : all)
    t.add({o.of.name, text("%.0f", o.figures[0].max()), text("%.0f", o.figures[0].median()),
           text("%.0f", o.figures[1].min()), text("%.0f", o.figures[1].median()),  //
           text("%.0f", o.figures[2].min()), text("%.0f", o.figures[2].median())});
  t.print();
  if (all.empty() || all[0].of.peer) return;
  const auto us_a_request = [](const outcome& o) { return 1e6 / o.figures[0].median(); };
  const auto p99 = [](const outcome& o) { return o.figures[2].median(); };
  if (rate == 0)
    print_target("heist, time a request, as the best peer", us_a_request(all[0]), best_peer(all, us_a_request), "us");
  print_target("heist, p99, as the best peer", p99(all[0]), best_peer(all, p99), "us");
}

void play_echo() {
  std::printf(
      "an echo server, 1,000 connections, 50 us of forks and joins a request, two workers: as fast as it goes\n\n");
  echo_at(0, 30'000);
  std::printf("\nthe same, 5,000 requests a second\n\n");
  echo_at(5'000, 10'000);
}

void play_files() {
  static const folder_of_files there(scaled(10'000));  // removed at exit, also after a wrong result
  for (const bool cold : {true, false}) {
    std::printf("reading %ld files of 16 KiB and hashing them, two workers, page cache %s\n\n", there.all().count(),
                cold ? "cold" : "warm");
    const std::string task = text("files %s %ld", there.path().c_str(), there.all().count());
    const double count = static_cast<double>(there.all().count());
    const auto all = play({{"heist::io", "heist_io 2", task, count, false},
                           {"heist::blocking", "heist 2", task, count, false},
                           {"oneTBB, two threads", "tbb 2", task, count, true},
                           {"oneTBB, 64 threads", "tbb 64", task, count, true},
                           {"std::async, at most 64 at once", "threads 64", task, count, true}},
                          rounds, [&](player& p, const entry& e) {
                            if (cold) there.forget();
                            return p.ask(e.task);
                          });
    bench::table t({"us a file", "min", "median"});
    for (const outcome& o : all) t.add({o.of.name, text("%.2f", o.each().min() / 1e3), text("%.2f", o.median() / 1e3)});
    t.print();
    const auto us = [](const outcome& o) { return o.median() / 1e3; };
    for (const outcome& o : all)
      if (!o.of.peer) print_target(o.of.name + ", as the best peer", us(o), best_peer(all, us), "us");
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a contestant that has ended is seen at its answer
  const std::vector<std::pair<std::string, void (*)()>> tables{
      {"suspend", play_suspend}, {"many", play_many},         {"async", play_async}, {"channel", play_channel},
      {"mutex", play_mutex},     {"pipeline", play_pipeline},
      {"tasks", play_tasks},     {"forks", play_forks}, {"echo", play_echo},       {"files", play_files}};
  std::vector<std::string> wanted;
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    const bool named = std::any_of(tables.begin(), tables.end(), [&](const auto& t) { return t.first == argv[i]; });
    if (named)
      wanted.emplace_back(argv[i]);
    else
      rest.push_back(argv[i]);
  }
  const bench::options o = bench::parse(static_cast<int>(rest.size()), rest.data(), 7);
  rounds = o.rounds;
  bench::introduce("waiting", o);
  for (const auto& [name, table] : tables) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    table();
    std::printf("\n");
    std::fflush(stdout);
  }
}

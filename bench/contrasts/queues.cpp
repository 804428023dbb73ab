// Where the tasks are: in a deque for each thread, in one queue for all, or sent away when they are made.

#include "contrasts.hpp"
#include "scheduler.hpp"

#include <heist/heist.hpp>

#include <atomic>

namespace contrasts {

namespace {

void work_for(int steps) {
  for (int i = 0; i < steps; ++i) asm volatile("" : : "r"(i) : "memory");
}

template <class Place>
double tree_ns(unsigned threads, std::uint32_t leaves, int steps) {
  std::atomic<long> sum{0};
  const double ns = bench::ns_of([&] {
    run_tree<Place>(threads, leaves, [&](std::uint32_t i) {
      work_for(steps);
      if (i % 64 == 0) sum.fetch_add(i, std::memory_order_relaxed);
    });
  });
  long right = 0;
  for (std::uint32_t i = 0; i < leaves; i += 64) right += i;
  bench::expect(sum == right, "a leaf did not run once");
  return ns / leaves;
}

double heist_ns(heist::pool& pool, std::uint32_t leaves, int steps) {
  return bench::ns_of([&] {
           pool.run([&] {
             heist::for_each_index(
                 std::uint32_t{0}, leaves, [&](std::uint32_t) { work_for(steps); }, heist::grain{1});
           });
         }) /
         leaves;
}

}  // namespace

void queues(const size& s) {
  const unsigned threads = 2;
  std::printf("A tree of tasks on %u threads: ns a leaf, by how much a leaf does\n\n", threads);
  heist::pool pool({.workers = threads});
  bench::table t({"a leaf does", "a deque each", "one queue for all", "against a deque each", "work sharing",
                  "against a deque each", "heist, for comparison"});
  for (const int steps : {10, 100, 1'000, 10'000}) {
    const auto leaves = static_cast<std::uint32_t>(s.of(20'000'000, 20'000) / (steps + 190));
    bench::contest c;
    c.add([=] { return tree_ns<own_deques>(threads, leaves, steps); });
    c.add([=] { return tree_ns<central_queue>(threads, leaves, steps); });
    c.add([=] { return tree_ns<sharing>(threads, leaves, steps); });
    c.add([=, &pool] { return heist_ns(pool, leaves, steps); });
    c.play(s.rounds);
    using bench::text;
    t.add({text("%d steps", steps), text("%.0f", c[0].median()), text("%.0f", c[1].median()),
           text("%.2f", bench::ratio(c[1], c[0]).median()), text("%.0f", c[2].median()),
           text("%.2f", bench::ratio(c[2], c[0]).median()), text("%.0f", c[3].median())});
  }
  t.print();
}

}  // namespace contrasts

// Two threads count, each in a variable of its own: in one cache line, or in two.

#include "contrasts.hpp"

#include <heist/padded.hpp>

#include <atomic>
#include <thread>

namespace contrasts {

namespace {

template <class Counter>
double count_ns(long turns) {
  Counter counters[2];
  auto count = [&](std::size_t me) {
    std::atomic<long>& mine = *counters[me];
    for (long i = 0; i < turns; ++i) mine.store(mine.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  };
  const double ns = bench::ns_of([&] {
    std::thread other([&] { count(1); });
    count(0);
    other.join();
  });
  bench::expect(*counters[0] == turns && *counters[1] == turns, "a count is wrong");
  return ns / static_cast<double>(turns);
}

// The same interface, and no padding.
struct bare {
  std::atomic<long> value{0};
  std::atomic<long>& operator*() { return value; }
};

}  // namespace

void false_sharing(const size& s) {
  std::printf("Two threads, a counter each: ns for one more\n\n");
  const long turns = s.of(5'000'000, 10'000);
  bench::contest c;
  c.add([=] { return count_ns<bare>(turns); });
  c.add([=] { return count_ns<heist::padded<std::atomic<long>>>(turns); });
  c.play(s.rounds);
  bench::table t({"", "ns", "against heist::padded"});
  t.add({"neighbours", bench::text("%.2f", c[0].median()), bench::text("%.1f", bench::ratio(c[0], c[1]).median())});
  t.add({"heist::padded", bench::text("%.2f", c[1].median()), "1"});
  t.print();
}

}  // namespace contrasts

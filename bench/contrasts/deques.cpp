// One deque, three ways: what its owner pays alone, and beside a thief that never stops.

#include "contrasts.hpp"
#include "other_deques.hpp"

#include <heist/deque.hpp>

#include <atomic>
#include <thread>

namespace contrasts {

namespace {

// Ns for a push and a pop, eight deep. Every item is taken once: their sum is right.
template <class Deque>
double owner_ns(int turns, bool with_thief) {
  Deque d;
  std::atomic<bool> over{false};
  std::atomic<long> sum{0};
  std::thread thief;
  if (with_thief)
    thief = std::thread([&] {
      long mine = 0;
      while (!over.load(std::memory_order_relaxed))
        if (const auto item = d.steal()) mine += *item;
      sum += mine;
    });
  long mine = 0;
  const double ns = bench::ns_of([&] {
    for (long i = 0; i < turns; ++i) {
      for (long k = 1; k <= 8; ++k) d.push(k);
      for (int k = 0; k < 8; ++k)
        if (const auto item = d.pop()) mine += *item;
    }
  });
  over = true;
  if (thief.joinable()) thief.join();
  while (const auto item = d.pop()) mine += *item;
  bench::expect(mine + sum == 36L * turns, "a deque lost an item, or gave it twice");
  return ns / (8.0 * turns);
}

}  // namespace

void deques(const size& s) {
  std::printf("A deque: ns for the owner's push and pop\n\n");
  const int turns = s.of(300'000, 2'000);
  bench::contest c;
  for (const bool thief : {false, true}) {
    c.add([=] { return owner_ns<heist::deque<long>>(turns, thief); });
    c.add([=] { return owner_ns<the_deque<long>>(turns, thief); });
    c.add([=] { return owner_ns<locked_deque<long>>(turns, thief); });
  }
  c.play(s.rounds);
  bench::table t({"", "alone", "against Chase–Lev", "beside a thief", "against Chase–Lev"});
  const char* names[] = {"Chase–Lev (heist::deque)", "THE (Cilk-5)", "under a lock"};
  for (std::size_t i = 0; i < 3; ++i)
    t.add({names[i], bench::text("%.1f", c[i].median()), bench::text("%.2f", bench::ratio(c[i], c[0]).median()),
           bench::text("%.1f", c[i + 3].median()), bench::text("%.2f", bench::ratio(c[i + 3], c[3]).median())});
  t.print();
}

}  // namespace contrasts

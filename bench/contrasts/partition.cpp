// Four workers whose shares take 100, 100, 200 and 350 units: each does its own, or those that are done steal. A unit is a wait, not a
// computation, so that four workers really overlap on any machine.

#include "contrasts.hpp"

#include <heist/base/random.hpp>
#include <heist/deque.hpp>
#include <heist/padded.hpp>

#include <sys/prctl.h>

#include <array>
#include <atomic>
#include <thread>

namespace contrasts {

namespace {

constexpr std::array shares{100, 100, 200, 350};  // 750 units: 187.5 for each of four

void one_unit(std::chrono::microseconds length) { std::this_thread::sleep_for(length); }

// The part of the workers' time that is work. A unit counts for as long as it should take: what a sleep takes longer is lost.
double efficiency(std::chrono::microseconds unit, bool stealing) {
  std::array<heist::padded<heist::deque<int>>, shares.size()> deques;
  for (std::size_t i = 0; i < shares.size(); ++i)
    for (int k = 0; k < shares[i]; ++k) deques[i].value.push(k);
  std::atomic<int> left{750};
  auto work = [&](std::size_t me) {
    ::prctl(PR_SET_TIMERSLACK, 1ul);  // sleep no longer than need be
    heist::detail::random dice(static_cast<unsigned>(me));
    while (left > 0) {
      auto item = deques[me].value.pop();
      if (!item && !stealing) return;
      if (!item) item = deques[dice.below(static_cast<unsigned>(shares.size()))].value.steal();
      if (!item) {
        std::this_thread::yield();
        continue;
      }
      one_unit(unit);
      --left;
    }
  };
  const double makespan = bench::ns_of([&] {
    std::vector<std::thread> all;
    for (std::size_t i = 0; i < shares.size(); ++i) all.emplace_back(work, i);
    for (std::thread& t : all) t.join();
  });
  return 750 * std::chrono::duration<double, std::nano>(unit).count() / (4 * makespan);
}

}  // namespace

void partition(const size& s) {
  const std::chrono::microseconds unit(s.of(1000, 100));
  std::printf("Four workers with 100, 100, 200 and 350 units of %d µs: the part of their time in which they work\n\n",
              static_cast<int>(unit.count()));
  bench::contest c;
  for (const bool stealing : {false, true}) c.add([=] { return 100 * efficiency(unit, stealing); });
  c.play(s.rounds);
  bench::table t({"", "on paper", "measured: median", "least", "most"});
  const char* names[] = {"static partition", "stealing"};
  const char* paper[] = {"750 / (4 · 350) = 53.6 %", "750 / (4 · 188) = 99.7 %"};
  for (std::size_t i = 0; i < 2; ++i)
    t.add({names[i], paper[i], bench::text("%.1f %%", c[i].median()), bench::text("%.1f %%", c[i].min()),
           bench::text("%.1f %%", c[i].max())});
  t.print();
}

}  // namespace contrasts

// The order at the owner's end, on one thread: a program that passes over its range and then splits it, as quicksort does. Last in,
// first out goes on with the half that it has just touched; first in, first out passes over everything again, level by level.

#include "contrasts.hpp"
#include "misses.hpp"

#include <heist/deque.hpp>

#include <numeric>
#include <vector>

namespace contrasts {

namespace {

struct range {
  std::uint32_t first, last;
};

enum class end { last_in, first_in };

struct figures {
  double ns = 0, misses = -1, most_queued = 0;
};

figures pass_and_split(std::vector<std::uint32_t>& data, std::uint32_t leaf, end taken) {
  heist::deque<range> todo(64);
  todo.push({0, static_cast<std::uint32_t>(data.size())});
  std::size_t most = 0;
  figures f;
  cache_misses counter;
  const double ns = bench::ns_of([&] {
    for (;;) {
      most = std::max(most, todo.size());
      const auto r = taken == end::last_in ? todo.pop() : todo.steal();
      if (!r) break;
      for (std::uint32_t i = r->first; i < r->last; ++i) data[i] += 1;
      if (r->last - r->first <= leaf) continue;
      const std::uint32_t middle = r->first + (r->last - r->first) / 2;
      todo.push(range{middle, r->last});
      todo.push(range{r->first, middle});
    }
  });
  const double elements = static_cast<double>(data.size());
  f.misses = counter.read();
  if (f.misses >= 0) f.misses /= elements;
  f.ns = ns / elements;
  f.most_queued = static_cast<double>(most);
  return f;
}

}  // namespace

void order(const size& s) {
  const std::size_t n = static_cast<std::size_t>(s.of(1 << 24, 1 << 16));
  std::printf("The owner's end: pass over %zu numbers, halve, and so on down to 4096\n\n", n);
  std::vector<std::uint32_t> data(n);
  figures last[2];
  bench::contest c;
  for (const end e : {end::last_in, end::first_in})
    c.add([&, e] {
      std::fill(data.begin(), data.end(), 0u);
      last[static_cast<int>(e)] = pass_and_split(data, 4096, e);
      bench::expect(std::all_of(data.begin(), data.end(), [&](std::uint32_t x) { return x == data[0]; }), "a pass was left out");
      return last[static_cast<int>(e)].ns;
    });
  c.play(s.rounds);
  bench::table t({"the owner takes", "ns an element", "against last in", "cache misses an element", "tasks queued at once"});
  const char* names[] = {"last in, first out", "first in, first out"};
  for (std::size_t i = 0; i < 2; ++i)
    t.add({names[i], bench::text("%.2f", c[i].median()), bench::text("%.2f", bench::ratio(c[i], c[0]).median()),
           last[i].misses >= 0 ? bench::text("%.3f", last[i].misses) : std::string("refused"),
           bench::text("%.0f", last[i].most_queued)});
  t.print();
  if (last[0].misses < 0) std::printf("This machine does not let the process count cache misses (perf_event_open: %s).\n\n", cache_misses::refusal());
}

}  // namespace contrasts

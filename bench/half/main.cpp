// When does it pay to steal half (heist::steal::half), and when not? The same programs in two pools of two workers, taking turns.

#include <bench/common/bench.hpp>
#include <bench/tree_search/tree.hpp>

#include <heist/heist.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

using bench::text;

void work_for(int steps) {
  for (int i = 0; i < steps; ++i) asm volatile("" : : "r"(i) : "memory");
}

// Children that are all made before the first is awaited.
long burst(int bursts, int children, int steps) {
  std::atomic<long> ran{0};
  for (int b = 0; b < bursts; ++b) {
    heist::scope s;
    for (int i = 0; i < children; ++i)
      s.spawn_later([&, i] {
        work_for(steps);
        if (i % 64 == 0) ran.fetch_add(1, std::memory_order_relaxed);
      });
  }
  return ran;
}

// Half of the children do nearly nothing, one in 64 does a hundred times as much as the others.
long uneven_burst(int bursts, int children) {
  std::atomic<long> ran{0};
  for (int b = 0; b < bursts; ++b) {
    heist::scope s;
    for (int i = 0; i < children; ++i)
      s.spawn_later([&, i] {
        work_for(i % 64 == 0 ? 20'000 : 200);
        if (i % 64 == 0) ran.fetch_add(1, std::memory_order_relaxed);
      });
  }
  return ran;
}

using tree_search::node;
using tree_search::tree;

// A branch for every half of the children, as in bench/tree_search.
BENCH_OPAQUE long count(const tree& t, const node& n);
long count_children(const tree& t, const node& n, std::uint32_t first, std::uint32_t last) {
  if (last - first == 1) return count(t, t.child(n, first));
  const std::uint32_t middle = first + (last - first) / 2;
  const auto [a, b] = heist::join([&, first, middle] { return count_children(t, n, first, middle); },
                                  [&, middle, last] { return count_children(t, n, middle, last); });
  return a + b;
}
long count(const tree& t, const node& n) {
  const std::uint32_t children = t.children(n);
  return children == 0 ? 1 : 1 + count_children(t, n, 0, children);
}

// The same tree, and a queued child for every child.
BENCH_OPAQUE void count_queued(const tree& t, const node& n, heist::padded<std::atomic<long>>& sum) {
  sum->fetch_add(1, std::memory_order_relaxed);
  const std::uint32_t children = t.children(n);
  if (children == 0) return;
  heist::scope s;
  for (std::uint32_t i = 0; i < children; ++i) s.spawn_later([&, i] { count_queued(t, t.child(n, i), sum); });
}

// Breadth-first search in a random graph, a child for every 32 vertices of a level.
class graph {
 public:
  explicit graph(std::uint32_t vertices) : level_(vertices), edges_(vertices * degree) {
    heist::detail::random dice(5);
    for (auto& e : edges_) e = dice.below(vertices);
  }

  long search() {
    for (auto& l : level_) l.store(-1, std::memory_order_relaxed);
    std::vector<std::uint32_t> now{0}, next(level_.size());
    level_[0] = 0;
    long sum = 0;
    for (int depth = 1; !now.empty(); ++depth) {
      std::atomic<std::uint32_t> found{0};
      heist::scope s;
      for (std::size_t first = 0; first < now.size(); first += 32)
        s.spawn_later([&, first] {
          for (std::size_t i = first; i < std::min(first + 32, now.size()); ++i)
            for (std::uint32_t e = 0; e < degree; ++e) {
              const std::uint32_t to = edges_[now[i] * degree + e];
              int unseen = -1;
              if (level_[to].load(std::memory_order_relaxed) == -1 &&
                  level_[to].compare_exchange_strong(unseen, depth, std::memory_order_relaxed))
                next[found.fetch_add(1, std::memory_order_relaxed)] = to;
            }
        });
      s.sync();
      sum += static_cast<long>(found) * depth;
      now.assign(next.begin(), next.begin() + found);
    }
    return sum;
  }

 private:
  static constexpr std::uint32_t degree = 8;
  std::vector<std::atomic<int>> level_;
  std::vector<std::uint32_t> edges_;
};

struct program {
  std::string name;
  std::function<long()> run;
};

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 15);
  bench::introduce("half", o);
  graph g(200'000);
  std::vector<program> all;
  for (const int steps : {10, 100, 1'000, 10'000}) {
    const int bursts = std::max(1, 20'000'000 / (1000 * (steps + 100)));
    all.push_back({text("bursts of 1000 children, %d steps each", steps), [=] { return burst(bursts, 1000, steps); }});
  }
  all.push_back({"bursts of 20 children, 1000 steps each", [] { return burst(1000, 20, 1000); }});
  all.push_back({"bursts of 1000 uneven children", [] { return uneven_burst(40, 1000); }});
  all.push_back({"tree search, binomial, joins", [] { return count(tree::of("binomial", 7000), tree::root()); }});
  all.push_back({"tree search, geometric, joins", [] { return count(tree::of("geometric", 12), tree::root()); }});
  all.push_back({"tree search, binomial, spawn_later", [] {
                   heist::padded<std::atomic<long>> sum(0);
                   count_queued(tree::of("binomial", 7000), tree::root(), sum);
                   return sum->load();
                 }});
  all.push_back({"graph search, spawn_later", [&] { return g.search(); }});
  bench::table t({"program", "one, ms", "half, ms", "half/one: median", "least", "most", "CPU half/one", "steals a run: one", "half",
                  "stolen along", "heavy fences a run: one", "half"});
  for (const program& p : all) {
    heist::options how{.workers = 2};
    heist::pool one(how);
    how.steal = heist::steal::half;
    heist::pool half(how);
    const long expected = one.run(p.run);
    bench::contest c;
    bench::series cpu[2];
    for (heist::pool* const pool : {&one, &half})
      c.add([&, pool] {
        long found = 0;
        const double before = bench::process_ns();
        const double ns = bench::ns_of([&] { found = pool->run(p.run); });
        cpu[pool == &half ? 1 : 0].add(bench::process_ns() - before);
        bench::expect(found == expected, p.name.c_str());
        return ns / 1e6;
      });
    c.play(o.rounds);
    auto a_run = [&](std::size_t n) { return text("%.0f", static_cast<double>(n) / (o.rounds + 1)); };
    const bench::series r = bench::ratio(c[1], c[0]);
    t.add({p.name, text("%.2f", c[0].median()), text("%.2f", c[1].median()), text("%.3f", r.median()), text("%.2f", r.min()),
           text("%.2f", r.max()), text("%.3f", bench::ratio(cpu[1], cpu[0]).median()), a_run(one.stats().steals), a_run(half.stats().steals), a_run(half.stats().stolen_along),
           a_run(one.stats().heavy_fences), a_run(half.stats().heavy_fences)});
  }
  t.print();
}

// What does a steal cost its thief: from its first look at the victim to the first instruction of the stolen branch, as a
// distribution, by how long the victim works between two forks. And how many heavy fences do whole programs pay?

#include <bench/common/bench.hpp>
#include <bench/queens/board.hpp>
#include <bench/tree_search/tree.hpp>

#include <heist/heist.hpp>
#include <heist/sched/hunger.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/strand/seat.hpp>

#include <array>
#include <memory>

namespace {

using bench::series;
using bench::text;

void work_for(double ns) {
  for (const double start = bench::now_ns(); bench::now_ns() - start < ns;) {
  }
}

// Two workers. One forks again and again and works for `between` nanoseconds in each first branch. The other steals second
// branches; it stays with each for 20 µs, so that it need not be told that there is more.
class steals {
 public:
  explicit steals(double between) : between_(between) {}

  void play(int forks) {
    const std::size_t stolen = pool_.stats().steals, fences = pool_.stats().heavy_fences;
    pool_.run([&] {
      for (int i = 0; i < forks; ++i) {
        const heist::detail::fork_place here;
        heist::join([&] { work_for(between_); },
                    [&] {
                      if (!here.stolen()) return;
                      const heist::detail::pool_thread& thief = heist::detail::thread_at(*heist::detail::this_seat());
                      const heist::detail::nanoseconds at = heist::detail::now();
                      took_.push_back(static_cast<double>(at - thief.busy_since.get() + thief.paid.get()));
                      work_for(20'000);
                    });
      }
    });
    steals_ += pool_.stats().steals - stolen;
    fences_ += pool_.stats().heavy_fences - fences;
  }

  std::vector<std::string> row() {
    std::sort(took_.begin(), took_.end());
    if (took_.empty()) return {text("%.0f ns", between_), "0", "", "", "", "", ""};
    auto part = [&](double p) { return text("%.0f", took_[static_cast<std::size_t>(p * static_cast<double>(took_.size() - 1))]); };
    return {text("%.0f ns", between_), text("%zu", took_.size()), part(0),   part(0.5), part(0.9), part(0.99),
            text("%.3f", static_cast<double>(fences_) / static_cast<double>(std::max<std::size_t>(steals_, 1)))};
  }
  double median() const { return took_.empty() ? 0 : took_[took_.size() / 2]; }

 private:
  const double between_;
  heist::pool pool_{{.workers = 2}};
  std::vector<double> took_;  // one stolen branch at a time: its forker waits for it
  std::size_t steals_ = 0, fences_ = 0;
};

void latencies(const bench::options& o) {
  constexpr std::array between{50.0, 200.0, 500.0, 2'000.0, 10'000.0, 50'000.0};
  std::vector<std::unique_ptr<steals>> all;
  for (const double ns : between) all.push_back(std::make_unique<steals>(ns));
  for (int round = 0; round < o.rounds; ++round)
    for (std::size_t i = 0; i < all.size(); ++i) all[i]->play(static_cast<int>(std::min(20e6 / between[i], 20'000.0)));
  bench::table t({"the victim forks every", "steals", "ns: min", "median", "9 of 10", "99 of 100", "heavy fences a steal"});
  for (const auto& s : all) t.add(s->row());
  t.print();
  double worst = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (between[i] <= 500) worst = std::max(worst, all[i]->median());
  std::printf("median where the victim forks at least every 500 ns: %.0f ns, at most 1000: %s\n\n", worst,
              bench::verdict(worst, 1000).c_str());
}

BENCH_OPAQUE long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

using queens::board;
BENCH_OPAQUE long ways(board b);
long ways_on(board b, std::uint32_t places) {
  const std::uint32_t rest = places & (places - 1);
  if (rest == 0) return ways(b.with(queens::lowest(places)));
  const auto [first, others] =
      heist::join([=] { return ways(b.with(queens::lowest(places))); }, [=] { return ways_on(b, rest); });
  return first + others;
}
BENCH_OPAQUE long ways(board b) {
  if (b.full()) return 1;
  const std::uint32_t places = b.free_places();
  return places == 0 ? 0 : ways_on(b, places);
}

using tree_search::node;
using tree_search::tree;
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

BENCH_OPAQUE long skynet(long first, long leaves) {
  if (leaves == 1) return first;
  auto child = [=](long i) { return [=] { return skynet(first + i * (leaves / 10), leaves / 10); }; };
  const auto all =
      heist::join(child(0), child(1), child(2), child(3), child(4), child(5), child(6), child(7), child(8), child(9));
  return std::apply([](auto... each) { return (each + ...); }, all);
}

struct program {
  const char* name;
  std::function<long()> run;
  double most;  // of T2/T1; 0: no target
};

void programs(const bench::options& o) {
  const program all[] = {
      {"fib(34)", [] { return fib(34); }, 0},
      {"queens(12)", [] { return ways(queens::empty(12)); }, 0},
      {"tree search, binomial", [] { return count(tree::of("binomial", 7000), tree::root()); }, 0.54},
      {"tree search, geometric", [] { return count(tree::of("geometric", 12), tree::root()); }, 0.54},
      {"skynet(10⁶)", [] { return skynet(0, 1'000'000); }, 0.60},
  };
  bench::table t({"program", "T1, ms", "T2", "T2/T1: min", "median", "target", "steals a run", "heavy fences a steal"});
  for (const program& p : all) {
    heist::pool one({.workers = 1}), two({.workers = 2});
    const long expected = one.run(p.run);
    bench::contest c;
    for (heist::pool* const pool : {&one, &two})
      c.add([&, pool] {
        long found = 0;
        const double ns = bench::ns_of([&] { found = pool->run(p.run); });
        bench::expect(found == expected, p.name);
        return ns / 1e6;
      });
    c.play(o.rounds);
    const heist::statistics s = two.stats();
    const double ratio = c[1].min() / c[0].min();
    t.add({p.name, text("%.2f", c[0].min()), text("%.2f", c[1].min()), text("%.3f", ratio),
           text("%.3f", bench::ratio(c[1], c[0]).median()), p.most > 0 ? text("%.2f ", p.most) + bench::verdict(ratio, p.most) : "",
           text("%.0f", static_cast<double>(s.steals) / (o.rounds + 1)),
           text("%.3f", static_cast<double>(s.heavy_fences) / static_cast<double>(std::max<std::size_t>(s.steals, 1)))});
  }
  t.print();
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 15);
  bench::introduce("steal", o);
  latencies(o);
  programs(o);
}

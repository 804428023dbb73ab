// What does a look-up of a reducer's view cost where nothing is stolen, against a plain variable?

#include <bench/common/bench.hpp>

#include <heist/heist.hpp>

namespace {

using bench::text;

constexpr long n = 5'000'000;

BENCH_OPAQUE void add_to_variable(long& sum) {
  for (long i = 0; i < n; ++i) {
    sum += i;
    bench::opaque(sum);
  }
}

// The compiler must look up each time: a fork may lie between any two.
BENCH_OPAQUE void add_to_reducer(heist::reducer<long>& sum) {
  for (long i = 0; i < n; ++i) {
    long& view = *sum;
    view += i;
    bench::opaque(view);
  }
}

BENCH_OPAQUE void add_to_many(std::vector<std::unique_ptr<heist::reducer<long>>>& sums) {
  const std::size_t many = sums.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    long& view = **sums[i % many];
    view += 1;
    bench::opaque(view);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 25);
  bench::introduce("reducer", o);
  heist::pool one({.workers = 1});
  auto inside = [&](auto f) { return one.run([&] { return bench::thread_ns_of(f) / n; }); };
  bench::contest c;
  const auto variable = c.add([&] {
    return inside([] {
      long sum = 0;
      add_to_variable(sum);
    });
  });
  const auto single = c.add([&] {
    return inside([] {
      heist::reducer<long> sum;
      add_to_reducer(sum);
    });
  });
  const auto many = c.add([&] {
    return inside([] {
      std::vector<std::unique_ptr<heist::reducer<long>>> sums;
      for (int i = 0; i < 64; ++i) sums.push_back(std::make_unique<heist::reducer<long>>());
      add_to_many(sums);
    });
  });
  c.play(o.rounds);
  bench::table t({"ns per update, one worker", "min", "median"});
  for (const auto& [name, i] : {std::pair{"a variable", variable}, {"a reducer", single}, {"64 reducers in turn", many}})
    t.add({name, text("%.2f", c[i].min()), text("%.2f", c[i].median())});
  t.print();
  const double cost = c[single].min() - c[variable].min();
  std::printf("target: a look-up at most 3 ns: %.2f, %s\n", cost, bench::verdict(cost, 3).c_str());
}

// docs/guides/coming_over.md: oneTBB, call by call, to heist's own names; and by one line.
// region: one_line
#include <heist/tbb.hpp>
namespace tbb = heist::tbb;
// end
#include <heist/heist.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace {

namespace before {

// region: for_before
void scale(std::vector<double>& v) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, v.size()), [&](const tbb::blocked_range<std::size_t>& r) {
    for (std::size_t i = r.begin(); i != r.end(); ++i) v[i] *= 2;
  });
}
// end

// region: reduce_before
double sum(const std::vector<double>& v) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, v.size()), 0.0,
      [&](const tbb::blocked_range<std::size_t>& r, double part) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) part += v[i];
        return part;
      },
      std::plus<double>());
}
// end

// region: group_before
long fib(int n) {
  if (n < 2) return n;
  long x = 0, y = 0;
  tbb::task_group g;
  g.run([&] { x = fib(n - 1); });
  y = fib(n - 2);
  g.wait();
  return x + y;
}
// end

// region: ets_before
long evens(const std::vector<int>& v) {
  tbb::enumerable_thread_specific<long> counts(0L);
  tbb::parallel_for(std::size_t{0}, v.size(), [&](std::size_t i) {
    if (v[i] % 2 == 0) ++counts.local();
  });
  return counts.combine(std::plus<long>());
}
// end

// region: pipeline_before
std::string digits(int last) {
  std::string all;
  int next = 0;
  tbb::parallel_pipeline(8, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                                        [&](tbb::flow_control& fc) {
                                                          if (next == last) fc.stop();
                                                          return next++;
                                                        }) &
                                tbb::make_filter<int, std::string>(tbb::filter_mode::parallel,
                                                                   [](int i) { return std::to_string(i); }) &
                                tbb::make_filter<std::string, void>(tbb::filter_mode::serial_in_order,
                                                                    [&](const std::string& s) { all += s; }));
  return all;
}
// end

// region: arena_before
double in_two(const std::vector<double>& v) {
  tbb::task_arena two(2);
  return two.execute([&] { return sum(v); });
}
// end

}  // namespace before

namespace after {

// region: for_after
void scale(std::vector<double>& v) {
  heist::for_each(v, [](double& x) { x *= 2; });
}
// end

// region: reduce_after
double sum(const std::vector<double>& v) { return heist::reduce(v); }
// end

// region: group_after
long fib(int n) {
  if (n < 2) return n;
  auto [x, y] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return x + y;
}
// end

// region: ets_after
long evens(const std::vector<int>& v) {
  return heist::count_if(v, [](int x) { return x % 2 == 0; });  // or a heist::reducer, or a heist::per_worker
}
// end

// region: pipeline_after
std::string digits(int last) {
  std::string all;
  int next = 0;
  auto source = [&]() -> std::optional<int> { return next == last ? std::nullopt : std::optional(next++); };
  heist::pipeline(8, source, heist::parallel([](int i) { return std::to_string(i); }),
                  heist::ordered([&](const std::string& s) { all += s; }));
  return all;
}
// end

// region: arena_after
double in_two(const std::vector<double>& v) {
  heist::pool two({.workers = 2});
  return two.run([&] { return sum(v); });
}
// end

}  // namespace after

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  std::exit(1);
}

}  // namespace

int main() {
  std::vector<double> a(1000), b;
  std::iota(a.begin(), a.end(), 0.0);
  b = a;
  before::scale(a);
  after::scale(b);
  check(a == b, "parallel_for");
  check(before::sum(a) == 999'000 && after::sum(a) == 999'000, "parallel_reduce");
  check(before::fib(15) == 610 && after::fib(15) == 610, "task_group");
  const std::vector<int> numbers{1, 2, 3, 4, 6};
  check(before::evens(numbers) == 3 && after::evens(numbers) == 3, "enumerable_thread_specific");
  check(before::digits(12) == "01234567891011" && after::digits(12) == before::digits(12), "parallel_pipeline");
  check(before::in_two(a) == after::in_two(a), "task_arena");
}

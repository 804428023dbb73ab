// docs/guides/coming_over.md: oneTBB, call by call, to heist's own names; and by one line.
// region: one_line
#include <heist/tbb.hpp>
namespace tbb = heist::tbb;
// end
#include <heist/heist.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <list>
#include <mutex>
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

// region: more_before
std::vector<int> running_sums(const std::vector<int>& v) {
  std::vector<int> out(v.size());
  tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, v.size()), 0,
      [&](const tbb::blocked_range<std::size_t>& r, int sum, bool is_final) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) {
          sum += v[i];
          if (is_final) out[i] = sum;
        }
        return sum;
      },
      std::plus<int>());
  return out;
}

void fill(std::vector<int>& a, int rows, int columns) {
  tbb::parallel_for(tbb::blocked_range2d<int>(0, rows, 0, columns), [&](const tbb::blocked_range2d<int>& r) {
    for (int i = r.rows().begin(); i != r.rows().end(); ++i)
      for (int j = r.cols().begin(); j != r.cols().end(); ++j) a[static_cast<std::size_t>(i * columns + j)] = i + j;
  });
}

int largest(const std::list<int>& all) {
  tbb::combinable<int> best([] { return 0; });
  tbb::parallel_for_each(all.begin(), all.end(), [&](int x) { best.local() = std::max(best.local(), x); });
  return best.combine([](int a, int b) { return std::max(a, b); });
}

void sort_both(std::vector<int>& a, std::vector<int>& b) {
  tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  tbb::parallel_invoke([&] { tbb::parallel_sort(a.begin(), a.end()); },
                       [&] { tbb::parallel_sort(b.begin(), b.end(), std::greater<int>()); });
}

tbb::spin_mutex guard;
void count(long& shared) {
  const tbb::spin_mutex::scoped_lock lock(guard);
  ++shared;
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

// region: more_after
std::vector<int> running_sums(const std::vector<int>& v) {
  std::vector<int> out(v.size());
  heist::inclusive_scan(v, out.begin());
  return out;
}

void fill(std::vector<int>& a, int rows, int columns) {
  heist::for_each_index_2d(rows, columns, [&](int i, int j) { a[static_cast<std::size_t>(i * columns + j)] = i + j; });
}

int largest(const std::list<int>& all) { return heist::max(all); }  // one strand reads the list; combinable: a reducer

void sort_both(std::vector<int>& a, std::vector<int>& b) {
  heist::pool two({.workers = 2});  // HEIST_WORKERS=2 for the whole program
  two.run([&] { heist::join([&] { heist::sort(a); }, [&] { heist::sort(b, std::greater<int>()); }); });
}

heist::mutex guard;  // a strand that waits leaves its worker to others
void count(long& shared) {
  const std::lock_guard lock(guard);
  ++shared;
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
  check(before::running_sums(numbers) == after::running_sums(numbers), "parallel_scan");
  std::vector<int> c(200), d(200);
  before::fill(c, 10, 20);
  after::fill(d, 10, 20);
  check(c == d, "blocked_range2d");
  const std::list<int> list{3, 9, 2};
  check(before::largest(list) == 9 && after::largest(list) == 9, "parallel_for_each and combinable");
  std::vector<int> e = c, f = d;
  before::sort_both(c, d);
  after::sort_both(e, f);
  check(c == e && d == f, "parallel_invoke and parallel_sort");
  long counted = 0;
  before::count(counted);
  after::count(counted);
  check(counted == 2, "mutex");
}

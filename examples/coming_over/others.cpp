// docs/guides/coming_over.md: Rayon, Cilk and std::async.
#include <heist/execution.hpp>
#include <heist/heist.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace {

// region: rayon_after
namespace stage = heist::stage;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return heist::par(a) | stage::zip(b) | stage::transform([](double x, double y) { return x * y; }) | stage::sum();
}

std::vector<std::string> shouted(const std::vector<std::string>& words) {
  return heist::par(words) | stage::filter([](const std::string& w) { return w.size() > 2; }) |
         stage::transform([](std::string w) { return w + "!"; }) | heist::to<std::vector>();
}

void quick_sort(std::span<int> v) {
  if (v.size() < 2) return;
  const auto middle = std::partition(v.begin(), v.end() - 1, [pivot = v.back()](int x) { return x < pivot; });
  std::iter_swap(middle, v.end() - 1);
  const auto k = static_cast<std::size_t>(middle - v.begin());
  heist::join([=] { quick_sort(v.first(k)); }, [=] { quick_sort(v.subspan(k + 1)); });
}
// end

// region: cilk_after
long fib(int n) {
  if (n < 2) return n;
  long x = 0;
  heist::scope s;
  s.spawn([&x, n] { x = fib(n - 1); });  // cilk_spawn
  const long y = fib(n - 2);
  s.sync();  // cilk_sync
  return x + y;
}

long squares(const std::vector<long>& v) {
  heist::reducer<long> sum;                          // cilk::reducer_opadd
  heist::for_each(v, [&](long x) { *sum += x * x; });  // cilk_for
  return sum.take();
}
// end

// region: async_before
int sum_before(const std::vector<int>& v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  auto left = std::async(std::launch::async, [&] { return std::accumulate(v.begin(), middle, 0); });
  const int right = std::accumulate(middle, v.end(), 0);
  return left.get() + right;
}
// end

// region: async_after
int sum_after(const std::vector<int>& v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  auto left = heist::async([&] { return std::accumulate(v.begin(), middle, 0); });  // no thread is started
  const int right = std::accumulate(middle, v.end(), 0);
  return left.get() + right;  // a strand that waits leaves its worker to others
}
// end

// region: policy_after
void sorted(std::vector<double>& v) {
  heist::std_::sort(heist::par, v.begin(), v.end());  // std::sort(std::execution::par, v.begin(), v.end())
}
// end

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  std::exit(1);
}

}  // namespace

int main() {
  check(dot({1, 2}, {3, 4}) == 11, "dot");
  check(shouted({"a", "bird", "is"}) == std::vector<std::string>{"bird!"}, "shouted");
  std::vector<int> v{5, 3, 9, 1, 5, 2, 8};
  quick_sort(v);
  check(std::is_sorted(v.begin(), v.end()), "quick_sort");
  check(fib(15) == 610, "fib");
  check(squares({1, 2, 3}) == 14, "squares");
  check(sum_before(v) == 33 && sum_after(v) == 33, "async");
  std::vector<double> d{2, 1};
  sorted(d);
  check(d[0] == 1, "sorted");
}

// Each public template at least once, so that script/lint and tests/install see what they are made of. Nobody runs it.

#include <heist/heist.hpp>

#include <functional>
#include <iostream>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

namespace {

bool odd(int i) { return i % 2 != 0; }

void joins() {
  auto both = heist::join([] { return 1; }, [] { return std::string("b"); });
  heist::join([] {}, [] {}, [] {});
  heist::scope s;
  s.spawn([&] { ++std::get<0>(both); });
  s.spawn_later([&] { std::get<1>(both) += 'c'; });
  s.sync();
  static_cast<void>(heist::with_scope([](heist::scope& t) { t.spawn([] {}); return 1; }));
  heist::with_scope([](heist::scope& t) { t.spawn([] {}); }, std::stop_token());
  heist::pool p(heist::options{});
  p.run([] { return 1; });
  static_cast<void>(p.stats());
  static_cast<void>(p.workers());
  static_cast<void>(heist::available_parallelism());
}

void others() {
  heist::reducer<long> sum;
  ++*sum;
  static_cast<void>(sum.take());
  heist::reducer<std::vector<int>, heist::op::append<std::vector<int>>> list;
  list->push_back(1);
  static_cast<void>(list.take());
  heist::ostream_reducer out(std::cout);
  *out << "text";
  heist::mutex m;
  m.lock();
  m.unlock();
  static_cast<void>(heist::measure([] { const heist::region r("region"); heist::charge(1); }));
}

void loops(std::vector<int>& v, std::vector<int>& w) {
  const std::stop_token never;
  heist::for_each_index(0, 3, [](int) {}, heist::grain{1});
  heist::for_each(v, [](int& i) { ++i; }, never);
  heist::for_each_n(v.begin(), 3, [](int& i) { ++i; });
  heist::transform(v, w.begin(), [](int i) { return i + 1; });
  heist::fill(v, 1);
  heist::generate(v, [](std::size_t i) { return static_cast<int>(i); });
  heist::copy(v, w.begin());
  heist::reverse(v);
  heist::inclusive_scan(v, w.begin());
  heist::exclusive_scan(v, w.begin(), 0);
  heist::transform_inclusive_scan(v, w.begin(), std::plus<>(), std::negate<>());
  heist::transform_exclusive_scan(v, w.begin(), 0, std::plus<>(), std::negate<>());
  heist::transform(v, v, w.begin(), std::plus<>());
}

void folds(const std::vector<int>& v, const std::vector<int>& w) {
  static_cast<void>(heist::reduce(v, 0, std::plus<>()));
  static_cast<void>(heist::transform_reduce(v, 0, std::plus<>(), [](int i) { return i; }));
  static_cast<void>(heist::transform_reduce(v.begin(), v.end(), w.begin(), 0));
  static_cast<void>(heist::count(v, 1));
  static_cast<void>(heist::count_if(v, odd));
  static_cast<void>(heist::min_element(v));
  static_cast<void>(heist::max_element(v));
  static_cast<void>(heist::minmax_element(v));
  static_cast<void>(heist::find(v, 1));
  static_cast<void>(heist::find_if(v, odd));
  static_cast<void>(heist::any_of(v, odd));
  static_cast<void>(heist::none_of(v, odd));
  static_cast<void>(heist::all_of(v, odd));
  static_cast<void>(heist::mismatch(v, w));
  static_cast<void>(heist::equal(v, w));
  static_cast<void>(heist::histogram(v, 10));
}

void orders(std::vector<int>& v, std::vector<int>& w) {
  heist::sort(v);
  heist::stable_sort(v, std::greater<>());
  heist::nth_element(v, v.begin());
  static_cast<void>(heist::is_sorted(v));
  static_cast<void>(heist::is_sorted_until(v));
  heist::merge(v, v, w.begin());
  heist::copy_if(v, w.begin(), odd);
  static_cast<void>(heist::remove_if(v, odd));
  static_cast<void>(heist::unique(v));
  static_cast<void>(heist::partition(v, odd));
  static_cast<void>(heist::stable_partition(v, odd));
}

}  // namespace

int main() {
  std::vector<int> v(100), w(200);
  joins();
  others();
  loops(v, w);
  folds(v, w);
  orders(v, w);
}

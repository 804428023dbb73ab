// Each public template at least once, so that script/lint and tests/install see what they are made of. Nobody runs it.

#include <heist/heist.hpp>

#include <functional>
#include <iostream>
#include <list>
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

void breadth(std::vector<int>& v, std::vector<int>& w) {
  const auto some = [](auto&&...) {};
  some(heist::adjacent_find(v), heist::find_last(v, 1), heist::find_last_if(v, odd), heist::find_last_if_not(v, odd));
  some(heist::find_if_not(v, odd), heist::contains(v, 1), heist::search(v, w), heist::find_end(v, w), heist::search_n(v, 2, 1));
  some(heist::find_first_of(v, w), heist::contains_subrange(v, w), heist::starts_with(v, w), heist::ends_with(v, w));
  some(heist::is_heap(v), heist::is_heap_until(v), heist::is_partitioned(v, odd), heist::lexicographical_compare(v, w));
  some(heist::min(v), heist::max(v), heist::minmax(v), heist::includes(v, w), heist::remove(v, 1));
  heist::set_union(v, v, w.begin());
  heist::set_intersection(v, v, w.begin());
  heist::set_difference(v, v, w.begin());
  heist::set_symmetric_difference(v, v, w.begin());
  heist::replace(v, 1, 2);
  heist::replace_if(v, odd, 2);
  heist::replace_copy(v, w.begin(), 1, 2);
  heist::replace_copy_if(v, w.begin(), odd, 2);
  heist::remove_copy(v, w.begin(), 1);
  heist::remove_copy_if(v, w.begin(), odd);
  heist::unique_copy(v, w.begin());
  heist::partition_copy(v, w.begin(), w.begin() + 100, odd);
  heist::move(v, w.begin());
  heist::swap_ranges(v, w);
  heist::reverse_copy(v, w.begin());
  heist::rotate(v, v.begin() + 1);
  heist::rotate_copy(v, v.begin() + 1, w.begin());
  heist::shift_left(v, 1);
  heist::shift_right(v, 1);
  heist::shuffle(v, 1);
  heist::sample(v, w.begin(), 10, 1);
  heist::partial_sort(v, v.begin() + 1);
  heist::partial_sort_copy(v, w);
  heist::inplace_merge(v, v.begin());
  heist::adjacent_difference(v, w.begin());
  heist::uninitialized_fill(v, 1);
  heist::uninitialized_copy(v, w);
  heist::uninitialized_value_construct(v);
  heist::destroy(v);
  heist::sort_by_cached_key(v, odd);
  some(heist::top_k(v, 3), heist::kth(v, 3), heist::pack_index(v, odd), heist::tabulate(3, odd), heist::collect(v, odd));
  some(heist::flatten(std::vector{v, w}), heist::group_by(v, odd), heist::count_by(v), heist::reduce_by_key(v, odd, odd), heist::reduce_by_key(v, w));
  some(heist::gather(v, heist::random_permutation(v.size(), 1)), heist::transpose(v, 10, 10));
  heist::scatter(v, heist::random_permutation(v.size(), 1), w);
  some(heist::random_permutation(3));
  heist::for_each_chunk(v, 3, [](auto) {});
  heist::for_each_window(v, 3, [](auto) {});
  heist::for_each_pair(v, [](int, int) {});
  heist::for_each_index_2d(3, 3, [](int, int) {});
  heist::for_each_index_3d(3, 3, 3, [](int, int, int) {});
  std::list<int> list(v.begin(), v.end());
  heist::for_each(list, [](int& i) { ++i; });
  some(heist::reduce(list), heist::find(list, 1), heist::count_if(list, odd), heist::any_of(list, odd));
  heist::transform(list, w.begin(), [](int i) { return i + 1; });
  heist::copy_if(list, w.begin(), odd);
}

}  // namespace

int main() {
  std::vector<int> v(100), w(200);
  joins();
  others();
  loops(v, w);
  folds(v, w);
  orders(v, w);
  breadth(v, w);
}

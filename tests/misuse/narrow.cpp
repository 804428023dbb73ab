// Numbers narrower than int, and results that are converted to what they are written to: without a warning from inside.
#include <heist/heist.hpp>

#include <functional>
#include <optional>
#include <tuple>
#include <vector>

template <class T>
void folds_and_scans() {
  std::vector<T> v(10), w(10);
  const auto next = [](T x) { return x + 1; };  // an int
  std::ignore = heist::reduce(v);
  std::ignore = heist::reduce(v, T{}, [](T a, T b) { return a + b; });
  std::ignore = heist::transform_reduce(v, T{}, std::plus<>(), next);
  std::ignore = heist::transform_reduce(v.begin(), v.end(), w.begin(), T{});
  heist::inclusive_scan(v, w.begin());
  heist::exclusive_scan(v, w.begin(), 0);
  heist::transform_inclusive_scan(v, w.begin(), [](T a, T b) { return a + b; }, next);
}

void what_waits() {
  int k = 0;
  heist::pipeline(4, [&] { return k < 3 ? std::optional<int>(k++) : std::nullopt; }, heist::parallel([](int i) { return i; }),
                  heist::ordered([](int) {}));
  const heist::per_worker<int> each;
  for (const int& mine : each) std::ignore = mine;
}

void others() {
  using T = unsigned char;
  std::vector<T> v(10), w(10);
  const auto next = [](T x) { return x + 1; };
  const auto odd = [](T x) { return x % 2 != 0; };
  heist::transform(v, w.begin(), next);
  heist::transform(v, w, w.begin(), std::plus<>());
  heist::generate(v, [](std::size_t i) { return i; });
  heist::fill(v, T{1});
  heist::fill_n(v.begin(), v.size(), T{1});
  heist::generate_n(v.begin(), v.size(), [] { return T{1}; });
  heist::copy_n(v.begin(), v.size(), w.begin());
  heist::copy(v, w.begin());
  heist::copy_if(v, w.begin(), odd);
  heist::for_each_index(T{}, v.size(), next);
  heist::for_each_index(0, T{9}, next);
  heist::for_each(v, next);
  heist::sort(v);
  heist::stable_sort(v, {}, next);
  heist::merge(v, v, w.begin());
  std::ignore = heist::find(v, 1);
  std::ignore = heist::count(v, T{1});
  std::ignore = heist::minmax_element(v);
  std::ignore = heist::histogram(v, 3);
  std::ignore = heist::unique(v);
  heist::partition(v, odd);
}

int main() {
  folds_and_scans<unsigned char>();
  folds_and_scans<short>();
  others();
  // Ends of several types, and a sum in another type than the elements.
  heist::for_each_index(0, 3u, [](auto) {});
  heist::for_each_index(0ul, -1L, [](auto) {});
  heist::for_each_index(0u, 3, [](auto) {});
  std::vector<double> prices(10);
  std::vector<float> sums(10);
  heist::inclusive_scan(prices, sums.begin());
  heist::transform(prices, sums.begin(), [](double x) { return 2 * x; });
  std::ignore = heist::reduce(prices, 0.0F, std::plus<>());
}

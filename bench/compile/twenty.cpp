// Twenty algorithms of heist, each for four types of elements, to be compiled: see __main__.py.

#include <heist/heist.hpp>

#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

struct point {
  double x, y;
  auto operator<=>(const point&) const = default;
};

template <class T>
std::size_t twenty(std::vector<T>& v, std::vector<T>& w, std::vector<T>& both, const T& x) {
  const auto is_less = [&](const T& y) { return y < x; };
  std::size_t seen = 0;
  heist::for_each(v, [&](T& y) { y = x; });
  heist::transform(v, w.begin(), [&](const T& y) { return is_less(y) ? y : x; });
  heist::fill(v, x);
  heist::copy_if(v, w.begin(), is_less);
  heist::replace(v, x, w.front());
  heist::reverse(v);
  heist::sort(v);
  heist::stable_sort(w);
  heist::merge(v, w, both.begin());
  heist::partition(v, is_less);
  v.erase(heist::remove_if(v, is_less).begin(), v.end());
  v.erase(heist::unique(v).begin(), v.end());
  seen += static_cast<std::size_t>(heist::count_if(v, is_less));
  seen += heist::find_if(v, is_less) != v.end();
  seen += heist::all_of(v, is_less);
  seen += heist::equal(v, w);
  seen += heist::is_sorted(v);
  seen += heist::min_element(v) != v.end();
  seen += heist::transform_reduce(v, std::size_t{0}, std::plus<>{}, [&](const T& y) { return std::size_t{y < x}; });
  seen += heist::adjacent_find(v) != v.end();
  return seen;
}

template std::size_t twenty(std::vector<int>&, std::vector<int>&, std::vector<int>&, const int&);
template std::size_t twenty(std::vector<double>&, std::vector<double>&, std::vector<double>&, const double&);
template std::size_t twenty(std::vector<std::string>&, std::vector<std::string>&, std::vector<std::string>&, const std::string&);
template std::size_t twenty(std::vector<point>&, std::vector<point>&, std::vector<point>&, const point&);

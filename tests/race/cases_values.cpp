// Values that algorithms hand from one call of a function to the next, and that own memory: the calls that touch it come one
// after the other, and all others are parallel.

#include "cases.hpp"

#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>

namespace cases_of_values {

namespace stage = heist::stage;

int x, y;
std::vector<std::string> words(int n = 600) {
  std::vector<std::string> v;
  for (int i = 0; i < n; ++i) v.push_back(std::string(30, static_cast<char>('a' + i * 7919 % 26)) + std::to_string(i));
  return v;
}
std::vector<int> numbers(int n = 600) {
  std::vector<int> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 0);
  return v;
}
std::string name(int i) { return std::string(40, 'n') + std::to_string(i); }

CASE("values: strings, added", clean) {
  const auto v = words();
  x = static_cast<int>(heist::reduce(v, std::string(), [](std::string a, const std::string& b) { return std::move(a) + b; }).size());
}
CASE("values: strings, added, and counted", race) {
  const auto v = words();
  y = static_cast<int>(heist::reduce(v, std::string(), [](std::string a, const std::string& b) { return ++x, std::move(a) + b; }).size());
}
CASE("values: the longer string", clean) {
  const auto v = words();
  x = static_cast<int>(heist::reduce(v, std::string(), [](std::string a, std::string b) { return a.size() < b.size() ? b : a; }).size());
}
CASE("values: vectors, one after the other", clean) {
  const auto v = numbers();
  auto all = heist::transform_reduce(
      v, std::vector<int>(),
      [](std::vector<int> a, std::vector<int> b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
      },
      [](int i) { return std::vector<int>(3, i); });
  if (all.size() != 1800 || all[1799] != 599) std::abort();
}
CASE("values: vectors, and one shared sum", race) {
  const auto v = numbers();
  auto all = heist::transform_reduce(
      v, std::vector<int>(),
      [](std::vector<int> a, std::vector<int> b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
      },
      [](int i) { return x += i, std::vector<int>(3, i); });
  y = static_cast<int>(all.size());
}
CASE("values: sets that grow", clean) {
  const auto v = numbers(300);
  auto all = heist::transform_reduce(
      v, std::set<int>(),
      [](std::set<int> a, std::set<int> b) {
        a.merge(b);
        return a;
      },
      [](int i) { return std::set<int>{i % 17, i}; });
  x = static_cast<int>(all.size());
}
CASE("values: pointers to what the calls have made", clean) {
  const auto v = numbers(200);
  std::unique_ptr<int> sum(heist::transform_reduce(
      v, static_cast<int*>(nullptr),
      [](int* a, int* b) {
        if (a == nullptr) return b;
        *a += *b;
        delete b;
        return a;
      },
      [](int i) { return new int(i); }));
  if (*sum != 199 * 100) std::abort();
}
CASE("values: shared pointers to one object that all change", race) {
  const auto one = std::make_shared<std::array<int, 40>>();
  std::vector<std::shared_ptr<std::array<int, 40>>> v(200, one);
  auto last = heist::reduce(v, one, [](std::shared_ptr<std::array<int, 40>> a, std::shared_ptr<std::array<int, 40>> b) {
    (*b)[20] += 1;
    return b;
  });
  x = (*last)[20];
}
CASE("values: too large for a stack", clean) {
  struct table {
    std::array<int, 3000> bins{};
  };
  const auto v = numbers(100);
  auto all = heist::transform_reduce(
      v, table(),
      [](table a, const table& b) {
        for (std::size_t i = 0; i < a.bins.size(); ++i) a.bins[i] += b.bins[i];
        return a;
      },
      [](int i) {
        table t;
        t.bins[static_cast<std::size_t>(i)] = 1;
        return t;
      });
  x = all.bins[7];
}
CASE("values: a scan of strings", clean) {
  const auto v = words(100);
  std::vector<std::string> to(v.size());
  heist::inclusive_scan(v, to.begin(), [](const std::string& a, const std::string& b) { return a.substr(0, 20) + b; });
  heist::exclusive_scan(v, to.begin(), std::string(50, 'i'), [](const std::string& a, const std::string& b) { return a.substr(0, 20) + b; });
  x = static_cast<int>(to[99].size());
}
CASE("values: a scan of strings that counts", race) {
  const auto v = words(100);
  std::vector<std::string> to(v.size());
  heist::inclusive_scan(v, to.begin(), [](const std::string& a, const std::string& b) { return ++x, a.substr(0, 20) + b; });
}
CASE("values: a chain from strings to strings", clean) {
  const auto v = numbers();
  auto all = heist::par(v) | stage::transform(name) | stage::filter([](const std::string& s) { return s.back() != '7'; }) |
             stage::transform([](std::string s) { return s + s; }) | heist::to<std::vector>();
  x = static_cast<int>(all.size());
}
CASE("values: a chain from strings to strings, and a count", race) {
  const auto v = numbers();
  auto all = heist::par(v) | stage::transform(name) | stage::filter([](const std::string& s) { return ++x, s.back() != '7'; }) |
             stage::transform([](std::string s) { return s + s; }) | heist::to<std::vector>();
  y = static_cast<int>(all.size());
}
CASE("values: a chain that ends in a fold of strings", clean) {
  const auto v = numbers();
  auto all = (heist::par(v) | stage::transform(name) | stage::filter([](const std::string& s) { return s.back() != '7'; }))
                 .reduce(std::string(), [](std::string a, std::string b) { return std::move(a) + b; });
  x = static_cast<int>(all.size());
}
CASE("values: a chain into a set and a map", clean) {
  const auto v = numbers();
  auto s = heist::par(v) | stage::transform(name) | heist::to<std::set>();
  auto m = heist::par(v) | stage::transform([](int i) { return std::pair(name(i % 10), name(i)); }) | heist::to<std::map>();
  x = static_cast<int>(s.size() + m.size());
}
CASE("values: flat_map to strings", clean) {
  const auto v = numbers(200);
  auto all = heist::par(v) | stage::flat_map([](int i) { return std::vector<std::string>(2, name(i)); }) |
             stage::transform([](std::string s) { return s + "x"; }) | heist::to<std::vector>();
  x = static_cast<int>(all.size());
}
CASE("values: the largest by a key that owns memory", clean) {
  const auto v = numbers();
  x = *heist::par(v).max_by([](int i) { return name(i % 100); });
}
CASE("values: groups of strings", clean) {
  const auto v = words();
  auto groups = heist::group_by(v, [](const std::string& s) { return s.substr(0, 25); });
  auto counts = heist::count_by(v, [](const std::string& s) { return s.substr(0, 25); });
  x = static_cast<int>(groups.size() + counts.size());
}
CASE("values: sorted by a key that owns memory", clean) {
  auto v = numbers();
  heist::sort(v, std::less<>(), name);
  heist::stable_sort(v, std::greater<>(), name);
}
CASE("values: sorted by a number that is counted", race) {
  auto v = numbers();
  heist::sort(v, std::less<>(), [](int i) { return ++x, -i; });
}
CASE("values: two folds in two branches", clean) {
  const auto v = words();
  auto add = [](std::string a, const std::string& b) { return std::move(a) + b; };
  auto [a, b] = heist::join([&] { return heist::reduce(v, std::string(), add); }, [&] { return heist::reduce(v, std::string(), add); });
  x = static_cast<int>(a.size() + b.size());
}
CASE("values: elements that a parallel branch changes", race) {
  auto v = words();
  heist::join([&] { x = static_cast<int>(heist::reduce(v, std::string(), [](std::string a, const std::string& b) { return std::move(a) + b; }).size()); },
              [&] { v[77][3] = 'x'; });
}
CASE("values: tabulate, collect, generate", clean) {
  auto v = heist::tabulate(500, [](std::size_t i) { return name(static_cast<int>(i)); });
  heist::generate(v, [](std::size_t i) { return name(static_cast<int>(i)); });
  heist::transform(v, v.begin(), [](const std::string& s) { return s + "y"; });
  heist::for_each(v, [](std::string& s) { s += "z"; });
  x = static_cast<int>(v[3].size());
}

}  // namespace cases_of_values

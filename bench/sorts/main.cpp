// What do sorts cost: numbers by digits and compared, strings, on one worker and two, next to the serial standard
// library, its parallel policy and Boost.Sort?

#include <bench/common/bench.hpp>
#include <bench/sorts/peers.hpp>

#include <heist/heist.hpp>

#include <algorithm>
#include <cstdint>
#include <random>

namespace {

using namespace sorts;
using bench::text;

heist::pool& one() {
  static heist::pool p({.workers = 1});
  return p;
}
heist::pool& two() {
  static heist::pool p({.workers = 2});
  return p;
}

// Sorts copies of the same elements, and checks what comes out.
template <class T>
class arena {
 public:
  explicit arena(std::vector<T> in) : in_(std::move(in)), right_(in_) { std::sort(right_.begin(), right_.end()); }

  template <class Sort>
  double ns_per_element(const Sort& sort) {
    work_ = in_;
    const double ns = bench::ns_of([&] { sort(work_.data(), work_.size()); });
    bench::expect(work_ == right_, "sort");
    return ns / static_cast<double>(in_.size());
  }

 private:
  std::vector<T> in_, right_, work_;
};

constexpr auto by_heist = [](auto* at, std::size_t n) { heist::sort(at, at + n); };
constexpr auto stably = [](auto* at, std::size_t n) { heist::stable_sort(at, at + n); };
constexpr auto compared = [](auto* at, std::size_t n) {
  heist::sort(at, at + n, [](const auto& a, const auto& b) { return a < b; });
};
template <class F>
auto in(heist::pool& p, F f) {
  return [&p, f](auto* at, std::size_t n) { p.run([&] { f(at, n); }); };
}

// One row for each contestant; the target is for the first, on one worker and on two.
template <class T>
void large(const char* what, std::vector<T> elements, double one_ns, double two_ns, int rounds) {
  arena<T> a(std::move(elements));
  bench::contest c;
  std::vector<std::string> names;
  auto add = [&](const char* name, auto sort) {
    names.emplace_back(name);
    c.add([&a, sort] { return a.ns_per_element(sort); });
  };
  add("heist::sort, one worker", in(one(), by_heist));
  add("heist::sort, two workers", in(two(), by_heist));
  add("heist::sort compared, one worker", in(one(), compared));
  add("heist::stable_sort, two workers", in(two(), stably));
  add("std::sort", [](T* at, std::size_t n) { std::sort(at, at + n); });
  add("Boost spreadsort, one thread", [](T* at, std::size_t n) { spread_sort(at, n); });
  add("std::execution::par, two threads", [](T* at, std::size_t n) { std_par_sort(at, n); });
  add("Boost block_indirect_sort, two threads", [](T* at, std::size_t n) { block_indirect_sort(at, n); });
  c.play(rounds);
  bench::table t({what, "min", "median"});
  for (std::size_t i = 0; i < names.size(); ++i) t.add({names[i], text("%.1f", c[i].min()), text("%.1f", c[i].median())});
  t.print();
  std::printf("- target: at most %.1f ns on one worker: %.1f, %s; %.1f on two: %.1f, %s\n\n", one_ns, c[0].min(),
              bench::verdict(c[0].min(), one_ns).c_str(), two_ns, c[1].min(), bench::verdict(c[1].min(), two_ns).c_str());
}

template <class T>
T random_value(std::mt19937_64& dice) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(static_cast<double>(dice() >> 11) * 0x1p-53);
  else if constexpr (sizeof(T) > 8)
    return static_cast<T>(dice()) << 64 | dice();
  else
    return static_cast<T>(dice());
}

template <class T>
std::vector<T> random_values(std::size_t n) {
  std::mt19937_64 dice(n);
  std::vector<T> v(n);
  for (T& x : v) x = random_value<T>(dice);
  return v;
}

std::vector<std::string> random_words(std::size_t n, std::size_t least, std::size_t most) {
  std::mt19937_64 dice(n + most);
  std::vector<std::string> v(n);
  for (std::string& s : v) {
    s.resize(least + dice() % (most - least + 1));
    for (char& c : s) c = static_cast<char>('a' + dice() % 26);
  }
  return v;
}

enum class shape { random, sorted, reversed, nearly_sorted, few_values, one_hot_digit };
constexpr std::pair<shape, const char*> shapes[] = {
    {shape::random, "random"},         {shape::sorted, "sorted"},         {shape::reversed, "reversed"},
    {shape::nearly_sorted, "1 % out of order"}, {shape::few_values, "16 values"}, {shape::one_hot_digit, "one hot digit"}};

template <class T>
std::vector<T> shaped(shape s, std::size_t n) {
  std::vector<T> v = random_values<T>(n);
  std::mt19937_64 dice(7);
  if (s == shape::few_values)
    for (T& x : v) x = v[dice() % 16];
  if (s == shape::one_hot_digit)  // all but one in a hundred have their highest bits in common
    for (T& x : v)
      if (dice() % 100 != 0) x = static_cast<T>(std::is_floating_point_v<T> ? 1 + static_cast<double>(x) / 1e4 : static_cast<double>(dice() % 100));
  if (s == shape::sorted || s == shape::reversed || s == shape::nearly_sorted) std::sort(v.begin(), v.end());
  if (s == shape::reversed) std::reverse(v.begin(), v.end());
  if (s == shape::nearly_sorted)
    for (std::size_t i = 0; i < n / 200; ++i) std::swap(v[dice() % n], v[dice() % n]);
  return v;
}

// The time by digits as a multiple of the time compared: never more than 1.
template <class T>
double add_ratios(bench::table& t, const char* key, std::size_t n, int rounds) {
  std::vector<std::string> row{key};
  double worst = 0;
  for (const auto& [s, name] : shapes) {
    arena<T> a(shaped<T>(s, n));
    bench::contest c;
    c.add([&] { return a.ns_per_element(in(one(), by_heist)); });
    c.add([&] { return a.ns_per_element(in(one(), compared)); });
    c.play(rounds);
    const double ratio = c[0].min() / c[1].min();
    row.push_back(text("%.2f", ratio));
    worst = std::max(worst, ratio);
  }
  t.add(row);
  return worst;
}

void all_ratios(std::size_t n, int rounds) {
  std::vector<std::string> head{text("%.0e elements, one worker: by digits / compared", static_cast<double>(n))};
  for (const auto& [s, name] : shapes) head.emplace_back(name);
  bench::table t(head);
  double worst = 0;
  auto add = [&]<class T>(T, const char* key) { worst = std::max(worst, add_ratios<T>(t, key, n, rounds)); };
  add(std::uint8_t{}, "8 bits");
  add(std::int16_t{}, "16 bits");
  add(std::int32_t{}, "32 bits");
  add(std::int64_t{}, "64 bits");
  add(static_cast<unsigned __int128>(0), "128 bits");
  add(0.0F, "float");
  add(0.0, "double");
  t.print();
  std::printf("- target: never slower than compared, 1.03 for noise: %.2f, %s\n\n", worst, bench::verdict(worst, 1.03).c_str());
}

template <class T>
void small(const char* what, double target, int rounds) {
  constexpr std::size_t n = 1'000, pieces = 2'000;
  const std::vector<T> all = random_values<T>(n * pieces);
  std::vector<T> work;
  bench::contest c;
  auto add = [&](auto sort) {
    c.add([&, sort] {
      work = all;
      double ns = 0;
      one().run([&] {
        ns = bench::ns_of([&] {
          for (std::size_t k = 0; k < pieces; ++k) sort(work.data() + k * n, n);
        });
      });
      bench::expect(std::is_sorted(work.begin(), work.begin() + n), "sort");
      return ns / (n * pieces);
    });
  };
  add(by_heist);
  add(compared);
  add([](T* at, std::size_t m) { std::sort(at, at + m); });
  add([](T* at, std::size_t m) { spread_sort(at, m); });
  c.play(rounds);
  bench::table t({what, "min", "median"});
  const char* names[] = {"heist::sort", "heist::sort compared", "std::sort", "Boost spreadsort"};
  for (std::size_t i = 0; i < 4; ++i) t.add({names[i], text("%.1f", c[i].min()), text("%.1f", c[i].median())});
  t.print();
  std::printf("- target: at most %.1f ns: %.1f, %s\n\n", target, c[0].min(), bench::verdict(c[0].min(), target).c_str());
}

// Stable sorts and merges that compare: what clang made of them was slower than what g++ did.
void comparing(int rounds) {
  constexpr std::size_t n = 1'000'000;
  bench::table t({"10⁶ doubles compared, one worker, ns an element", "min", "median"});
  arena<double> a(random_values<double>(n));
  bench::contest c;
  c.add([&] { return a.ns_per_element(in(one(), compared)); });
  c.add([&] {
    return a.ns_per_element(in(one(), [](double* at, std::size_t m) { heist::stable_sort(at, at + m, [](double x, double y) { return x < y; }); }));
  });
  std::vector<double> left = random_values<double>(n), right = random_values<double>(n + 1), both(2 * n + 1);
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  c.add([&] {
    double ns = 0;
    one().run([&] { ns = bench::ns_of([&] { heist::merge(left.begin(), left.end(), right.begin(), right.end(), both.begin()); }); });
    bench::expect(std::is_sorted(both.begin(), both.end()), "merge");
    return ns / static_cast<double>(both.size());
  });
  c.play(rounds);
  const char* names[] = {"heist::sort", "heist::stable_sort", "heist::merge"};
  for (std::size_t i = 0; i < 3; ++i) t.add({names[i], text("%.2f", c[i].min()), text("%.2f", c[i].median())});
  t.print();
  std::printf("- target: with clang at most 1.1 of g++'s figures\n\n");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 7);
  bench::introduce("sorts", o);
  const bool smoke = o.rounds == 1;
  const std::size_t many = smoke ? 100'000 : 10'000'000, some = smoke ? 10'000 : 1'000'000;
  small<std::int32_t>("1,000 ints, ns an element", 8, o.rounds);
  small<double>("1,000 doubles, ns an element", 14, o.rounds);
  large("10⁷ ints, ns an element", random_values<std::int32_t>(many), 7.5, 4, o.rounds);
  large("10⁷ doubles, ns an element", random_values<double>(many), 15, 8, o.rounds);
  large("10⁶ strings of 16 letters, ns an element", random_words(some, 16, 16), 144, 80, o.rounds);
  large("10⁶ strings of 4 to 24 letters, ns an element", random_words(some, 4, 24), 144, 80, o.rounds);
  comparing(o.rounds);
  all_ratios(some, o.rounds);
}

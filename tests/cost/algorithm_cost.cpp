// What an algorithm costs that nobody shares, as programs whose instructions callgrind counts. Compiled at -O3, where
// compilers vectorise: what keeps them from it shows here.
//   algorithm_cost for_each|count_if|transform_reduce|min_element|histogram|progress|affinity|chain|serial_… times
// runs it so many times on a thousand numbers, on one worker.

#include <heist/heist.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace {

std::vector<double> v(1000), w(1000, 2.0);

constexpr auto step = [](double& x) { x = x * 0.5 + 1; };
constexpr auto is_small = [](double x) { return x < 0.5; };
constexpr auto plus = [](double a, double b) { return a + b; };
constexpr auto square = [](double x) { return x * x; };
constexpr auto less = [](double a, double b) { return a < b; };
constexpr auto bin = [](double x) { return static_cast<std::size_t>(x * 16); };

std::size_t serial_histogram() {
  std::vector<std::size_t> counts(16);
  for (const double x : v) ++counts[bin(x)];
  return counts[3];
}

double serial_chain() {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * w[i];
  return sum;
}
double chain() {
  return heist::par(v) | heist::stage::zip(w) | heist::stage::transform([](double x, double y) { return x * y; }) |
         heist::stage::reduce(0.0);
}
double with_progress() {
  heist::progress p(v.size());
  heist::for_each(v, step, p);
  return v[0] + static_cast<double>(p.done());
}

double with_affinity() {
  static heist::affinity homes;
  heist::for_each(v, step, homes);
  return v[0];
}

struct program {
  const char* name;
  double (*run)();
};
// Each is called through a pointer: nothing is computed once for all times.
constexpr program programs[] = {
    {"serial_for_each", [] { return std::for_each(v.begin(), v.end(), step), v[0]; }},
    {"for_each", [] { return heist::for_each(v, step), v[0]; }},
    {"serial_count_if", [] { return static_cast<double>(std::count_if(v.begin(), v.end(), is_small)); }},
    {"count_if", [] { return static_cast<double>(heist::count_if(v, is_small)); }},
    {"serial_transform_reduce", [] { return std::transform_reduce(v.begin(), v.end(), 0.0, plus, square); }},
    {"transform_reduce", [] { return heist::transform_reduce(v, 0.0, plus, square); }},
    {"serial_min_element", [] { return *std::min_element(v.begin(), v.end(), less); }},
    {"min_element", [] { return *heist::min_element(v, less); }},
    {"serial_histogram", [] { return static_cast<double>(serial_histogram()); }},
    {"histogram", [] { return static_cast<double>(heist::histogram(v, 16, bin)[3]); }},
    {"serial_progress", [] { return heist::for_each(v, step), v[0]; }},
    {"progress", with_progress},
    {"serial_affinity", [] { return heist::for_each(v, step), v[0]; }},
    {"affinity", with_affinity},
    {"serial_chain", serial_chain},
    {"chain", chain},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int times = argc > 2 ? std::atoi(argv[2]) : 0;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<double>(i * 7919 % 1000) / 1000;
  heist::pool p({.workers = 1});
  return p.run([&] {
    for (const program& each : programs) {
      if (what != each.name) continue;
      double sum = 0;
      for (int i = 0; i < times; ++i) sum += each.run();
      std::printf("%g\n", sum);
      return 0;
    }
    return 2;
  });
}

#include <bench/short/contestants.hpp>

#include <heist/heist.hpp>

namespace short_work {
namespace {

heist::pool& two() {
  static heist::pool p({.workers = 2});
  return p;
}

double join(std::size_t steps) {
  return two().run([=] {
    const auto [a, b] = heist::join([=] { return chain(steps, 1); }, [=] { return chain(steps, 2); });
    return a + b;
  });
}
void inside(const std::function<void()>& f) { two().run(f); }
void transform(const double* in, double* out, std::size_t n) { heist::transform(in, in + n, out, changed); }
double reduce(const double* in, std::size_t n) { return heist::reduce(in, in + n, 0.0); }
void scan(const double* in, double* out, std::size_t n) { heist::inclusive_scan(in, in + n, out); }

}  // namespace

const contestant heist_two{"heist", join, inside, transform, reduce, scan};

}  // namespace short_work

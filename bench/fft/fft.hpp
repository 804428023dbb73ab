#pragma once
// The fast Fourier transform by halves: the even and the odd elements in parallel, then the butterflies that join them,
// also by halves. Up to 128 elements, or 512 butterflies, there is no fork.

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace fft {

// std::complex multiplies with care for infinities, which would hide the rest.
struct number {
  double re, im;
  friend number operator+(number a, number b) { return {a.re + b.re, a.im + b.im}; }
  friend number operator-(number a, number b) { return {a.re - b.re, a.im - b.im}; }
  friend number operator*(number a, number b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
};

// A power of two of them.
struct input {
  explicit input(long size) : n(static_cast<std::size_t>(size)), in(n), out(n), roots(n / 2) {
    for (std::size_t i = 0; i < n; ++i) in[i] = {static_cast<double>(i % 17), static_cast<double>(i % 5)};
    for (std::size_t i = 0; i < n / 2; ++i) {
      const double angle = -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
      roots[i] = {std::cos(angle), std::sin(angle)};
    }
  }
  void reset() { out.assign(n, {}); }
  double result() const {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (out[i].re + out[i].im) * static_cast<double>(i % 3);
    return sum;
  }

  std::size_t n;
  std::vector<number> in, out, roots;
};

constexpr std::size_t leaf = 128, butterflies = 512;

// The butterflies [first, last) of the n elements at `out`, whose halves are transforms.
template <class Runtime>
void join_halves(const input& x, number* out, std::size_t n, std::size_t first, std::size_t last) {
  if (last - first <= butterflies) {
    for (std::size_t k = first; k < last; ++k) {
      const number even = out[k], odd = x.roots[k * (x.n / n)] * out[k + n / 2];
      out[k] = even + odd;
      out[k + n / 2] = even - odd;
    }
    return;
  }
  const std::size_t middle = first + (last - first) / 2;
  Runtime::both([=, &x] { join_halves<Runtime>(x, out, n, first, middle); },
                [=, &x] { join_halves<Runtime>(x, out, n, middle, last); });
}

// The n elements that begin at `in` and lie `stride` apart.
template <class Runtime>
void transform(const input& x, const number* in, std::size_t stride, number* out, std::size_t n) {
  if (n == 1) {
    *out = *in;
    return;
  }
  auto even = [=, &x] { transform<Runtime>(x, in, 2 * stride, out, n / 2); };
  auto odd = [=, &x] { transform<Runtime>(x, in + stride, 2 * stride, out + n / 2, n / 2); };
  if (n <= leaf) {
    even();
    odd();
  } else {
    Runtime::both(even, odd);
  }
  join_halves<Runtime>(x, out, n, 0, n / 2);
}

}  // namespace fft

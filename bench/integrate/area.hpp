#pragma once
// Adaptive quadrature: the area under x³ + x from 0 to n. A piece whose two halves, as trapezia, differ from the whole
// by too much is cut in two. Neighbouring pieces share the function's value between them.

#include <cmath>

namespace integrate {

inline double f(double x) { return (x * x + 1) * x; }

struct piece {
  double left, left_f, right, right_f;

  double area() const { return (left_f + right_f) / 2 * (right - left); }
};

inline piece whole(double n) { return {0, f(0), n, f(n)}; }

struct halves {
  piece first, second;
  double area;
  bool good;
};

inline halves cut(const piece& p, double area) {
  const double middle = p.left + (p.right - p.left) / 2, middle_f = f(middle);
  halves h{{p.left, p.left_f, middle, middle_f}, {middle, middle_f, p.right, p.right_f}, 0, false};
  h.area = h.first.area() + h.second.area();
  h.good = std::abs(h.area - area) < 1e-3;
  return h;
}

}  // namespace integrate

#pragma once
// Vectors in space.

namespace examples {

struct vec {
  double x = 0, y = 0, z = 0;

  vec& operator+=(vec v) { return x += v.x, y += v.y, z += v.z, *this; }
  friend vec operator+(vec a, vec b) { return a += b; }
  friend vec operator-(vec a, vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend vec operator*(double s, vec v) { return {s * v.x, s * v.y, s * v.z}; }
  friend double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend bool operator==(vec, vec) = default;
};

}  // namespace examples

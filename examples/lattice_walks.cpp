#include <examples/lattice_walks.hpp>

#include <cstdio>

struct known {
  int a, b, c;
  long walks;  // as the serial program counts them
};

int main() {
  // A cube has 144: 8 corners to start from, 3 ways to leave it, 2 to go on, and 3 from there.
  constexpr known boxes[] = {{2, 2, 2, 144}, {2, 2, 4, 8032}, {2, 3, 3, 33'760}, {2, 3, 4, 826'968}};
  bool right = true;
  for (const auto& [a, b, c, walks] : boxes) {
    const examples::box box(a, b, c);
    const long found = examples::lattice_walks(box);
    std::printf("%d x %d x %d points: %ld walks visit all\n", a, b, c, found);
    right = right && found == walks;
    if (box.points() < 20) right = right && found == examples::lattice_walks_serial(box);
  }
  return right ? 0 : 1;
}

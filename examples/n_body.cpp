#include <examples/n_body.hpp>

#include <cstdio>
#include <random>

int main() {
  std::vector<examples::body> bodies(1500);
  std::mt19937 dice(3);
  auto any = [&dice] { return static_cast<double>(dice()) * 0x1p-31 - 1; };
  for (examples::body& b : bodies)
    b = {{any(), any(), any()}, {any(), any(), any()}, 1 / static_cast<double>(bodies.size())};
  std::vector<examples::body> expected = bodies;
  const examples::vec before = examples::momentum(bodies);
  for (int i = 0; i < 5; ++i) {
    examples::step(bodies, 0.01);
    examples::step_serial(expected, 0.01);
  }
  const examples::vec change = examples::momentum(bodies) - before;
  std::printf("%zu bodies after 5 steps: the momentum has changed by (%.1e, %.1e, %.1e)\n", bodies.size(), change.x,
              change.y, change.z);
  const bool kept = std::abs(change.x) + std::abs(change.y) + std::abs(change.z) < 1e-10;
  return bodies == expected && kept ? 0 : 1;  // every bit
}

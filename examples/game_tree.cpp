#include <examples/game_tree.hpp>

#include <cstdio>

// How many games there are of so many plies: a well-known number, so the rules are right.
static long games(const examples::othello& p, int plies) {
  if (plies == 0) return 1;
  long sum = 0;
  for (const examples::othello& next : p.all_moves()) sum += games(next, plies - 1);
  return sum;
}

int main() {
  constexpr int depth = 8;
  examples::othello p = examples::othello::start();
  bool right = games(p, 6) == 8200;
  std::printf("from the opening, %d plies ahead:", depth);
  for (int ply = 0; ply < 6; ++ply) {
    const examples::choice best = heist::default_pool().run([&] { return examples::best_move(p, depth); });
    std::printf(" move %zu (%+d)", best.move + 1, best.value);
    right = right && best == examples::best_move_serial(p, depth);
    p = p.all_moves()[best.move];
  }
  std::printf("\n");
  return right ? 0 : 1;
}

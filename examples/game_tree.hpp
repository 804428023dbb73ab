#pragma once
// Game-tree search with pruning: which move is best in Othello, looking some plies ahead?
// Alpha–beta leaves out what cannot change the answer, and for that it needs the results of the
// moves before. So the first move of a position is searched alone (it is mostly the best one), and
// its siblings in parallel, sharing the best value so far. A strand that reaches beta ends them
// all.
//
// The answer is the same on every schedule, although the nodes visited are not: search(p, α, β)
// returns the true value of p, clamped to [α, β], whatever was left out on the way. A sibling that
// sees a better α, or sees it sooner, is clamped elsewhere, below the maximum over all siblings. Of
// equally good moves the first wins: a move that comes before the best so far only has to equal it.
//
// Work: n leaves without pruning, Θ(√n) with the best order on one worker; P workers search some more, as they know
// less. Span Θ(2^depth · moves): each level waits for the first move, then for its siblings.

#include <examples/othello.hpp>
#include <heist/heist.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

namespace examples {

constexpr int infinite = 1'000'000;

struct choice {
  int value;
  std::size_t move;  // the number of the move in their order
  friend bool operator==(const choice&, const choice&) = default;
};

inline int search_serial(const othello& p, int depth, int alpha, int beta) {
  if (depth == 0) return std::clamp(p.value(), alpha, beta);
  const othello::moves all = p.all_moves();
  if (all.empty())
    return p.is_over() ? std::clamp(p.final_value(), alpha, beta) : -search_serial(p.pass(), depth - 1, -beta, -alpha);
  for (const othello& next : all) {
    alpha = std::max(alpha, -search_serial(next, depth - 1, -beta, -alpha));
    if (alpha >= beta) return beta;
  }
  return alpha;
}

inline choice best_move_serial(const othello& p, int depth) {
  choice best{-infinite, 0};
  const othello::moves all = p.all_moves();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int value = -search_serial(all[i], depth - 1, -infinite, -best.value);
    if (value > best.value) best = {value, i};
  }
  return best;
}

// Relaxed here and below: a strand that sees an old value only searches more than it had to.
template <class T>
void raise(std::atomic<T>& best, T value) {
  T before = best.load(std::memory_order_relaxed);
  while (before < value && !best.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
  }
}

// A position that is being searched, as its moves see it.
struct node {
  std::atomic<int> alpha;
  const int beta;
  const node* const above;

  bool cut() const { return alpha.load(std::memory_order_relaxed) >= beta; }
  // No value below here is needed: a sibling of it, or of a node further up, has reached beta.
  bool is_vain() const { return cut() || (above != nullptr && above->is_vain()); }
};

inline int search(const othello& p, int depth, int alpha, int beta, const node* above) {
  constexpr int serial_depth = 3;
  if (depth <= serial_depth) return search_serial(p, depth, alpha, beta);
  const othello::moves all = p.all_moves();
  if (all.empty())
    return p.is_over() ? std::clamp(p.final_value(), alpha, beta) : -search(p.pass(), depth - 1, -beta, -alpha, above);
  node here{alpha, beta, above};
  auto try_move = [&](std::size_t i) {
    if (here.is_vain()) return;
    raise(here.alpha, -search(all[i], depth - 1, -beta, -here.alpha.load(std::memory_order_relaxed), &here));
  };
  try_move(0);
  heist::for_each_index(std::size_t{1}, all.size(), try_move, heist::grain{1});
  return std::min(here.alpha.load(std::memory_order_relaxed), beta);
}

// Call it inside a pool, so that the whole search is one root.
inline choice best_move(const othello& p, int depth) {
  const othello::moves all = p.all_moves();
  // Value and number of the best so far in one word: of equal values the lower number is greater.
  auto packed = [](choice c) { return static_cast<long>(c.value) * 64 + 63 - static_cast<long>(c.move); };
  auto unpacked = [](long word) {
    return choice{static_cast<int>(word >> 6), static_cast<std::size_t>(63 - (word & 63))};
  };
  std::atomic<long> best = packed({-infinite, 0});
  auto try_move = [&](std::size_t i) {
    const choice so_far = unpacked(best.load(std::memory_order_relaxed));
    const int alpha = i < so_far.move ? so_far.value - 1 : so_far.value;
    const int value = -search(all[i], depth - 1, -infinite, -alpha, nullptr);
    if (value > alpha) raise(best, packed({value, i}));
  };
  try_move(0);
  heist::for_each_index(std::size_t{1}, all.size(), try_move, heist::grain{1});
  return unpacked(best);
}

}  // namespace examples

#pragma once
// Levels of distance, and how a thief that prefers near victims draws one. The simulator draws by the same rule.

#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {

// How far two processors are from each other; `far`: on different nodes.
enum class distance : unsigned char { core, cache, node, far };

// `draw()` draws a victim uniformly, and `between(victim)` is how far it is. Every other victim is taken as it comes, so each
// keeps half of the chance that it has with a uniform thief. For the others a level is drawn first, behind the same cache or on
// the same node, and then victims until one is so near; not for ever, since there may be few or none.
template <class Dice, class Draw, class Between>
auto draw_near(Dice& dice, Draw draw, Between between) {
  constexpr int most_draws = 16;
  auto victim = draw();
  if (dice.below(2) == 0) return victim;
  const distance within = dice.below(2) == 0 ? distance::cache : distance::node;
  for (int draws = 1; draws < most_draws && between(victim) > within; ++draws) victim = draw();
  return victim;
}

}  // namespace heist::detail

HEIST_END

#pragma once
// Levels of distance, and how a thief that prefers near victims draws one. The simulator draws by the same rule.

#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {

// How far two processors are from each other.
enum class distance : unsigned char { core, cache, node, far };

// `draw()` draws a victim uniformly, and `between(victim)` is how far it is. Every other draw is as it comes, so each victim
// keeps half of the chance that it has with a uniform thief. The others are drawn again, a few times, the rather the farther
// away the victim is.
template <class Dice, class Draw, class Between>
auto draw_near(Dice& dice, Draw draw, Between between) {
  auto victim = draw();
  if (dice.below(2) == 0) return victim;
  for (int draws = 1; draws < 4; ++draws) {
    if (dice.below(1u << static_cast<unsigned>(between(victim))) == 0) break;
    victim = draw();
  }
  return victim;
}

}  // namespace heist::detail

HEIST_END

#include <analysis/dag/rounds.hpp>

#include <analysis/dag/random.hpp>

#include <algorithm>

namespace heist::analysis {

stretch rounds::next(seed& s) const {
  const std::uint64_t step = s.c++;
  if (s.b == 0) return next_round(step);
  if (s.b > 1) return split(s, step);
  stretch r;
  r.length = work_of(s.a);
  r.ends = true;
  return r;
}

// In turn: the serial stretch, which spawns the loop; an instruction, and the wait for it.
stretch rounds::next_round(std::uint64_t step) const {
  stretch r;
  if (step == 2 * rounds_) {
    r.ends = true;
  } else if (step % 2 == 1) {
    r.waits = true;
  } else {
    r.length = serial_;
    r.spawns = true;
    r.frame = frame_;
    r.child = {0, parts_, 0};
  }
  return r;
}

stretch rounds::split(const seed& s, std::uint64_t step) const {
  stretch r;
  const std::uint64_t children = std::min(arity_, s.b);
  if (step < children) {
    const std::uint64_t first = s.b * step / children, end = s.b * (step + 1) / children;
    r.spawns = true;
    r.frame = frame_;
    r.child = {s.a + first, end - first, 0};
  } else {
    (step == children ? r.waits : r.ends) = true;
  }
  return r;
}

std::uint64_t rounds::work_of(std::uint64_t part) const {
  return work_ + static_cast<std::uint64_t>(static_cast<double>(work_) * uneven_ * to_unit(mix(part, 0x9a27)));
}

}  // namespace heist::analysis

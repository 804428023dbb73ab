#include <analysis/cache/misses.hpp>

#include <analysis/dag/error.hpp>

namespace heist::analysis {

misses::misses(const traced_program& p, std::uint32_t processors, cache_size size) : program_(p), line_(size.line) {
  if (size.line < 1 || size.places() < 1) throw bad_input("a cache must have room for a line, and a line for a word");
  const std::uint64_t entries = std::uint64_t{processors} * (p.memory() / size.line + 1 + size.places());
  if (entries > (1u << 28)) throw bad_input("these caches are too large, or too many");
  caches_.assign(processors, ideal_cache(size.places(), p.memory() / size.line + 1));
}

void misses::executed(const machine& m, id p, id t) {
  const processor& q = m.processors()[p];
  const auto instruction = static_cast<id>(m.thread(t).next.a - 1);
  const std::uint32_t word = program_.word(instruction, q.now.length - 1 - (q.due - m.now()));
  if (word != traced_program::nothing && caches_[p].touch(word / line_)) ++count_;
}

bool misses_bounded(const options& o) {
  return o.policy == policy::work_stealing && o.amount == amount::one && o.steady() && !o.affinity;
}

cache_run run_with_caches(const traced_program& p, const options& o, cache_size size) {
  machine m(p, o);
  misses look(p, o.processors, size);
  m.add(look);
  cache_run r;
  r.seen = m.run();
  r.misses = look.count();
  return r;
}

}  // namespace heist::analysis

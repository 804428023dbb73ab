#pragma once
// A simulated machine's shape: processors in a row, some of them behind each cache, some caches on each node.

#include <analysis/dag/random.hpp>
#include <analysis/sim/options.hpp>

#include <heist/topology/near.hpp>

namespace heist::analysis {

class distances {
 public:
  explicit distances(const options& o)
      : n_(o.processors), per_cache_(o.per_cache), per_node_(o.per_node), near_(o.victims == victims::near) {}

  detail::distance between(std::uint32_t a, std::uint32_t b) const {
    if (a / per_cache_ == b / per_cache_) return detail::distance::cache;
    return a / per_node_ == b / per_node_ ? detail::distance::node : detail::distance::far;
  }

  // Whom `thief` asks, of at least two processors.
  std::uint32_t draw(std::uint32_t thief, stream& random) const {
    auto uniform = [&] {
      const std::uint32_t v = thief + 1 + (n_ > 2 ? random.below(n_ - 1) : 0);
      return v < n_ ? v : v - n_;
    };
    if (!near_) return uniform();
    return detail::draw_near(random, uniform, [&](std::uint32_t v) { return between(thief, v); });
  }

 private:
  std::uint32_t n_, per_cache_, per_node_;
  bool near_;
};

}  // namespace heist::analysis

#pragma once
// The end of the proof of Lemma 12: how many delay sequences of R rounds there are, times how likely each is.

#include <analysis/dag/dag.hpp>

#include <cstdint>

namespace heist::analysis {

// Numbers that the union bound is made of, as logarithms where they are large.
struct union_bound {
  double paths = 0;   // ln of the number of maximal paths of G′
  double length = 0;  // instructions on the longest
  // ln of: paths · C(2L + R, R) · e^(−2R + 11L)
  double at(double rounds) const;
  // The smallest R from which on it is at most epsilon.
  std::uint64_t rounds_for(double epsilon) const;
};

// As in the paper: at most Δ^(2T∞) paths, of at most 2T∞ instructions.
union_bound paper_bound(std::uint64_t span, std::uint64_t degree);

// The paths of this very dag, counted.
union_bound counted_bound(const dag& d);

// The chance that of 3P(r − 1) attempts at most one chooses a given processor of the P − 1 others: what Lemma 11 bounds
// by e^(3 − 2r) for r ≥ 4.
double chance_of_group(std::uint32_t processors, std::uint64_t rounds);

}  // namespace heist::analysis

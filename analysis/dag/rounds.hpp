#pragma once
// The same loop again and again: rounds of a parallel loop over parts of data, after a serial stretch each.

#include <analysis/dag/computation.hpp>
#include <analysis/dag/spec.hpp>

namespace heist::analysis {

class rounds final : public computation {
 public:
  explicit rounds(spec& s)
      : rounds_(s.number("n", 20, 1, 1u << 24)),
        parts_(s.number("parts", 64, 1, 1u << 24)),
        arity_(s.number("arity", 2, 2, 1u << 24)),
        work_(s.number("work", 50, 1, 1u << 30)),
        serial_(s.number("serial", 1, 1, 1u << 30)),
        uneven_(s.real("uneven", 0, 0, 1000)),
        frame_(s.frame()) {}

  seed root() const override { return {0, 0, 0}; }
  std::uint32_t root_frame() const override { return frame_; }
  stretch next(seed& s) const override;
  std::uint64_t parts() const override { return parts_; }
  std::uint64_t part(const seed& s) const override { return s.b == 1 ? s.a : parts_; }

 private:
  // A seed is the first part and how many there are; none: the root. `c` is how far it is.
  stretch next_round(std::uint64_t step) const;
  stretch split(const seed& s, std::uint64_t step) const;
  std::uint64_t work_of(std::uint64_t part) const;

  std::uint64_t rounds_, parts_, arity_, work_, serial_;
  double uneven_;  // a part takes up to so many times its work longer
  std::uint32_t frame_;
};

}  // namespace heist::analysis

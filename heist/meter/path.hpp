#pragma once
// Lengths of paths through a computation.

#include <heist/base/export.hpp>

#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

// A length or an amount of work, counted both in ticks and in strands.
struct cost {
  std::uint64_t ticks = 0;
  std::uint64_t strands = 0;

  friend cost operator+(cost a, cost b) noexcept { return {a.ticks + b.ticks, a.strands + b.strands}; }
  friend cost operator-(cost a, cost b) noexcept { return {a.ticks - b.ticks, a.strands - b.strands}; }
  friend cost longer(cost a, cost b) noexcept {
    return {a.ticks < b.ticks ? b.ticks : a.ticks, a.strands < b.strands ? b.strands : a.strands};
  }
};

// The length of the longest path, and that of the longest path if every fork has its burden.
struct path_length {
  cost plain;
  cost burdened;

  friend path_length operator+(path_length a, path_length b) noexcept {
    return {a.plain + b.plain, a.burdened + b.burdened};
  }
  friend path_length operator-(path_length a, path_length b) noexcept {
    return {a.plain - b.plain, a.burdened - b.burdened};
  }
  friend path_length longer(path_length a, path_length b) noexcept {
    return {longer(a.plain, b.plain), longer(a.burdened, b.burdened)};
  }
};

}  // namespace heist::detail

HEIST_END

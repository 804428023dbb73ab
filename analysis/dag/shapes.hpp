#pragma once
// Computations that are made on demand: trees of spawn/sync programs of which only the living threads are in memory.

#include <analysis/dag/computation.hpp>

#include <memory>
#include <string>
#include <vector>

namespace heist::analysis {

// A shape is named "shape:value,key=value,…"; the first value may go without its key. Null if `spec` begins with no
// shape's name and a colon; throws bad_input if a key or value is wrong.
std::unique_ptr<computation> make_shape(const std::string& spec);

struct shape_help {
  std::string example, text;
};
std::vector<shape_help> shapes();

}  // namespace heist::analysis

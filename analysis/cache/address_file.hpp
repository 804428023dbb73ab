#pragma once
// What `heist record --addresses` has written (analysis/race/addresses.hpp), as a program with a memory trace.

#include <analysis/cache/traced.hpp>

#include <memory>
#include <string>

namespace heist::analysis {

// Loops become trees of halves, with leaves of some hundred accesses; futures count as joined where the strand ends
// that made them. Throws bad_input.
std::unique_ptr<traced_program> read_addresses(const std::string& path);

}  // namespace heist::analysis

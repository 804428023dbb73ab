#pragma once
// The demo's programs: each can be run serially and in a pool, and knows its right result.

#include <functional>
#include <string>
#include <vector>

namespace demo {

struct program {
  std::string name;
  std::function<void()> prepare;   // not timed
  std::function<void()> serial;    // timed
  std::function<void()> parallel;  // timed, inside a pool
  std::function<bool()> right;     // was the last run's result right?
};

// Run one after the other, so that only one program's data is in memory.
std::vector<std::function<program()>> programs();

}  // namespace demo

#pragma once
// A flat loop of tiny children: child i marks place i. What is asked is the time, and the memory that waiting children
// take.

#include <cstddef>
#include <numeric>
#include <vector>

namespace spawn_loop {

struct input {
  explicit input(long size) : marks(static_cast<std::size_t>(size)) {}
  void reset() { marks.assign(marks.size(), 0); }
  double result() const { return std::accumulate(marks.begin(), marks.end(), 0.); }

  std::vector<unsigned char> marks;
};

}  // namespace spawn_loop

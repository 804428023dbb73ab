#pragma once
// What the tests of heist::graph share: the places where they run, and nodes that note when they ran.

#include "tests/waiting/together.hpp"

#include <atomic>
#include <cstddef>
#include <vector>

namespace heist_test {

using handle = heist::graph::handle;

class a_graph : public together {};

// When nodes ran: each gets the time of its beginning and of its end.
class watched {
 public:
  explicit watched(std::size_t n) : begun_(n), ended_(n), runs_(n) {}
  auto node(std::size_t i) {
    return [this, i] {
      begun_[i] = ++time_;
      ++runs_[i];
      ended_[i] = ++time_;
    };
  }
  bool before(std::size_t a, std::size_t b) const { return ended_[a] < begun_[b]; }
  int runs(std::size_t i) const { return runs_[i]; }

 private:
  std::atomic<int> time_{0};
  std::vector<int> begun_, ended_;
  std::vector<std::atomic<int>> runs_;
};

}  // namespace heist_test

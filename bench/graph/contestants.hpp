#pragma once
// The graphs of bench/graph, and what each contestant makes of them.

#include <bench/common/bench.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace graph_bench {

struct shape {
  const char* name;
  std::uint32_t nodes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // from a smaller number to a larger one
};

// What the nodes do: each counts its runs. In a checked run it also looks whether all that precede it have run.
class work {
 public:
  explicit work(const shape& s);
  void visit(std::uint32_t i) {
    if (checking_) [[unlikely]]
      check(i);
    ++runs_[i];
  }
  void begin(bool checking) { checking_ = checking; }
  // Whether every node has run so often.
  bool complete(std::uint32_t times) const;

 private:
  void check(std::uint32_t i) const;

  const shape& shape_;
  std::vector<std::uint32_t> runs_;
  std::vector<std::uint32_t> first_, before_;  // the predecessors of each node
  bool checking_ = false;
};

// A graph that was built, and can be run.
class built {
 public:
  virtual ~built() = default;
  virtual void run() = 0;
};

struct contestant {
  const char* name;
  std::unique_ptr<built> (*build)(const shape& s, work& w, unsigned workers);
};

extern const contestant serial, heist_graph, tbb_flow;
#if defined(BENCH_TASKFLOW)
extern const contestant taskflow;
#endif

}  // namespace graph_bench

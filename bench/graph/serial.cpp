#include <bench/graph/contestants.hpp>

namespace graph_bench {

work::work(const shape& s) : shape_(s), runs_(s.nodes), first_(s.nodes + 1), before_(s.edges.size()) {
  for (const auto& [from, to] : s.edges) ++first_[to + 1];
  for (std::uint32_t i = 0; i < s.nodes; ++i) first_[i + 1] += first_[i];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const auto& [from, to] : s.edges) before_[next[to]++] = from;
}

void work::check(std::uint32_t i) const {
  for (std::uint32_t k = first_[i]; k < first_[i + 1]; ++k)
    bench::expect(runs_[before_[k]] == runs_[i] + 1, "a node ran before one that precedes it");
}

bool work::complete(std::uint32_t times) const {
  return std::all_of(runs_.begin(), runs_.end(), [=](std::uint32_t n) { return n == times; });
}

namespace {

// The nodes in their order, which is a topological one: no graph at all.
class loop : public built {
 public:
  loop(const shape& s, work& w) : n_(s.nodes), work_(w) {}
  void run() override {
    for (std::uint32_t i = 0; i < n_; ++i) work_.visit(i);
  }

 private:
  const std::uint32_t n_;
  work& work_;
};

}  // namespace

constinit const contestant serial{"a loop over the nodes",
                                  [](const shape& s, work& w, unsigned) -> std::unique_ptr<built> {
                                    return std::make_unique<loop>(s, w);
                                  }};

}  // namespace graph_bench

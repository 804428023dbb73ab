#include <analysis/sim/kernel.hpp>

#include <analysis/sim/machine.hpp>

namespace heist::analysis {
namespace {

// The first processors stay, the last ones go.
class listed final : public kernel {
 public:
  explicit listed(const options& o) : changes_(o.changes) { next_ = changes_[0].step; }
  void decide(machine&, std::vector<bool>& here) override {
    for (std::size_t p = 0; p < here.size(); ++p) here[p] = p < changes_[done_].processors;
    ++done_;
    next_ = done_ < changes_.size() ? changes_[done_].step : never;
  }

 private:
  std::vector<options::change> changes_;
  std::size_t done_ = 0;
};

}  // namespace

std::unique_ptr<kernel> make_kernel(const options& o) {
  if (o.share != share::dedicated) return make_allocator(o);
  if (o.keeps()) return make_adversary(o);
  if (o.grants == grants::listed && !o.changes.empty()) return std::make_unique<listed>(o);
  return nullptr;
}

}  // namespace heist::analysis

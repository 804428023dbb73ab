// Parallelism feedback: each quantum a job judges itself by the rule that the runtime has, and is granted the smaller of what
// it desires and of what there is.

#include <analysis/sim/machine.hpp>

#include <heist/share/desire.hpp>

#include <algorithm>

namespace heist::analysis {
namespace {

detail::desire desire_of(const options& o) {
  return detail::desire({o.utilisation, o.responsiveness,
                         o.share == share::paper ? detail::desire_rule::divide : detail::desire_rule::to_what_was_used});
}

class allocator final : public kernel {
 public:
  explicit allocator(const options& o)
      : most_(o.processors), length_(o.quantum), available_(o.available), random_(mix(o.seed, 0xa57ea1)), desire_(desire_of(o)) {}

  void decide(machine& m, std::vector<bool>& here) override {
    const std::uint64_t worked = m.so_far().granted - lost(m.so_far());
    if (m.now() > 0) end_quantum(m, worked);
    const std::uint32_t available = offer(), desire = desire_.get();
    current_ = {desire, available, std::min(desire, available), m.now(), worked};
    m.begin(current_);
    choose(m, here);
    next_ = m.now() + 1 + length_;
  }

 private:
  static std::uint64_t lost(const report& r) { return r.steal + r.wait + r.idle; }

  void end_quantum(const machine& m, std::uint64_t worked) {
    const double granted = static_cast<double>(m.now() - current_.steps) * current_.allotted;
    desire_.judge(static_cast<double>(worked - current_.worked) / granted, current_.allotted, most_);
  }

  // The adverse one has much when the job wants little, and little when it wants much.
  std::uint32_t offer() {
    switch (available_) {
      case availability::random:
        return 1 + random_.below(most_);
      case availability::adverse:
        return desire_.get() * 4 <= most_ ? most_ : 1 + random_.below(std::max(1u, most_ / 8));
      case availability::full:
        break;
    }
    return most_;
  }

  // Those that are there stay; those at work rather than thieves.
  void choose(const machine& m, std::vector<bool>& here) const {
    std::uint32_t want = current_.allotted;
    std::vector<bool> chosen(here.size(), false);
    auto choose_if = [&](auto good) {
      for (std::size_t p = 0; p < here.size() && want > 0; ++p)
        if (!chosen[p] && good(m.processors()[p])) chosen[p] = true, --want;
    };
    choose_if([](const processor& q) { return q.here && q.thread != none; });
    choose_if([](const processor& q) { return q.here; });
    choose_if([](const processor&) { return true; });
    here = chosen;
  }

  const std::uint32_t most_, length_;
  const availability available_;
  stream random_;
  detail::desire desire_;
  quantum_record current_{1, 1, 1, 0, 0};
};

}  // namespace

std::unique_ptr<kernel> make_allocator(const options& o) { return std::make_unique<allocator>(o); }

}  // namespace heist::analysis

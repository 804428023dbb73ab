// The kernels of Arora, Blumofe and Plaxton. What they take away keeps its thread, as a process that is preempted does.

#include <analysis/sim/machine.hpp>

#include <algorithm>

namespace heist::analysis {
namespace {

// Who yielded, to whom, and who has run since. A thief that has found nothing may not run again before a random other
// processor has run, or before all others have.
class yielding {
 public:
  explicit yielding(const options& o) : kind_(o.yields), waits_(o.processors), ran_(o.processors, 0) {}

  // After a step: `now` is its number.
  void note(const machine& m, stream& random) {
    const std::uint64_t now = m.now();
    if (now == 0) return;
    const auto n = static_cast<id>(ran_.size());
    for (id p = 0; p < n; ++p) {
      const processor& q = m.processors()[p];
      if (!q.here) continue;
      ran_[p] = now;
      waits_[p].on = kind_ != yields::never && q.thread == none && n > 1;
      waits_[p].since = now;
      if (kind_ == yields::to_random && waits_[p].on) waits_[p].whom = (p + 1 + random.below(n - 1)) % n;
    }
    first_ = second_ = ~std::uint64_t{0};
    for (id p = 0; p < n; ++p) {
      if (ran_[p] < first_) {
        second_ = first_;
        first_ = ran_[p];
        longest_ = p;
      } else {
        second_ = std::min(second_, ran_[p]);
      }
    }
  }

  bool may_run(id p) const {
    const wait& w = waits_[p];
    if (!w.on) return true;
    if (kind_ == yields::to_random) return ran_[w.whom] > w.since;
    return (p == longest_ ? second_ : first_) > w.since;
  }
  // Who runs if p shall: p itself, or whom it yielded to, or whom that one yielded to. If they wait for each other, any.
  id runs_for(id p) const {
    for (std::size_t hops = 0; hops < ran_.size() && !may_run(p); ++hops)
      p = kind_ == yields::to_random ? waits_[p].whom : longest_;
    return p;
  }
  std::uint64_t ran(id p) const { return ran_[p]; }

 private:
  struct wait {
    bool on = false;
    std::uint64_t since = 0;
    id whom = 0;
  };
  yields kind_;
  std::vector<wait> waits_;           // by processor
  std::vector<std::uint64_t> ran_;    // the step in which it ran last
  std::uint64_t first_ = 0, second_ = 0;  // the least of them, and the next
  id longest_ = 0;                        // has not run for longest
};

class adversary_kernel : public kernel {
 public:
  explicit adversary_kernel(const options& o)
      : n_(o.processors), slice_(o.slice), random_(mix(o.seed, 0xadf)), yields_(o) {}

  void decide(machine& m, std::vector<bool>& here) final {
    const std::uint64_t step = m.now() + 1;
    yields_.note(m, random_);
    named_.assign(n_, false);
    name(m, step);
    here.assign(n_, false);
    for (id p = 0; p < n_; ++p)
      if (named_[p]) here[yields_.runs_for(p)] = true;
    next_ = step + 1;
  }

 protected:
  virtual void name(const machine& m, std::uint64_t step) = 0;

  const id n_;
  const std::uint32_t slice_;
  stream random_;
  yielding yields_;
  std::vector<bool> named_;  // who shall run in the step
};

// Benign: any number, and chance decides who. For a slice.
class random_kernel final : public adversary_kernel {
 public:
  using adversary_kernel::adversary_kernel;

 private:
  void name(const machine&, std::uint64_t step) override {
    if ((step - 1) % slice_ == 0) {
      chosen_.assign(n_, false);
      const id many = 1 + random_.below(n_);
      for (id left = n_, p = 0, want = many; p < n_; ++p, --left)
        if (random_.below(left) < want) chosen_[p] = true, --want;
    }
    named_ = chosen_;
  }
  std::vector<bool> chosen_;
};

// Laid down before the run: processor 0, where the root begins, runs in one step of a slice, all others in every step.
class oblivious_kernel final : public adversary_kernel {
 public:
  using adversary_kernel::adversary_kernel;

 private:
  void name(const machine&, std::uint64_t step) override {
    named_.assign(n_, true);
    named_[0] = n_ == 1 || step % slice_ == 0;
  }
};

// Sees everything: runs thieves only, as long as some may run, and else the one at work that has waited for longest.
class adaptive_kernel final : public adversary_kernel {
 public:
  using adversary_kernel::adversary_kernel;

 private:
  void name(const machine& m, std::uint64_t step) override {
    bool any = false;
    id longest = none;
    for (id p = 0; p < n_; ++p) {
      if (step - yields_.ran(p) >= slice_) {
        named_[p] = any = true;
      } else if (m.processors()[p].thread == none) {
        if (m.processors()[yields_.runs_for(p)].thread == none) named_[p] = any = true;
      } else if (longest == none || yields_.ran(p) < yields_.ran(longest)) {
        longest = p;
      }
    }
    if (!any) named_[longest == none ? 0 : longest] = true;
  }
};

}  // namespace

std::unique_ptr<kernel> make_adversary(const options& o) {
  if (o.grants == grants::random) return std::make_unique<random_kernel>(o);
  if (o.grants == grants::oblivious) return std::make_unique<oblivious_kernel>(o);
  return std::make_unique<adaptive_kernel>(o);
}

}  // namespace heist::analysis

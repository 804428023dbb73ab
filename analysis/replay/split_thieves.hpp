#pragma once
// Steals step by step: heavy fences, which interrupt running workers, and owners that are asked to share. The protocol
// is that of heist/deque and of robbery::run(); README.md says what is simplified.

#include <analysis/replay/machine.hpp>

namespace heist::analysis {

class split_thieves final : public replayed_machine {
 public:
  split_thieves(const recorded_run& run, const machine_costs& costs, std::uint32_t workers, std::uint64_t seed,
                stealing how);

 private:
  enum class stage : std::uint8_t { waking, claiming, asking, queued, fencing };

  struct thief {
    stage at = stage::waking;
    id victim = 0;
    std::uint64_t oldest = 0;  // queued, fencing: the index of what it is after
  };
  struct owner {
    bool asked = false;
    bool deaf = false;     // it did not answer: nobody waits for it until it has
    bool trips = false;    // it shares at its next push, unasked
    std::vector<id> wait;  // for its answer
  };

  void send_thieves() override;
  void look() override;
  void go_on_stealing(id me) override;
  void pushed(id me) override;
  void emptied(id victim) override;
  void began(id me) override;

  void set_out(id me, stage next, double ns);
  bool from_afar(id me) const { return far(me, thieves_at_[me].victim); }
  double fence_time(id me) const { return costs_.fence + (from_afar(me) ? costs_.farther.fence : 0); }
  void claim(id me) { set_out(me, stage::claiming, costs_.claim + (from_afar(me) ? costs_.farther.claim : 0)); }
  void ask(id me);
  void wait_no_more(id me);
  void fence(id me);
  void begin_fence(id me);
  double looking();

  const stealing how_;
  std::vector<thief> thieves_at_;
  std::vector<owner> owners_;
  double next_fence_ = 0;  // if they queue: not before
  // When the next look was drawn; it is drawn anew when one of them changes.
  std::size_t searchers_ = 0, with_jobs_ = 0;
};

}  // namespace heist::analysis

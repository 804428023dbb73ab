#pragma once
// Steals that take a fixed time.

#include <analysis/replay/machine.hpp>

#include <unordered_map>

namespace heist::analysis {

// Thieves that find nothing are not followed look by look: they wait until there is something, and it takes them as
// long to find it as random looks would.
class flat_thieves final : public replayed_machine {
 public:
  using replayed_machine::replayed_machine;

 private:
  void send_thieves() override;
  void go_on_stealing(id thief) override;
  void set_out(id thief, double delay);
  double looking();

  std::unordered_map<id, id> after_;  // thieves on their way to a victim in another node
};

}  // namespace heist::analysis

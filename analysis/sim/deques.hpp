#pragma once
// What is in every deque, step by step, thread by thread; and what happened to each in a step: a spawn, a stall, a
// death, an enabled thread, a theft.

#include <analysis/sim/machine.hpp>

#include <string>
#include <vector>

namespace heist::analysis {

// A processor between two steps.
struct deque_view {
  struct place {
    id thread;  // of the dag
    id next;    // its ready instruction
    friend bool operator==(const place&, const place&) = default;
  };
  std::vector<place> deque;  // the top first
  place works_on{none, none};

  bool idle() const { return works_on.thread == none; }
};

enum class deque_event : std::uint8_t { spawn, stall, death, enable, theft };
const char* to_string(deque_event e);

struct deque_step {
  struct processor {
    id executed = none;  // an instruction
    struct event {
      deque_event what;
      id thread;         // the child; who stalled or died; who was enabled; what was stolen
      id from = none;    // theft: the victim
    };
    std::vector<event> events;
    deque_view after;
  };
  std::vector<processor> processors;
};

// For a stored computation of unit instructions, under work stealing.
class deque_table final : public observer {
 public:
  explicit deque_table(const dag& d) : dag_(d), was_stalled_(d.threads.size(), false) {}

  void executed(const machine& m, id p, id t) override;
  void asked(const machine& m, id thief, id victim) override;
  void stepped(const machine& m) override;

  const std::vector<deque_step>& steps() const { return steps_; }
  // What a processor looked like before a step: nothing, before the first.
  deque_view before(std::size_t step, id p) const { return step == 0 ? deque_view{} : at(step - 1, p).after; }
  const deque_step::processor& at(std::size_t step, id p) const { return steps_[step].processors[p]; }

  std::string to_string() const;

 private:
  id thread_of(const machine& m, id t) const;
  deque_view look_at(const machine& m, id p) const;
  std::string describe(const deque_step::processor& p) const;
  std::string describe(const deque_view::place& p) const;

  const dag& dag_;
  deque_step now_;
  std::vector<id> victims_;  // by thief: whom it asked last
  std::vector<deque_step> steps_;
  std::vector<bool> was_stalled_;  // by thread of the dag, after the last step
};

}  // namespace heist::analysis

#pragma once
// What decides who works on what. Called by the machine, in the order of the processors that ended a stretch in this
// step; what a scheduler starts begins with the next step.

#include <analysis/sim/machine.hpp>

#include <memory>

namespace heist::analysis {

class scheduler {
 public:
  explicit scheduler(machine& m) : machine_(m) {}
  virtual ~scheduler() = default;

  virtual void begin(id root) = 0;
  // A stalled thread may run again; p executed what it waited for.
  virtual void enabled(id p, id t) = 0;
  // p's thread spawned `child`. `parent` is none if it cannot go on: it died, or its next instruction waits.
  virtual void spawned(id p, id parent, id child) = 0;
  // p's thread can go on; only called if others may take its place (see machine::hand_on).
  virtual void goes_on(id p, id t) { start(p, t); }
  // p's thread cannot go on.
  virtual void stalled(id p, id t) = 0;
  virtual void died(id p, id t) = 0;
  // The rest of the step: idle processors are given work, thieves are served.
  virtual void end_step() = 0;

  // Whether what p does now depends on p's own thread and deque only. Then a processor that found nothing is told to
  // out_of_work() when all have looked.
  virtual bool hands_on_apart() const { return false; }
  virtual void out_of_work(id) {}

  // Processors that come and go. `t`, if any, is what p was working on.
  virtual void left(id p, id t) = 0;
  virtual void came(id p) = 0;

  // How many processors spend the next step idle, or waiting.
  virtual std::uint64_t idle() const { return 0; }
  virtual std::uint64_t waiting() const { return 0; }
  // The next step in which something happens to a processor that is not at work.
  virtual std::uint64_t next_event() const { return ~std::uint64_t{0}; }

 protected:
  activation& thread(id t) { return machine_.threads_[t]; }
  std::uint64_t number(id t) const { return machine_.number(t); }
  processor& at(id p) { return machine_.processors_[p]; }
  thread_deque& deque(id p) { return machine_.deques_[p]; }
  id processors() const { return static_cast<id>(machine_.processors_.size()); }
  std::uint64_t now() const { return machine_.now_; }
  const computation& runs() const { return machine_.computation_; }
  const options& with() const { return machine_.options_; }
  stream& random() { return machine_.random_; }
  report& counts() { return machine_.report_; }

  bool looks_apart() const { return machine_.noted_ != nullptr; }
  void start(id p, id t);  // counts the frame if the thread comes from elsewhere
  void push_bottom(id p, id t);
  void move_to(id p, id t);  // counts the frame
  void tell_asked(id thief, id victim) {
    for (observer* const o : machine_.observers_) o->asked(machine_, thief, victim);
  }

 private:
  machine& machine_;
};

std::unique_ptr<scheduler> make_pool(machine& m);      // greedy, Busy-Leaves
std::unique_ptr<scheduler> make_stealing(machine& m);  // work stealing, help-first
std::unique_ptr<scheduler> make_sharing(machine& m);   // sharing, static partition
std::unique_ptr<scheduler> make_depth_first(machine& m);
std::unique_ptr<scheduler> make_burton_simpson(machine& m);

}  // namespace heist::analysis

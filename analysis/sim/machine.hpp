#pragma once
// P processors that run a computation step by step. What they do when a thread spawns, stalls or dies is a scheduler's
// business. See README.md for what happens in a step.

#include <analysis/dag/computation.hpp>
#include <analysis/dag/random.hpp>
#include <analysis/sim/huge_pages.hpp>
#include <analysis/sim/kernel.hpp>
#include <analysis/sim/options.hpp>
#include <analysis/sim/places.hpp>
#include <analysis/sim/report.hpp>
#include <analysis/sim/thread_deque.hpp>
#include <analysis/sim/timetable.hpp>

#include <memory>
#include <unordered_map>
#include <vector>

namespace heist::analysis {

class machine;
class scheduler;

enum class state : std::uint8_t { running, ready, stalled, moving, dead };

// A thread that lives. Half a million of them are visited at random: each is one cache line.
struct alignas(64) activation {
  seed next;                 // the computation's
  std::uint64_t depth = 0;   // the longest path to the last instruction it executed
  std::uint64_t waited = 0;  // the longest path to the end of a child
  std::uint64_t stack = 0;   // frames from the root to here
  id parent = none;
  id home = 0;               // the processor where it is, or was last
  std::uint32_t living = 0;  // children
  analysis::state state = state::ready;
  bool waits = false;   // the next instruction has joins to wait for
  bool worked = false;  // since it spawned its last child
};
static_assert(sizeof(activation) == 64);

// What only some schedulers and observers ask about a thread.
struct origin {
  std::uint64_t number = 0;  // in the order of spawning, from 0
  id last_child = none;
};

struct alignas(64) processor {
  id thread = none;  // what it works on
  bool here = true;
  stretch now;
  std::uint64_t due = 0;  // the step in which the stretch ends; of one that is not here: how many steps are left
};
static_assert(sizeof(processor) == 64);

// Looks on. An observed machine takes every step for itself.
class observer {
 public:
  virtual ~observer() = default;
  // One unit of thread t was executed on processor p; nothing was handed on yet.
  virtual void executed(const machine&, id /*p*/, id /*t*/) {}
  // A thief chose a victim. Only work stealing has such.
  virtual void asked(const machine&, id /*thief*/, id /*victim*/) {}
  // All that belongs to the step is done: who works in the next is settled.
  virtual void stepped(const machine&) {}
};

class machine {
 public:
  machine(const computation& c, options o);
  ~machine();
  machine(const machine&) = delete;

  void add(observer& o) { observers_.push_back(&o); }
  void begin(const quantum_record& q) { report_.quanta.push_back(q); }  // a kernel's
  report run();

  const options& with() const { return options_; }
  std::uint64_t now() const { return now_; }  // the step; the first is 1
  const huge_vector<processor>& processors() const { return processors_; }
  const thread_deque& deque(id p) const { return deques_[p]; }
  const activation& thread(id t) const { return threads_[t]; }
  std::uint64_t number(id t) const { return origins_[t].number; }  // if keeps_origins()
  id last_child(id t) const { return origins_[t].last_child; }
  std::size_t slots() const {
    return threads_.size();
  }  // ids of threads are below this; the dead ones among them are `dead`
  const computation& runs() const { return computation_; }
  const report& so_far() const { return report_; }
  std::uint64_t executed_now() const { return executed_now_; }
  bool can_run(id t) const;  // its next instruction waits for nothing

 private:
  friend class scheduler;
  struct joins;

  id create(id p, id parent, const seed& s, std::uint32_t frame);
  void start(id p, id t);
  bool execute(id p);
  void fetch(const std::vector<id>& list, std::size_t i) const;
  void step_together(std::vector<id>& ending);
  void step_apart(const std::vector<id>& ending);
  bool is_large() const;
  void sort(std::vector<id>& list);
  void plan(id p, std::uint64_t step);
  bool keeps_origins() const;
  std::uint64_t frame(id t) const;
  void arrive(id p, id instruction, std::uint64_t depth);
  void end(id p, id t);
  void release(id t);
  void hand_on(id p);
  void change_processors();
  void take_away(id p);
  void give_back(id p);
  std::uint64_t next_step() const;
  void finish();

  const computation& computation_;
  options options_;
  bool one_by_one_ = false;
  bool apart_ = false;  // see step_apart()
  std::unique_ptr<scheduler> scheduler_;
  std::unique_ptr<joins> joins_;
  std::vector<observer*> observers_;

  std::uint64_t now_ = 0;
  huge_vector<processor> processors_;
  huge_vector<thread_deque> deques_;  // by processor
  huge_vector<activation> threads_;
  std::vector<origin> origins_;  // by thread, if somebody asks
  bool with_origins_ = false;
  thread_places places_;
  timetable timetable_;
  stream random_;
  report report_;

  std::uint64_t living_ = 0, leaves_ = 0, space_ = 0, created_ = 0, executed_now_ = 0;
  std::unique_ptr<kernel> kernel_;  // null: all processors are there, always
  std::vector<bool> granted_;
  std::uint32_t here_ = 0;
  struct enabling {
    id by, thread;
  };
  std::vector<enabling> enabled_;
  std::size_t enabled_done_ = 0;
  std::vector<id> spawned_;  // by processor: the child of this step
  // step_apart():
  static constexpr std::uint32_t long_one = ~std::uint32_t{0};
  std::vector<std::uint32_t> outcomes_;  // by processor: in how many steps its next stretch ends; 0: it has no work
  std::uint32_t* noted_ = nullptr;       // that of the processor that hands on
  std::vector<id> late_;                 // processors that come to a sync
  std::vector<std::uint64_t> members_;  // sort(): a bit for each processor
  struct interrupted {
    stretch now;
    std::uint64_t left;
  };
  std::unordered_map<id, interrupted> interrupted_;
};

}  // namespace heist::analysis

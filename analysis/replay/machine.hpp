#pragma once
// Workers that go through the steps of a recorded run, each at its own time; whoever is earliest goes next. How thieves
// come by their jobs is another class's: flat_thieves.hpp, split_thieves.hpp.

#include <analysis/dag/random.hpp>
#include <analysis/replay/replay.hpp>
#include <analysis/replay/split_deque.hpp>

#include <deque>
#include <queue>
#include <vector>

namespace heist::analysis {

class replayed_machine {
 public:
  replayed_machine(const recorded_run& run, const machine_costs& costs, std::uint32_t workers, std::uint64_t seed);
  virtual ~replayed_machine() = default;
  replayed_machine(const replayed_machine&) = delete;
  replayed_machine& operator=(const replayed_machine&) = delete;

  replayed run();

 protected:
  using id = std::uint32_t;
  // waiting: with nothing to do. stealing: what its thieves' class says. running: on its way to the next step.
  enum class activity : std::uint8_t { waiting, stealing, running };

  struct worker {
    activity doing = activity::waiting;
    std::uint32_t at = 0;      // running: its next step
    std::uint32_t ticket = 0;  // of what is due next; an event with another was called off
    std::uint64_t fences = 0;  // running: how many there had been when that was due
    double since = 0;          // waiting: the time it began
    split_deque jobs;          // the steps that left them
    std::uint32_t place = 0;   // in victims_, if there are jobs
  };

  // What thieves do ----------------------------------------------------------------------------------------------

  virtual void send_thieves() = 0;            // after each event
  virtual void go_on_stealing(id thief) = 0;  // what it had scheduled is due
  virtual void look() {}                      // what look_in() had scheduled is due
  virtual void pushed(id) {}                  // a job
  virtual void emptied(id) {}                 // its deque: nothing is left to steal
  virtual void began(id) {}                   // with the root, or with what it has stolen

  // What thieves can do ------------------------------------------------------------------------------------------

  id workers() const { return static_cast<id>(workers_.size()); }
  worker& at(id w) { return workers_[w]; }
  id random_victim(id thief);
  std::deque<id>::iterator random_searcher() {
    return searching_.begin() + random_.below(static_cast<std::uint32_t>(searching_.size()));
  }
  void put_to_sleep();
  double waking();             // how long it takes this time
  bool far(id a, id b) const;  // in different nodes
  void schedule(id w, double ns) { due_.push({now_ + ns, w, ++workers_[w].ticket}); }
  void look_in(double ns) { due_.push({now_ + ns, workers(), ++look_}); }
  void look_no_more() { ++look_; }
  void take(id thief, id victim);  // and run it
  void lose(id thief);             // and search on
  void lie_in_wait(id w, double since);
  void interrupt_all();  // all running workers

  const machine_costs costs_;
  std::deque<id> searching_;   // workers with nothing to do, the longest first
  std::vector<id> asleep_;     // … for too long
  std::vector<id> victims_;    // workers with something to steal
  std::uint64_t jobs_ = 0;     // to steal
  std::uint64_t thieves_ = 0;  // that set out, or are being woken
  double now_ = 0;
  stream random_;
  replayed result_;

 private:
  // Of a fork's second branch.
  enum class branch : std::uint8_t { untouched, stolen, awaited, done };

  struct scope {
    std::uint32_t out = 0;  // stolen, and not back
    bool awaited = false;
    std::uint32_t sync = 0;  // if awaited
  };
  struct event {
    double at;
    id who;  // workers(): nobody, somebody may look
    std::uint32_t ticket;
    friend bool operator<(const event& a, const event& b) { return a.at > b.at; }  // the earliest on top
  };

  bool called_off(const event& e) const;
  void handle(id w);
  bool interrupted(id w);
  void go_on(id me);
  void busy(id me, double ns);
  bool end_branch(std::uint32_t fork);
  void arrive(id me, std::uint32_t at_scope);
  void suspend(id me);

  void push(id me, std::uint32_t step);
  bool pop(id me);
  void take_back(id me);
  void took_from(id w);

  const std::vector<recorded_step>& steps_;
  std::vector<worker> workers_;
  std::vector<branch> forks_;
  std::vector<scope> scopes_;
  std::vector<bool> stolen_;  // children of spawn_later
  std::priority_queue<event> due_;
  std::uint32_t look_ = 0;     // the ticket of the look that is due
  std::uint64_t running_ = 0;  // workers
  bool ended_ = false;
};

}  // namespace heist::analysis

#pragma once
// Machines that lend each other branches of a tree until its root has its result. See README.md.

#include <analysis/cluster/network.hpp>

#include <deque>
#include <vector>

namespace heist::clusters {

class cluster {
 public:
  explicit cluster(const options& o);
  report run();

 private:
  struct machine {
    holdings has;
    bool alive = true, had_work = false, waits_for_answer = false, silent = false;
    std::uint32_t refusals = 0;  // since it last had work
    std::uint32_t ticket = 0;    // of the end of its batch
    std::vector<id> hungry;      // whom it feeds when it has work
  };
  // A branch that is with another machine. The root is a loan, too.
  struct loan {
    loan_number parent = 0;
    id holder = 0;
    std::uint32_t open = 1;           // its own work, and what was lent on
    double nodes = 0, lent = 0;       // at first; and of these, lent on
    std::vector<subtree> parts = {};  // while it is under way
    bool over = false;
  };

  void handle(const event& e);
  void take_ask(const event& e);
  void take_shout(id from);
  void take_gift(const event& e);
  void batch_ended(const event& e);
  void crash(id m);
  void know_death(const event& e);
  void come_home(loan_number number);

  void seek(id m);
  bool lend(id m, id to, what how);
  void feed_hungry(id m);
  void settle(id m);  // when does its batch end now?
  void part_done(loan_number l);
  void count_at_work(int change);

  double latency();
  id random_peer(id m);
  void work(id m);
  void borrow(id m, holdings::batch b);

  const options o_;
  const tree tree_;
  report report_;
  network net_;
  analysis::stream random_;
  std::vector<machine> machines_;
  std::vector<loan> loans_;
  std::vector<loan_number> spare_;  // loans that are over
  double now_ = 0;
  std::uint32_t at_work_ = 0, began_ = 0;
  bool over_ = false;
};

}  // namespace heist::clusters

#pragma once
// One per process that takes part in a job: hears all messages, follows the driver, and keeps time for lender and borrower.

#include <heist/base/export.hpp>
#include <heist/cluster/borrower.hpp>
#include <heist/cluster/gossip.hpp>
#include <heist/cluster/lender.hpp>
#include <heist/cluster/observer.hpp>
#include <heist/cluster/options.hpp>
#include <heist/cluster/peers.hpp>
#include <heist/cluster/wire.hpp>

#include <pthread.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

HEIST_BEGIN

namespace heist::cluster::detail {

class agent {
 public:
  // Joins the job. Throws std::runtime_error with one sentence.
  agent(const options& wanted, heist::pool& pool);
  // A driver ends the job; a helper leaves it.
  ~agent();
  agent(const agent&) = delete;
  agent& operator=(const agent&) = delete;

  bool durable() const noexcept { return wanted_.durable; }

  // Around the driver's root, which has that name and, if the job is durable, these arguments.
  void begin_root(const entry& what, const bytes& arguments);
  // It has a value, or has thrown. Throws std::runtime_error if another driver has taken the job over: that one returns it.
  void end_root();

  // A helper: returns when the job has ended, or it has left. The exit status.
  int serve();

  struct figures {
    lender::figures lent;
    std::uint64_t borrowed;
    std::size_t peers;
    wire::traffic traffic;
  };
  figures so_far() const;

 private:
  void listen();
  message say_this(say what);
  void send(node_id to, message& m);
  void loan_message(message& m);
  void message_came(message& m);
  void gone(node_id peer);
  void nobody_at(node_id peer);
  void doubt(node_id peer);
  heist::detail::nanoseconds bury(heist::detail::nanoseconds at);
  void member(const message& m);
  void show_figures(node_id to);
  void hear_figures(const message& m);
  void tell_profile();
  void stop_borrowed(heist::detail::nanoseconds until);
  void follow(const message& m);
  void claim_job();
  void rest() noexcept;
  void settle();
  void forget_best_values();
  heist::detail::nanoseconds clean_up(heist::detail::nanoseconds at);
  void keep_time();
  void forgive_if_late(heist::detail::nanoseconds wanted_at);
  void wake() noexcept;
  void leave(int status);
  void drain();
  bool drained();
  bool leaving() const;
  bool cleaning() const;

  const options wanted_;
  const node_id me_;
  const std::string build_;
  peers peers_;
  wire wire_;
  notes notes_;
  journal journal_;
  ledger ledger_;
  heist::detail::scheduler& pool_;
  lender lender_;
  borrower borrower_;
  gossip gossip_;

  std::mutex roots_lock_;  // while one begins or ends
  std::size_t roots_ = 0;  // under roots_lock_: the driver's that run

  mutable std::mutex lock_;  // of what follows
  std::condition_variable changed_;
  term term_;
  node_id driver_ = 0;
  bool running_ = false;  // the driver's root, or that of the driver that we follow
  bool had_root_ = false;
  bool cleaning_ = false;  // a helper: something of a former root still runs, and may offer best values
  bool draining_ = false;
  bool woken_ = false, stopping_ = false;
  std::vector<message> own_cancels_;
  std::map<node_id, heist::detail::nanoseconds> lost_;  // nobody listens there; when they count as gone
  std::set<node_id> doubted_;                           // another node says so
  enum class claim_state : unsigned char { none, open, won, lost } claim_ = claim_state::none;
  std::string refusal_;
  std::map<node_id, seen_node> told_;  // by those that were asked for their figures
  int left_with_ = -1;  // a helper's exit status; below 0: it stays
  std::optional<pthread_t> serving_;  // the thread in serve()
  heist::detail::nanoseconds trust_from_ = 0;  // until then nobody believes that nobody listens
  heist::detail::nanoseconds lost_at_ = 0;     // the connection; 0: it is there

  std::thread thread_;
};

}  // namespace heist::cluster::detail

HEIST_END

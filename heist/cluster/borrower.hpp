#pragma once
// Borrows work when this machine's workers have none. See README.md, "A loan, seen by its borrower".

#include <heist/base/export.hpp>
#include <heist/cluster/debts.hpp>
#include <heist/cluster/journal.hpp>
#include <heist/cluster/measured.hpp>
#include <heist/cluster/notes.hpp>
#include <heist/cluster/options.hpp>
#include <heist/cluster/peers.hpp>
#include <heist/cluster/wire.hpp>
#include <heist/pool.hpp>

#include <atomic>
#include <functional>
#include <mutex>

HEIST_BEGIN

namespace heist::cluster::detail {

class borrower {
 public:
  // `to_lender(id, m)` sends to a lender, which may be this machine: it may adopt what it holds itself.
  borrower(wire& out, peers& them, notes& known, journal& written, heist::pool& pool, const options& wanted, std::string build,
           std::function<message(say)> said, std::function<void(node_id, message&)> to_lender)
      : wire_(out),
        peers_(them),
        notes_(known),
        journal_(written),
        pool_(pool),
        suspect_(std::chrono::nanoseconds(wanted.suspect).count()),
        build_(std::move(build)),
        said_(std::move(said)),
        to_lender_(std::move(to_lender)),
        debts_(wanted.most_orphans) {}

  // Messages.
  void given(message& m);
  void refused(const message& m);
  void pinged(const message& m);
  void cancelled(const message& m);
  void adopted(const message& m);
  void gone(node_id peer);
  // Somebody says that this one is lost: if it is our lender, we ask it.
  void doubt(node_id peer);

  // There may be work now: a root has begun, somebody joined, or a new driver is there.
  void hope();
  // No work is to be had: no root runs.
  void rest();
  void drop_all();
  void tell_orphans_to(node_id peer);
  void stop_asking();

  // The agent's thread. Asks if workers have nothing to do; returns when it wants to be called again.
  nanoseconds tick(nanoseconds at);

  const debts& table() const noexcept { return debts_; }
  // Of borrowed tasks that were measured: what this machine has done of them.
  heist::measurement::share measured() const noexcept {
    return {measured_strands_.load(std::memory_order_relaxed), static_cast<double>(measured_ns_.load(std::memory_order_relaxed))};
  }
  std::uint64_t borrowed() const noexcept { return borrowed_.load(std::memory_order_relaxed); }

 private:
  bool hungry() const noexcept;
  void ask(nanoseconds at);  // under lock_
  void probe(node_id lender);
  void run(const debt_name& name, const std::shared_ptr<debt>& d);
  void report(heist::detail::task_figures& took, message& result);
  void send(const owed_result& r);

  wire& wire_;
  peers& peers_;
  notes& notes_;
  journal& journal_;
  heist::pool& pool_;
  const nanoseconds suspect_;
  const std::string build_;
  const std::function<message(say)> said_;
  const std::function<void(node_id, message&)> to_lender_;
  debts debts_;
  std::atomic<std::uint64_t> borrowed_{0}, measured_strands_{0}, measured_ns_{0};

  std::mutex lock_;  // of what follows
  bool wanted_ = false;         // a root runs somewhere
  bool stopped_ = false;
  bool silent_ = false;         // lifelines are out
  unsigned misses_ = 0;
  std::uint64_t requests_ = 0;  // the last one's number
  bool open_ = false;           // it has no answer yet
  node_id asked_ = 0;
  nanoseconds give_up_at_ = 0;  // the request
  nanoseconds not_before_ = 0;  // the next
};

}  // namespace heist::cluster::detail

HEIST_END

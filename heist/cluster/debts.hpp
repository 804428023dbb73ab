#pragma once
// What this machine has borrowed: tasks that run, results that their lenders have not confirmed, and orphans. See README.md,
// "A loan, seen by its borrower".

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>
#include <heist/cluster/registry.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::cluster::detail {

using heist::detail::nanoseconds;

// By lender and number.
using debt_name = std::pair<node_id, std::uint64_t>;

// One borrowed task. Shared by the table and the strand that runs it.
struct debt {
  debt(const entry& e, const key& k, bytes packed) : what(e), known_as(k), arguments(std::move(packed)) {}

  const entry& what;
  const key known_as;
  bytes arguments;        // the strand's
  bool measured = false;  // the strand's: its lender wants to know what it takes
  std::stop_source stop;

  // Under the table's lock.
  std::vector<debt_name> owed_to;  // who waits for the result
  bool ended = false, orphan = false;
  message result;        // when it has ended
  nanoseconds sent = 0;  // when the result was last sent
};

// A result on its way: the message, once for each name.
struct owed_result {
  message what;
  std::vector<debt_name> to;
};

class debts {
 public:
  explicit debts(std::size_t most_orphans) noexcept : most_orphans_(most_orphans) {}

  // Null if it is there already.
  std::shared_ptr<debt> enter(const debt_name& n, const entry& what, const key& k, bytes arguments);
  // The strand: it has ended. The result is to be sent to these.
  owed_result end(debt& d, message result);

  struct answer {
    std::vector<std::uint64_t> missing;  // numbers that are not here
    std::vector<owed_result> again;      // ended, and not seen by the lender for long
  };
  // A ping with these numbers: the lender has no others out here. What it no longer waits for is stopped and forgotten.
  answer compare(node_id lender, const std::vector<std::uint64_t>& numbers);
  // That one does not want the result any more.
  void drop(const debt_name& n);
  // The lender is dead. Its tasks become orphans, and these are their keys; those that leave no notes are stopped.
  std::vector<key> orphan_all_of(node_id lender);
  // Somebody takes an orphan over, under a number of its own. Nothing is known of it: false. Has it ended, it is sent.
  bool adopt(const key& k, const debt_name& n, owed_result& at_once);
  // All are stopped and forgotten.
  void drop_all();

  std::vector<node_id> lenders() const;
  std::size_t running() const;
  bool empty() const;  // but for orphans
  std::vector<key> orphans() const;

 private:
  std::shared_ptr<debt> release(std::map<debt_name, std::shared_ptr<debt>>::iterator at);  // under lock_

  const std::size_t most_orphans_;
  mutable std::mutex lock_;
  std::size_t running_ = 0;
  std::map<debt_name, std::shared_ptr<debt>> here_;
  std::map<key, std::shared_ptr<debt>> orphans_;
  std::deque<key> in_order_;  // orphans, the oldest first
};

}  // namespace heist::cluster::detail

HEIST_END

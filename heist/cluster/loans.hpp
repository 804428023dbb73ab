#pragma once
// What this machine has lent, under numbers. See README.md, "A loan, seen by its lender".

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>
#include <heist/suspend.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

HEIST_BEGIN

namespace heist::cluster::detail {

// How a loan closes.
enum class fate : unsigned char {
  open,
  value,
  failure,
  home,      // the strand calls the function itself
  lost,      // the same; the borrower may have done, and noted, a part of it
  unwanted,  // nobody wants it any more
};

// One branch that is away. Shared by its strand, which waits, and the table.
struct loan {
  // Under the table's lock.
  resumption strand;
  bool rests = false;  // the strand has come to rest: from now on it can be resumed
  fate how = fate::open;
  bytes content;  // the value, or the failure
  bytes figures;  // what it took, if it was measured
  node_id borrower = 0;
  std::uint64_t number = 0;
};

class loans {
 public:
  // The thief that lends, when the strand rests. True if the loan is now out, under a new number. False if it was closed
  // before: its strand goes on.
  bool depart(const std::shared_ptr<loan>& l, node_id to);

  // Any thread. Closes the loan and resumes its strand, once; false if there is no such loan any more.
  bool close(std::uint64_t number, node_id borrower, fate how, bytes content = {}, bytes figures = {});
  // The same for one that may not have a number yet.
  bool close(const std::shared_ptr<loan>& l, fate how);
  // All of one borrower's; of all. Returns how many.
  std::size_t close_all_of(node_id borrower, fate how);
  std::size_t close_all(fate how);

  // Whom to ping, and what is out there: all borrowers, and those whose loans have closed since the last call. All in one look: a
  // borrower that falls between two would never be pinged, and its death never noticed.
  std::map<node_id, std::vector<std::uint64_t>> pings();
  bool any_pings() const;
  std::vector<std::uint64_t> out_at(node_id borrower) const;
  std::vector<node_id> borrowers() const;
  // That one is not pinged any more.
  void forget(node_id borrower);
  bool any() const;
  std::size_t count() const;

 private:
  template <class Which>
  std::size_t close_those(Which which, fate how);

  mutable std::mutex lock_;
  std::uint64_t last_ = 0;
  std::unordered_map<std::uint64_t, std::shared_ptr<loan>> out_;
  std::set<node_id> closed_at_;  // since the last pings
};

}  // namespace heist::cluster::detail

HEIST_END

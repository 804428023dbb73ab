#pragma once
// What this machine has borrowed, and results that their lenders have not confirmed. See README.md, "A loan, seen by its
// borrower".

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>
#include <heist/cluster/registry.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::cluster::detail {

using heist::detail::nanoseconds;

// One borrowed task. Shared by the table and the strand that runs it.
struct debt {
  debt(node_id of, std::uint64_t n, const entry& e, bytes packed) : lender(of), number(n), what(e), arguments(std::move(packed)) {}

  const node_id lender;
  const std::uint64_t number;
  const entry& what;
  bytes arguments;  // the strand's
  std::stop_source stop;

  // Under the table's lock.
  bool ended = false;
  bool forgotten = false;   // no result is sent
  message result;           // when it has ended
  nanoseconds sent = 0;     // when the result was last sent
};

class debts {
 public:
  // Null if it is there already.
  std::shared_ptr<debt> enter(node_id lender, std::uint64_t number, const entry& what, bytes arguments);
  // The strand: it has ended. True if the result is to be sent.
  bool end(debt& d, const message& result);

  struct answer {
    std::vector<std::uint64_t> missing;   // numbers that are not here
    std::vector<std::shared_ptr<debt>> again;  // ended, and not seen by the lender for long
  };
  // A ping with these numbers: the lender has no others out here. Results that it no longer waits for are forgotten.
  answer compare(node_id lender, const std::vector<std::uint64_t>& numbers);
  // Nobody wants the result.
  void drop(node_id lender, std::uint64_t number);
  void drop_all_of(node_id lender);
  void drop_all();

  std::vector<node_id> lenders() const;
  std::size_t running() const;
  bool empty() const;

 private:
  using name = std::pair<node_id, std::uint64_t>;

  mutable std::mutex lock_;
  std::size_t running_ = 0;
  std::map<name, std::shared_ptr<debt>> here_;
};

}  // namespace heist::cluster::detail

HEIST_END

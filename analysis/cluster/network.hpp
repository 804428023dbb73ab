#pragma once
// Messages under way, and other things that are due. A machine takes its messages one after the other.

#include <analysis/cluster/holdings.hpp>
#include <analysis/cluster/options.hpp>

#include <queue>
#include <vector>

namespace heist::clusters {

using id = std::uint32_t;

enum class what : std::uint8_t {
  // messages
  ask,       // for work; answered by a gift or a refusal
  lifeline,  // the same, remembered instead of refused
  shout,     // lifelines to all others at once
  refusal,
  // from here on: not lost with the machine that it goes to
  gift,     // a loan, for one that asked
  feed,     // a loan, by a lifeline
  decline,  // of one that came by a lifeline too late
  result,
  // no messages
  batch_ends,  // at a machine
  crash,
  death_known,  // of a loan's borrower, to its lender
};

struct event {
  double at = 0;
  std::uint64_t order = 0;  // of events at one time, the one that was made first
  clusters::what what{};
  bool slotted = false;  // it has waited its turn
  id to = 0, from = 0;
  std::uint32_t number = 0;                                // a loan, or the ticket of a batch's end
  friend bool operator<(const event& a, const event& b) {  // the earliest on top
    return a.at != b.at ? a.at > b.at : a.order > b.order;
  }
};

class network {
 public:
  network(const options& o, report& r) : o_(o), report_(r), free_(o.thieves()), handled_(o.thieves()) {}

  // A message that goes out at `now`; `extra` bytes beside its header.
  void send(what w, id from, id to, double now, double latency, std::uint32_t number = 0, std::uint32_t extra = 0);
  // One message to each of the others, which all get it at the same time.
  void send_all(what w, id from, double now, double latency);
  void handled_by(id m, double now);  // a message that was sent to all
  void schedule(what w, id at, double when, std::uint32_t number = 0);
  // The next that is due; a message that finds its machine at another comes when that is done.
  event next();
  bool silent() const { return due_.empty(); }
  void finish();

 private:
  void count(double now, std::uint64_t messages, std::uint64_t bytes);

  const options& o_;
  report& report_;
  std::priority_queue<event> due_;
  std::uint64_t made_ = 0;
  std::vector<double> free_;            // since when a machine handles no message
  std::vector<std::uint32_t> handled_;  // by each
  std::vector<std::uint64_t> by_ms_;    // messages sent
};

}  // namespace heist::clusters

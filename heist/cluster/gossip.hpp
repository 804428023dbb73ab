#pragma once
// Tells the other machines of best values. See README.md, "Best values".

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/cluster/wire.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

HEIST_BEGIN

namespace heist::cluster::detail {

class gossip {
 public:
  // `woken()` makes the agent call tick().
  gossip(wire& out, std::function<message(say)> said, std::function<void()> woken);
  ~gossip();
  gossip(const gossip&) = delete;
  gossip& operator=(const gossip&) = delete;

  void heard(const message& m);
  // Before a result goes there: whatever that node has not heard from us.
  void tell(node_id peer);
  // The agent's thread: tells all, at most every few milliseconds.
  heist::detail::nanoseconds tick(heist::detail::nanoseconds at);
  // The job is another one.
  void forget();
  // A root begins, of that term (instance 0: any), or has ended. What the others say of another root, or when there is none, is
  // not heard; nor are they told of anything then.
  void begin(term of);
  void rest();
  // That one has left: what it was told is forgotten.
  void gone(node_id peer);

 private:
  wire& wire_;
  const std::function<message(say)> said_;
  std::mutex lock_;
  std::map<std::pair<node_id, std::uint64_t>, std::uint64_t> told_;  // which version of which value; node 0: all
  heist::detail::nanoseconds not_before_ = 0;
  bool rests_ = false;
  term of_;  // instance 0: any
};

}  // namespace heist::cluster::detail

HEIST_END

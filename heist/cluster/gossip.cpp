#include <heist/cluster/best.hpp>
#include <heist/cluster/gossip.hpp>

#include <utility>

namespace heist::cluster::detail {

using heist::detail::nanoseconds;
using heist::detail::never;

namespace {
constexpr nanoseconds tell_every = 5'000'000;
}

gossip::gossip(wire& out, std::function<message(say)> said, std::function<void()> woken) : wire_(out), said_(std::move(said)) {
  shared_values::when_told(std::move(woken));
}

gossip::~gossip() { shared_values::when_told(nullptr); }

// What was only heard is not passed on to all: whoever has found it does that. What was found here and not told yet is not worth
// telling any more, if this is better.
void gossip::heard(const message& m) {
  const std::lock_guard hold(lock_);
  if (rests_ || (of_.instance != 0 && m.of != of_)) return;
  if (const std::uint64_t version = shared_values::hear(m.number, m.content); version > 0) told_[{0, m.number}] = version;
}

// Sent under the lock: another result to that node must not overtake what is told before it.
void gossip::tell(node_id peer) {
  const std::lock_guard hold(lock_);
  if (rests_) return;
  for (shared_values::news& n : shared_values::all()) {
    if (std::exchange(told_[{peer, n.id}], n.version) == n.version) continue;
    message m = said_(say::best);
    m.number = n.id;
    m.content = std::move(n.value);
    if (peer == 0)
      wire_.send_all(m);
    else
      wire_.send(peer, m);
  }
}

nanoseconds gossip::tick(nanoseconds at) {
  if (at < not_before_) return not_before_;
  bool anything = false;
  {
    const std::lock_guard hold(lock_);
    if (rests_) return never;
    for (const shared_values::news& n : shared_values::all()) anything = anything || told_[{0, n.id}] != n.version;
  }
  if (!anything) return never;
  tell(0);
  not_before_ = at + tell_every;
  return not_before_;
}

void gossip::gone(node_id peer) {
  const std::lock_guard hold(lock_);
  std::erase_if(told_, [&](const auto& t) { return t.first.first == peer; });
}

// What is known before the root is told anew: the others have forgotten it.
void gossip::begin(term of) {
  const std::lock_guard hold(lock_);
  told_.clear();
  of_ = of;
  rests_ = false;
}

void gossip::rest() {
  const std::lock_guard hold(lock_);
  rests_ = true;
}

void gossip::forget() {
  shared_values::reset_all();
  const std::lock_guard hold(lock_);
  told_.clear();
}

}  // namespace heist::cluster::detail

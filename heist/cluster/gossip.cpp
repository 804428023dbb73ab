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

// What was only heard is not passed on to all: whoever has found it does that.
void gossip::heard(const message& m) {
  shared_values::hear(m.number, m.content);
  for (const shared_values::news& n : shared_values::all()) {
    const std::lock_guard hold(lock_);
    if (n.id == m.number) told_[{0, n.id}] = n.version;
  }
}

void gossip::tell(node_id peer) {
  for (shared_values::news& n : shared_values::all()) {
    {
      const std::lock_guard hold(lock_);
      if (std::exchange(told_[{peer, n.id}], n.version) == n.version) continue;
    }
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
  for (const shared_values::news& n : shared_values::all()) {
    const std::lock_guard hold(lock_);
    anything = anything || told_[{0, n.id}] != n.version;
  }
  if (!anything) return never;
  tell(0);
  not_before_ = at + tell_every;
  return not_before_;
}

void gossip::forget() {
  shared_values::reset_all();
  const std::lock_guard hold(lock_);
  told_.clear();
}

}  // namespace heist::cluster::detail

#include <analysis/cluster/network.hpp>

#include <algorithm>

namespace heist::clusters {

void network::count(double now, std::uint64_t messages, std::uint64_t bytes) {
  report_.messages += messages;
  report_.bytes += messages * bytes;
  const auto ms = std::size_t(now / 1'000);
  if (ms >= by_ms_.size()) by_ms_.resize(ms + 1);
  by_ms_[ms] += messages;
}

void network::send(what w, id from, id to, double now, double latency, std::uint32_t number, std::uint32_t extra) {
  count(now, 1, o_.header + extra);
  due_.push({now + latency, made_++, w, false, to, from, number});
}

void network::send_all(what w, id from, double now, double latency) {
  count(now, o_.thieves() - 1, o_.header);
  due_.push({now + latency, made_++, w, true, from, from, 0});
}

void network::handled_by(id m, double now) {
  ++handled_[m];
  free_[m] = std::max(free_[m], now) + o_.handle;
}

void network::schedule(what w, id at, double when, std::uint32_t number) {
  due_.push({when, made_++, w, true, at, at, number});
}

event network::next() {
  for (;;) {
    event e = due_.top();
    due_.pop();
    if (e.slotted) return e;
    handled_by(e.to, e.at);
    e.at = free_[e.to];
    e.slotted = true;
    if (due_.empty() || due_.top().at >= e.at) return e;
    due_.push(e);
  }
}

void network::finish() {
  report_.most_handled = *std::ranges::max_element(handled_);
  for (const std::uint64_t n : by_ms_) report_.busiest = std::max(report_.busiest, n);
}

}  // namespace heist::clusters

#include <heist/cluster/peers.hpp>

#include <algorithm>

namespace heist::cluster::detail {

using heist::detail::now;

namespace {
constexpr std::size_t most_peers = 1u << 16;  // whoever says hello
}

bool peers::enter(node_id id, std::uint8_t flags, std::uint32_t workers) {
  const std::lock_guard hold(lock_);
  if (there_.size() >= most_peers && !there_.contains(id)) return false;
  const auto [at, fresh] = there_.insert_or_assign(id, peer{flags, workers, now()});
  return fresh;
}

bool peers::heard(node_id id) {
  const std::lock_guard hold(lock_);
  const auto at = there_.find(id);
  if (at == there_.end()) return false;
  at->second.heard = now();
  return true;
}

void peers::set_draining(node_id id) {
  const std::lock_guard hold(lock_);
  if (const auto at = there_.find(id); at != there_.end()) at->second.flags |= flag::draining;
}

bool peers::remove(node_id id) {
  const std::lock_guard hold(lock_);
  return there_.erase(id) > 0;
}

nanoseconds peers::last_heard(node_id id) const {
  const std::lock_guard hold(lock_);
  const auto at = there_.find(id);
  return at == there_.end() ? 0 : at->second.heard;
}

std::vector<node_id> peers::neighbours(node_id me) const {
  std::vector<node_id> all;
  {
    const std::lock_guard hold(lock_);
    for (const auto& [id, p] : there_) all.push_back(id);
  }
  const auto mine = static_cast<std::size_t>(std::ranges::lower_bound(all, me) - all.begin());
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(mine), me);
  std::vector<node_id> near;
  for (std::size_t bit = 1; bit < all.size(); bit *= 2)
    if ((mine ^ bit) < all.size()) near.push_back(all[mine ^ bit]);
  return near;
}

node_id peers::any(node_id but) {
  const std::lock_guard hold(lock_);
  const std::size_t others = there_.size() - there_.count(but);
  if (others == 0) return there_.empty() ? 0 : but;
  std::size_t skip = dice_.below(static_cast<unsigned>(others));
  for (const auto& [id, p] : there_)
    if (id != but && skip-- == 0) return id;
  return 0;
}

std::size_t peers::count() const {
  const std::lock_guard hold(lock_);
  return there_.size();
}

void peers::forgive() {
  const std::lock_guard hold(lock_);
  for (auto& [id, p] : there_) p.heard = now();
}

}  // namespace heist::cluster::detail

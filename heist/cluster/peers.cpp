#include <heist/cluster/peers.hpp>

#include <iterator>

namespace heist::cluster::detail {

using heist::detail::now;

bool peers::enter(node_id id, std::uint8_t flags, std::uint32_t workers) {
  const std::lock_guard hold(lock_);
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

std::vector<node_id> peers::all() const {
  std::vector<node_id> ids;
  const std::lock_guard hold(lock_);
  for (const auto& [id, p] : there_) ids.push_back(id);
  return ids;
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

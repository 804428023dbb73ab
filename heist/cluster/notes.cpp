#include <heist/cluster/notes.hpp>

#include <utility>

namespace heist::cluster::detail {

constinit std::atomic<std::size_t> notes_known{0};

namespace {
constexpr std::size_t most_orphans_known = 1u << 17;  // whatever others announce
}

// Relaxed everywhere: a task that sees it late computes what it could have adopted.
void notes::count() {
  const std::size_t all = known_.size() + (writes_ ? 1 : 0);
  notes_known.fetch_add(all - counted_, std::memory_order_relaxed);
  counted_ = all;
}

bool notes::any() const {
  const std::lock_guard hold(lock_);
  return !known_.empty();
}

void notes::write_notes(bool on) {
  const std::lock_guard hold(lock_);
  writes_ = on;
  count();
}

void notes::held_by(node_id holder, std::span<const key> keys) {
  const std::lock_guard hold(lock_);
  for (const key& k : keys) {
    if (known_.size() >= most_orphans_known) break;
    known_.try_emplace(k, note{holder, {}});
  }
  count();
}

void notes::keep(const key& k, bytes value) {
  const std::lock_guard hold(lock_);
  known_.insert_or_assign(k, note{0, std::move(value)});
  count();
}

std::optional<notes::note> notes::find(const key& k) const {
  const std::lock_guard hold(lock_);
  const auto at = known_.find(k);
  if (at == known_.end()) return std::nullopt;
  return at->second;
}

void notes::strike(const key& k, node_id holder) {
  const std::lock_guard hold(lock_);
  if (const auto at = known_.find(k); at != known_.end() && at->second.holder == holder) known_.erase(at);
  count();
}

void notes::strike_all_of(node_id holder) {
  const std::lock_guard hold(lock_);
  std::erase_if(known_, [&](const auto& n) { return n.second.holder == holder; });
  count();
}

void notes::clear() {
  const std::lock_guard hold(lock_);
  known_.clear();
  count();
}

}  // namespace heist::cluster::detail

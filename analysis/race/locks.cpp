#include <analysis/race/locks.hpp>

#include <algorithm>

namespace heist::race {

locks::locks() {
  sets_.emplace_back();
  numbers_.emplace(own_vector<std::uint32_t>(), 0);
  renew();
}

lock_set locks::number(own_vector<std::uint32_t> names) {
  std::sort(names.begin(), names.end());
  const auto [at, fresh] = numbers_.emplace(names, static_cast<lock_set>(sets_.size()));
  if (fresh) sets_.push_back(std::move(names));
  return at->second;
}

void locks::renew() {
  own_vector<std::uint32_t> names;
  for (const one& l : held_) names.push_back(l.name);
  set_ = number(names);
  names.push_back(atomic_lock);
  atomic_set_ = number(std::move(names));
}

void locks::lock(const void* address, holding how, instant now, bool on_stack) {
  const auto [at, fresh] = names_.emplace(reinterpret_cast<std::uintptr_t>(address), 0);
  if (fresh) {
    at->second = ++last_;
    if (on_stack) on_stack_.push_back(reinterpret_cast<std::uintptr_t>(address));
  }
  const std::uint32_t name = at->second * 2 + (how == holding::shared ? 1 : 0);
  for (one& l : held_)
    if (l.name >> 1 == name >> 1) {
      ++l.times;
      return;
    }
  held_.push_back({name, now, 1});
  renew();
}

void locks::unlock(const void* address) {
  const auto at = names_.find(reinterpret_cast<std::uintptr_t>(address));
  if (at == names_.end()) return;
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (held_[i].name >> 1 == at->second) {
      if (--held_[i].times > 0) return;
      held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
      renew();
      return;
    }
}

void locks::retire(const void* address) { names_.erase(reinterpret_cast<std::uintptr_t>(address)); }

void locks::retire(std::uintptr_t from, std::size_t size) {
  if (names_.empty()) return;
  if (size / 8 < names_.size()) {
    for (std::uintptr_t a = from & ~std::uintptr_t{3}; a < from + size; a += 4) names_.erase(a);
    return;
  }
  for (auto l = names_.begin(); l != names_.end();) l = l->first - from < size ? names_.erase(l) : std::next(l);
}

void locks::retire_stack(std::uintptr_t low, std::uintptr_t high) {
  std::size_t kept = 0;
  for (const std::uintptr_t a : on_stack_) {
    if (a >= low && a < high)
      names_.erase(a);
    else
      on_stack_[kept++] = a;
  }
  on_stack_.resize(kept);
}

bool locks::part_of(lock_set a, lock_set b) const noexcept {
  if (a == 0 || a == b) return true;
  return std::includes(sets_[b].begin(), sets_[b].end(), sets_[a].begin(), sets_[a].end());
}

bool locks::apart(lock_set theirs, lock_set ours, instant parted) const noexcept {
  if (theirs == 0 || ours == 0) return false;
  const auto& t = sets_[theirs];
  if (t.front() == atomic_lock && sets_[ours].front() == atomic_lock) return true;
  for (const one& l : held_) {
    if (l.since <= parted) continue;
    const std::uint32_t alone = l.name & ~1u;
    if (std::binary_search(t.begin(), t.end(), alone)) return true;
    if (l.name == alone && std::binary_search(t.begin(), t.end(), alone | 1)) return true;
  }
  return false;
}

}  // namespace heist::race

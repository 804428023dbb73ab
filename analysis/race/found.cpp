#include <analysis/race/calls.hpp>
#include <analysis/race/found.hpp>
#include <analysis/race/owners.hpp>
#include <analysis/race/runtime.hpp>
#include <analysis/race/settings.hpp>
#include <analysis/race/watch.hpp>

#include <algorithm>

namespace heist::race {

void found::add(const race_pair& pair, std::uintptr_t address, std::size_t bytes) {
  if (is_private(address, pair.frame)) return;
  const unjudged own;
  const key k{pair.first.code, pair.second.code, pair.fork,
              static_cast<unsigned>(pair.first.kind) * 4 + static_cast<unsigned>(pair.second.kind)};
  if (recent_ == nullptr || !(k == recent_key_)) {
    race_record*& r = by_code_[k];
    if (r == nullptr) {
      r = make<race_record>();
      r->pair = pair;
      r->address = address;
      r->owner = owner_at(address);
      r->n_calls = call_stack.copy(r->calls, race_record::most_calls);
      r->n_first_calls = watch::calls_of(address, pair.first.code, pair.first_at, r->first_calls, race_record::most_calls);
      while (r->n_fork_calls < 8 && r->n_fork_calls < pair.fork_depth && pair.fork_depth <= calls::most) {
        r->fork_calls[r->n_fork_calls] = call_stack.places[pair.fork_depth - 1 - r->n_fork_calls];
        ++r->n_fork_calls;
      }
      all_.push_back(r);
      if (the_settings.first) end_if_not_suppressed();
    }
    recent_ = r;
    recent_key_ = k;
  }
  race_record& r = *recent_;
  ++r.times;
  constexpr std::size_t many = 1 << 14;
  if (!r.ranges.empty() && r.ranges.back().second == address)
    r.ranges.back().second += bytes;
  else if (r.ranges.empty() || address < r.ranges.back().first || address + bytes > r.ranges.back().second)
    r.ranges.push_back({address, address + bytes});
  if (r.ranges.size() == r.ranges.capacity() && r.ranges.size() >= many) tidy(r);
}

void found::tidy(race_record& r) {
  std::sort(r.ranges.begin(), r.ranges.end());
  std::size_t n = 0;
  for (const auto& next : r.ranges) {
    if (n > 0 && next.first <= r.ranges[n - 1].second)
      r.ranges[n - 1].second = std::max(r.ranges[n - 1].second, next.second);
    else
      r.ranges[n++] = next;
  }
  r.ranges.resize(n);
}

void found::clear() {
  for (race_record* const r : all_) destroy(r);
  all_.clear();
  by_code_.clear();
  recent_ = nullptr;
}

}  // namespace heist::race

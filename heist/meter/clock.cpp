#include <heist/base/cpu.hpp>
#include <heist/meter/clock.hpp>

#include <cstring>
#include <utility>

namespace heist::detail {

// Since the last look, and look again.
std::uint64_t strand_clock::passed() noexcept {
  const std::uint64_t now = ticks();
  const std::uint64_t gone = now - std::exchange(since_, now);
  return gone - std::min(gone, of_->read_cost);
}

void strand_clock::begin() noexcept {
  running_ = true;
  if (of_->in == unit::time) since_ = ticks();
}

std::uint64_t strand_clock::end() noexcept {
  if (!std::exchange(running_, false)) return 0;
  const std::uint64_t took = of_->in == unit::time ? passed() : 1;
  charge(took);
  return took;
}

std::uint64_t strand_clock::touch() noexcept {
  if (of_->in != unit::time || !running_) return 0;
  const std::uint64_t took = passed();
  charge(took);
  return took;
}

void strand_clock::charge(std::uint64_t cost) noexcept {
  work_ += cost;
  path_ = path_ + path_length{cost, cost};
}

path_length strand_clock::fork() noexcept {
  ++forks_;
  path_.burdened += of_->burden;
  return path_;
}

path_length strand_clock::back_to(path_length fork) noexcept { return std::exchange(path_, fork); }

path_length& strand_clock::longest_in(const void* scope) {
  for (open_scope& s : scopes_)
    if (s.which == scope) return s.longest;
  return scopes_.emplace_back(open_scope{scope, {}}).longest;
}

void strand_clock::open_child() { spawned_at_.push_back(fork()); }

void strand_clock::close_child(const void* which) {
  const path_length led_to = back_to(spawned_at_.back());
  spawned_at_.pop_back();
  path_length& longest = longest_in(which);
  longest = longer(longest, led_to);
}

void strand_clock::queue_child(const void* which, std::int64_t number) { queued_.push_back({which, number, fork()}); }

void strand_clock::join_queued(const void* which, std::int64_t number, strand_clock&& child) {
  const auto at = std::find_if(queued_.begin(), queued_.end(),
                               [&](const queued_point& q) { return q.which == which && q.number == number; });
  const path_length end = path_;
  path_ = at->at;
  queued_.erase(at);
  append(std::move(child));
  path_length& longest = longest_in(which);
  longest = longer(longest, back_to(end));
}

void strand_clock::sync(const void* which) noexcept {
  const auto s = std::find_if(scopes_.begin(), scopes_.end(), [&](const open_scope& o) { return o.which == which; });
  if (s == scopes_.end()) return;
  join(s->longest);
  scopes_.erase(s);
}

void strand_clock::count_region(const region_total& r) {
  for (region_total& known : regions_) {
    if (known.name != r.name && std::strcmp(known.name, r.name) != 0) continue;
    known.times += r.times, known.work += r.work, known.span += r.span;
    return;
  }
  regions_.push_back(r);
}

void strand_clock::append(strand_clock&& later) {
  work_ += later.work_;
  forks_ += later.forks_;
  for (const open_scope& s : later.scopes_) {
    path_length& longest = longest_in(s.which);
    longest = longer(longest, path_ + s.longest);
  }
  for (const queued_point& q : later.queued_) queued_.push_back({q.which, q.number, path_ + q.at});
  for (const path_length& at : later.spawned_at_) spawned_at_.push_back(path_ + at);
  for (const region_total& r : later.regions_) count_region(r);
  path_ = path_ + later.path_;
}

}  // namespace heist::detail

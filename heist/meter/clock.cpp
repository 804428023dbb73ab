#include <heist/base/cpu.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/meter/clock.hpp>

#include <cstring>
#include <utility>

namespace heist::detail {

// Since the last look, and look again. A counter that two cores do not share may seem to run backwards.
std::uint64_t strand_clock::passed() noexcept {
  const std::uint64_t now = ticks();
  const std::uint64_t before = std::exchange(since_, now);
  const std::uint64_t gone = now > before ? now - before : 0;
  return gone - std::min(gone, empty_strand_ticks.load(std::memory_order_relaxed));
}

strand_clock::strand_clock() {
  if (recording::wanted()) recording_.emplace();
  begin();
}

void strand_clock::begin() noexcept {
  running_ = true;
  since_ = ticks();
}

std::uint64_t strand_clock::end() noexcept {
  if (!std::exchange(running_, false)) return 0;
  const std::uint64_t took = passed();
  charge({took, 1});
  return took;
}

std::uint64_t strand_clock::touch() noexcept {
  if (!running_) return 0;
  const std::uint64_t took = passed();
  charge({took, 0});
  return took;
}

void strand_clock::charge(cost c) noexcept {
  work_ = work_ + c;
  path_ = path_ + path_length{c, c};
  if (recording_) recording_->strand(c.ticks);
}

path_length strand_clock::leave_fork() noexcept {
  ++forks_;
  path_.burdened = path_.burdened + cost{burden_ticks.load(std::memory_order_relaxed), 1};
  return path_;
}

path_length strand_clock::back_to(path_length fork) noexcept { return std::exchange(path_, fork); }

path_length strand_clock::fork() {
  if (recording_) recording_->fork();
  return leave_fork();
}

path_length strand_clock::second(path_length fork) {
  if (recording_) recording_->second();
  return back_to(fork);
}

void strand_clock::join(path_length other) {
  if (recording_) recording_->join();
  path_ = longer(path_, other);
}

path_length& strand_clock::longest_in(const void* scope) {
  for (open_scope& s : scopes_)
    if (s.which == scope) return s.longest;
  return scopes_.emplace_back(open_scope{scope, {}}).longest;
}

void strand_clock::open_child(std::size_t parent_depth) {
  if (recording_) recording_->child();
  spawned_at_.push_back({leave_fork(), parent_depth});
  below_ += parent_depth;
}

void strand_clock::close_child(const void* which) {
  if (recording_) recording_->child_end(which);
  const spawn_point spawn = spawned_at_.back();
  spawned_at_.pop_back();
  const path_length led_to = back_to(spawn.at);
  below_ -= spawn.depth;
  depth_ = spawn.depth;
  path_length& longest = longest_in(which);
  longest = longer(longest, led_to);
}

void strand_clock::queue_child(const void* which, std::int64_t number) {
  if (recording_) recording_->queued(which, number);
  queued_.push_back({which, number, leave_fork()});
}

void strand_clock::join_queued(const void* which, std::int64_t number, strand_clock&& child) {
  // Children come by rising number, and so do their points: the search goes on where it ended.
  while (queued_[next_queued_].which != which || queued_[next_queued_].number != number) ++next_queued_;
  const path_length end = path_;
  path_ = queued_[next_queued_++].at;
  if (recording_ && child.recording_) recording_->later(which, number, *std::exchange(child.recording_, std::nullopt));
  append(std::move(child));
  path_length& longest = longest_in(which);
  longest = longer(longest, back_to(end));
}

void strand_clock::sync(const void* which) {
  if (recording_) recording_->sync(which);
  std::erase_if(queued_, [&](const queued_point& q) { return q.which == which; });
  next_queued_ = 0;
  const auto s = std::find_if(scopes_.begin(), scopes_.end(), [&](const open_scope& o) { return o.which == which; });
  if (s == scopes_.end()) return;
  path_ = longer(path_, s->longest);
  scopes_.erase(s);
}

void strand_clock::count_region(const region_total& r) {
  for (region_total& known : regions_) {
    if (known.name != r.name && std::strcmp(known.name, r.name) != 0) continue;
    known.times += r.times;
    known.work = known.work + r.work;
    known.span = known.span + r.span;
    return;
  }
  regions_.push_back(r);
}

void strand_clock::append(strand_clock&& later) {
  work_ = work_ + later.work_;
  forks_ += later.forks_;
  for (const open_scope& s : later.scopes_) {
    path_length& longest = longest_in(s.which);
    longest = longer(longest, path_ + s.longest);
  }
  for (const queued_point& q : later.queued_) queued_.push_back({q.which, q.number, path_ + q.at});
  for (const spawn_point& s : later.spawned_at_) spawned_at_.push_back({path_ + s.at, s.depth});
  deepest_ = std::max(deepest_, below_ + depth_ + later.deepest());
  below_ += later.below_;
  depth_ = later.depth_;
  for (const region_total& r : later.regions_) count_region(r);
  path_ = path_ + later.path_;
  if (recording_ && later.recording_) recording_->append(*later.recording_);
}

}  // namespace heist::detail

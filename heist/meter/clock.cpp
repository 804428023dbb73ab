#include <heist/base/cpu.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/meter/clock.hpp>
#include <heist/meter/preemption.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace heist::detail {

strand_clock::strand_clock() {
  if (recording::wanted()) recording_.emplace();
  begin();
}

// A strand that lost its processor to another program took at least a time slice: only long ones need to be looked at.
std::uint64_t strand_clock::without_preemption(std::uint64_t gone) noexcept {
  const auto lost = static_cast<double>(time_preempted()) / calibration::get().ns_per_tick;
  since_ = ticks();
  return gone - std::min(gone, static_cast<std::uint64_t>(lost));
}

void strand_clock::begin() noexcept {
  running_ = true;
  static_cast<void>(time_preempted());  // what was before is not this strand's
  since_ = ticks();
}

std::uint64_t strand_clock::touch() noexcept {
  if (!running_) return 0;
  const std::uint64_t took = passed();
  note_length({took, 0});
  charge({took, 0});
  return took;
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
  queued_[which].push_back({number, leave_fork()});
}

void strand_clock::join_queued(const void* which, std::vector<queued_child>& children) {
  // A child's own clock has the points of the children that it has spawned, so the list may grow.
  if (const auto found = queued_.find(which); found != queued_.end()) {
    const std::vector<queued_point>& points = found->second;  // where it is, whatever else comes into the map
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto child = std::lower_bound(children.begin(), children.end(), points[i].number,
                                          [](const queued_child& c, std::int64_t n) { return c.number < n; });
      if (child == children.end() || child->number != points[i].number || child->clock == nullptr) continue;
      join_at(which, queued_point(points[i]), std::move(*std::exchange(child->clock, nullptr)));
    }
  }
  // Children that were queued before the measurement began have no point: they count from here.
  for (queued_child& child : children)
    if (child.clock != nullptr) join_at(which, {child.number, path_}, std::move(*child.clock));
}

void strand_clock::join_at(const void* which, const queued_point& from, strand_clock&& child) {
  const path_length end = back_to(from.at);
  const std::size_t depth = depth_;
  if (recording_ && child.recording_)
    recording_->later(which, from.number, *std::exchange(child.recording_, std::nullopt));
  append(std::move(child));
  depth_ = depth;
  path_length& longest = longest_in(which);
  longest = longer(longest, back_to(end));
}

void strand_clock::sync(const void* which) {
  if (recording_) recording_->sync(which);
  queued_.erase(which);
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
    known.longest = longer(known.longest, r.longest);
    known.forks += r.forks;
    return;
  }
  regions_.push_back(r);
}

void strand_clock::append(strand_clock&& later) {
  work_ = work_ + later.work_;
  short_work_ = short_work_ + later.short_work_;
  elsewhere_ = elsewhere_ + later.elsewhere_;
  longest_ticks_ = std::max(longest_ticks_, later.longest_ticks_);
  forks_ += later.forks_;
  for (const open_scope& s : later.scopes_) {
    path_length& longest = longest_in(s.which);
    longest = longer(longest, path_ + s.longest);
  }
  for (const auto& [which, points] : later.queued_) {
    std::vector<queued_point>& all = queued_[which];
    for (const queued_point& q : points) all.push_back({q.number, path_ + q.at});
  }
  for (const spawn_point& s : later.spawned_at_) spawned_at_.push_back({path_ + s.at, s.depth});
  deepest_ = std::max(deepest_, below_ + depth_ + later.deepest());
  below_ += later.below_;
  depth_ = later.depth_;
  for (const region_total& r : later.regions_) count_region(r);
  path_ = path_ + later.path_;
  if (recording_ && later.recording_) recording_->append(*later.recording_);
}

void strand_clock::append_from_elsewhere(const totals& there) {
  strand_clock later;
  later.drop();
  later.work_ = later.elsewhere_ = there.work;
  later.short_work_ = there.short_work;
  later.path_ = there.path;
  later.longest_ticks_ = there.longest_ticks;
  later.forks_ = there.forks;
  later.deepest_ = there.deepest;
  later.regions_ = there.regions;
  // Its steps stay there: a recording has it as one strand.
  if (later.recording_) later.recording_->strand(there.work.ticks);
  append(std::move(later));
}

void strand_clock::append_beside(strand_clock&& other) {
  if (recording_ && other.recording_) recording_->beside(*std::exchange(other.recording_, std::nullopt));
  const path_length mine = back_to({});
  append(std::move(other));
  path_ = longer(path_, mine);
}

}  // namespace heist::detail

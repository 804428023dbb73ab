#include <heist/cancelled.hpp>
#include <heist/race/detector.hpp>
#include <heist/race/strands.hpp>
#include <heist/race/views.hpp>

#include <utility>

namespace heist::detail::race {

// The caller's frame ends here: what is above this address is older than the fork.
#define HEIST_RACE_FRAME static_cast<char*>(__builtin_frame_address(0)) + 2 * sizeof(void*)
#define HEIST_RACE_CODE __builtin_return_address(0)

namespace {

std::size_t first_views = 1;  // the running strand's own sets of views begin here

// A strand begins, in the set of views that is there; or with one of its own.
void begin_views(place& p) noexcept {
  p.views = views_mark();
  p.outer_views = std::exchange(first_views, p.views);
}
void own_views(views_of whose = views_of::branch) noexcept {
  new_views(whose);
  first_views = views_mark();
}
void end_views(const place& p) noexcept {
  merge_views(p.views);
  first_views = p.outer_views;
}

}  // namespace

// Joins ---------------------------------------------------------------------------------------------------------------

void begin_fork(place& p) noexcept {
  begin_views(p);
  heist_race_fork(p.words, HEIST_RACE_FRAME, HEIST_RACE_CODE);
}
void end_first(place& p) noexcept {
  heist_race_first_ended(p.words);
  merge_views(p.views);
  own_views();
}
void end_fork(place& p) noexcept {
  heist_race_joined(p.words);
  end_views(p);
}
void abandon_fork(place& p) noexcept {
  heist_race_abandoned(p.words);
  end_views(p);
}

// Scopes --------------------------------------------------------------------------------------------------------------

void open_group(group& g) noexcept {
  g.owner = heist_race_new_group();
  g.strand = heist_race_strand();
  g.views = views_mark();
}
void begin_child(group& g, place& p) noexcept {
  heist_race_begin_child(p.words, g.owner, g.strand, HEIST_RACE_FRAME, HEIST_RACE_CODE);
  begin_views(p);
}
void end_child(place& p) noexcept {
  end_views(p);
  heist_race_end_child(p.words);
  new_views(views_of::branch);
}
void sync_group(group& g) noexcept {
  g.owner = heist_race_sync(g.owner);
  merge_views(g.views);
}
std::uint64_t now() noexcept { return heist_race_now(); }
void begin_late(group& g, place& p, std::uint64_t since) noexcept {
  heist_race_begin_late(p.words, g.owner, since, HEIST_RACE_FRAME, HEIST_RACE_CODE);
  begin_views(p);
  own_views();
}
void end_late(place& p) noexcept {
  heist_race_ignore(1);
  end_views(p);
  heist_race_ignore(-1);
  heist_race_end_late(p.words);
}

// Loops ---------------------------------------------------------------------------------------------------------------

void begin_loop(place& p, const void* code) noexcept {
  begin_views(p);
  heist_race_begin_loop(p.words, HEIST_RACE_FRAME, code, 0);
}
void begin_iteration(place& p) noexcept {
  heist_race_begin_iteration(p.words);
  own_views(views_of::iteration);
}
void end_iteration(place& p) noexcept {
  heist_race_ignore(1);
  merge_views(p.views);
  heist_race_ignore(-1);
  heist_race_end_iteration(p.words);
}
void end_loop(place& p) noexcept {
  heist_race_end_loop(p.words);
  end_views(p);
}

namespace {
algorithm* running = nullptr;  // the algorithm whose own code runs
}

algorithm::algorithm() noexcept : outer_(std::exchange(running, this)) {
  begin_views(place_);
  heist_race_begin_loop(place_.words, HEIST_RACE_FRAME, HEIST_RACE_CODE, 1);
}
algorithm::~algorithm() {
  heist_race_end_loop(place_.words);
  end_views(place_);
  running = outer_;
}

algorithm::callback::callback() noexcept : of_(std::exchange(running, nullptr)) {
  if (of_ == nullptr) return;
  heist_race_begin_callback(of_->place_.words);
  own_views(views_of::iteration);
}
algorithm::callback::~callback() {
  if (of_ == nullptr) return;
  heist_race_ignore(1);
  merge_views(of_->place_.views);
  heist_race_ignore(-1);
  heist_race_end_callback(of_->place_.words);
  running = of_;
}

void algorithm::callback::take(const void* value, std::size_t size) const noexcept {
  if (of_ != nullptr && size > 0) heist_race_take_over(value, size);
}
void algorithm::callback::give(const void* value, std::size_t size) const noexcept {
  if (of_ != nullptr && size > 0) heist_race_hand_on(of_->place_.words, value, size);
}

// Futures, and other edges --------------------------------------------------------------------------------------------

void begin_future(place& p) noexcept {
  heist_race_begin_future(p.words, HEIST_RACE_FRAME, HEIST_RACE_CODE);
  begin_views(p);
}
moment* end_future(place& p) noexcept {
  end_views(p);
  moment* const m = static_cast<moment*>(heist_race_end_future(p.words));
  new_views(views_of::branch);
  return m;
}
moment* here() noexcept { return static_cast<moment*>(heist_race_here()); }
void after(const moment* m) noexcept {
  if (m == nullptr) return;
  heist_race_after(m);
  merge_views(first_views);  // what the other strand has added to reducers is there, too
}
moment* copy(const moment* m) noexcept { return static_cast<moment*>(heist_race_copy(m)); }
void forget(moment* m) noexcept {
  if (m != nullptr) heist_race_forget(m);
}
void forget_futures() noexcept {
  heist_race_forget_futures();
  merge_views(first_views);
}
void release(const void* what) noexcept { heist_race_release(what); }
void acquire(const void* what) noexcept { heist_race_acquire(what); }
void locked(const void* lock, holding how) noexcept { heist_race_lock(lock, how == holding::shared); }
void unlocked(const void* lock) noexcept { heist_race_unlock(lock); }
void retired(const void* lock) noexcept { heist_race_retire(lock); }
void reads(const void* from, std::size_t size) noexcept { heist_race_access(from, size, 0, HEIST_RACE_CODE); }
void writes(const void* from, std::size_t size) noexcept { heist_race_access(from, size, 1, HEIST_RACE_CODE); }
void read_early(const void* view, std::size_t size) noexcept { heist_race_read_early(view, size, HEIST_RACE_CODE); }
void exempt(const void* block) noexcept { heist_race_exempt(block); }
bool reversed() noexcept { return heist_race_reversed() != 0; }
void blocked(const char* what) noexcept { heist_race_blocked(what); }

// Stops ---------------------------------------------------------------------------------------------------------------

namespace {
stopping* innermost = nullptr;
}

stopping::stopping(const std::stop_token& t) noexcept : token_(t), outer_(std::exchange(innermost, this)) {}
stopping::~stopping() { innermost = outer_; }

// Pools ---------------------------------------------------------------------------------------------------------------

namespace {
std::size_t runs = 0;
}
inside_pool::inside_pool() noexcept { ++runs; }
inside_pool::~inside_pool() { --runs; }
bool is_inside_pool() noexcept {
  constexpr std::uint64_t first_strand = 1;
  return runs > 0 || heist_race_strand() > first_strand;
}

void stop_if_asked() {
  for (const stopping* s = innermost; s != nullptr; s = s->outer_)
    if (s->token_.stop_requested()) throw cancelled();
}

// The children kept for later are the library's own: what it does with them is not judged.
void children::keep(caller call, void* held) { late_.push_back({now(), call, held}); }

void children::sync() {
  while (!late_.empty()) {
    const late_child c = late_.back();
    late_.pop_back();
    place p;
    begin_late(group_, p, c.since);
    guarded(c.call, c.held);
    end_late(p);
  }
  sync_group(group_);
}

void children::guarded(caller call, void* held) noexcept {
  if (one_at_a_time_) locked(this, holding::alone);
  try {
    if (has_token_) {
      const stopping inside_it(token_);
      call(held);
    } else {
      call(held);
    }
  } catch (...) {
    fail();
  }
  if (one_at_a_time_) unlocked(this);
}

void children::fail() noexcept {
  bool stop = false;
  try {
    throw;
  } catch (const cancelled&) {
    stop = true;
  } catch (...) {
  }
  if (failure_ == nullptr || (cancelled_ && !stop)) {
    failure_ = std::current_exception();
    cancelled_ = stop;
  }
  failed_ = true;
}

std::exception_ptr children::stop_error() noexcept { return std::make_exception_ptr(cancelled()); }

}  // namespace heist::detail::race

// What heist's library tells the detector: heist/race/detector.hpp.

#include <analysis/race/calls.hpp>
#include <analysis/race/counts.hpp>
#include <analysis/race/end.hpp>
#include <analysis/race/handed.hpp>
#include <analysis/race/judge.hpp>
#include <analysis/race/owners.hpp>
#include <analysis/race/runtime.hpp>
#include <analysis/race/settings.hpp>

#include <heist/race/detector.hpp>

#include <cstdio>
#include <utility>

using namespace heist::race;

namespace {

struct opened {
  open_fork fork;
};
static_assert(sizeof(opened) <= 14 * sizeof(std::uintptr_t));

opened& in(std::uintptr_t* words) noexcept { return *reinterpret_cast<opened*>(words); }
std::uintptr_t number(const void* p) noexcept { return reinterpret_cast<std::uintptr_t>(p); }

// Only the judged thread has an order; other threads run by themselves.
bool here() noexcept { return judged != 0; }

// While heist tells something. What was done before is judged before.
struct told : unjudged {
  told() noexcept { sweeps::end_all(); }
};

// The end of a strand: what it was in when an exception left it, it is not in any more.
void back_to(const opened& o) noexcept {
  call_stack.depth = o.fork.depth;
  if (counts_hold(o.fork.depth)) end_counts(o.fork.depth);
  // Locks on the stack that the strand has used are gone with it.
  if (the.held_locks.any_on_stack()) the.held_locks.retire_stack(stack_low, o.fork.frame);
  if (releases_on_stack()) forget_stack_counts(stack_low, o.fork.frame);
}

}  // namespace

void heist_race_fork(std::uintptr_t* words, void* frame, const void* code) noexcept {
  if (!here()) return;
  const told own;
  in(words).fork.depth = call_stack.depth;
  the.time.fork(in(words).fork, number(frame), code);
}
void heist_race_first_ended(std::uintptr_t* words) noexcept {
  if (!here()) return;
  const told own;
  back_to(in(words));
  the.time.first_ended(in(words).fork);
}
void heist_race_joined(std::uintptr_t* words) noexcept {
  if (!here()) return;
  const told own;
  back_to(in(words));
  the.time.joined(in(words).fork);
}
void heist_race_abandoned(std::uintptr_t* words) noexcept {
  if (!here()) return;
  const told own;
  back_to(in(words));
  the.time.abandoned(in(words).fork);
}

std::uint64_t heist_race_new_group() noexcept { return here() ? the.time.new_owner() : 0; }
std::uint64_t heist_race_strand() noexcept { return here() ? the.time.strand() : 0; }
std::uint64_t heist_race_now() noexcept {
  if (!here()) return 0;
  const told own;
  const instant before = the.time.now();
  the.time.advance();
  return before;
}
void heist_race_begin_child(std::uintptr_t* words, std::uint64_t group, std::uint64_t strand, void* frame,
                            const void* code) noexcept {
  if (!here()) return;
  const told own;
  in(words).fork.depth = call_stack.depth;
  if (strand != the.time.strand()) the.time.make_irregular();
  the.time.begin_child(in(words).fork, group, fork_kind::child, number(frame), code);
}
void heist_race_end_child(std::uintptr_t* words) noexcept {
  if (!here()) return;
  const told own;
  back_to(in(words));
  the.time.end_child(in(words).fork);
}
std::uint64_t heist_race_sync(std::uint64_t group) noexcept {
  if (!here()) return group;
  const told own;
  return the.time.sync(group);
}
void heist_race_begin_late(std::uintptr_t* words, std::uint64_t group, std::uint64_t since, void* frame,
                           const void* code) noexcept {
  if (!here()) return;
  const told own;
  in(words).fork.depth = call_stack.depth;
  the.time.begin_late(in(words).fork, since, group, number(frame), code);
}
void heist_race_end_late(std::uintptr_t* words) noexcept {
  if (!here()) return;
  const told own;
  back_to(in(words));
  the.time.end_late(in(words).fork);
}

void heist_race_begin_loop(std::uintptr_t* words, void* frame, const void* code, int calls_back) noexcept {
  if (!here()) return;
  const told own;
  in(words).fork.depth = call_stack.depth;
  the.time.begin_loop(in(words).fork, number(frame), code, calls_back != 0 ? fork_kind::callback : fork_kind::iteration);
}
void heist_race_begin_iteration(std::uintptr_t* words) noexcept {
  if (!here()) return;
  const told own;
  the.time.begin_iteration(in(words).fork);
}
void heist_race_end_iteration(std::uintptr_t* words) noexcept {
  if (!here()) return;
  const told own;
  back_to(in(words));
  the.time.end_iteration(in(words).fork);
}
void heist_race_begin_callback(std::uintptr_t* words) noexcept {
  if (!here()) return;
  const told own;
  the.time.begin_callback(in(words).fork);
}
void heist_race_end_callback(std::uintptr_t* words) noexcept {
  if (!here()) return;
  const told own;
  the.time.end_callback(in(words).fork);
}
void heist_race_take_over(const void* value, std::size_t size) noexcept {
  if (!here()) return;
  const told own;
  take_over(value, size);
}
void heist_race_hand_on(std::uintptr_t* words, const void* value, std::size_t size) noexcept {
  if (!here()) return;
  const told own;
  hand_on(value, size, in(words).fork.start);
}
void heist_race_end_loop(std::uintptr_t* words) noexcept {
  if (!here()) return;
  const told own;
  back_to(in(words));
  const bool called_back = in(words).fork.kind == fork_kind::callback;
  the.time.end_loop(in(words).fork);
  if (called_back && the.time.strand() == 1) forget_makers();
}

void heist_race_begin_future(std::uintptr_t* words, void* frame, const void* code) noexcept {
  if (!here()) return;
  const told own;
  in(words).fork.depth = call_stack.depth;
  the.time.begin_child(in(words).fork, the.time.new_owner(), fork_kind::future, number(frame), code);
}
void* heist_race_end_future(std::uintptr_t* words) noexcept {
  if (!here()) return nullptr;
  const told own;
  back_to(in(words));
  void* const p = the.time.here();
  the.time.end_child(in(words).fork);
  return p;
}
void* heist_race_here() noexcept {
  if (!here()) return nullptr;
  const told own;
  the.time.make_irregular();
  void* const p = the.time.here();
  the.time.advance();
  return p;
}
void heist_race_after(const void* moment) noexcept {
  if (!here()) return;
  const told own;
  the.time.after(*static_cast<const point*>(moment));
}
void* heist_race_copy(const void* moment) noexcept {
  if (!here() || moment == nullptr) return nullptr;
  const told own;
  return make<point>(*static_cast<const point*>(moment));
}
void heist_race_forget(void* moment) noexcept {
  if (!here()) return;
  const told own;
  destroy(static_cast<point*>(moment));
}
void heist_race_forget_futures() noexcept {
  if (!here()) return;
  const told own;
  the.time.forget_futures();
}
void heist_race_release(const void* what) noexcept {
  if (!here()) return;
  const told own;
  release(what);
}
void heist_race_acquire(const void* what) noexcept {
  if (!here()) return;
  const told own;
  acquire(what);
}

void heist_race_lock(const void* lock, int shared) noexcept {
  if (!here()) return;
  const told own;
  the.lock(lock, shared != 0 ? holding::shared : holding::alone, is_on_stack(lock));
}
void heist_race_unlock(const void* lock) noexcept {
  if (!here()) return;
  const told own;
  the.unlock(lock);
}
void heist_race_retire(const void* lock) noexcept {
  if (!here()) return;
  const told own;
  the.held_locks.retire(lock);
}
void heist_race_access(const void* from, std::size_t size, int writes, const void* code) noexcept {
  if (judged > 0) the.access(number(from), size, writes != 0 ? access_kind::write : access_kind::read, number(code));
}
void heist_race_ignore(int more) noexcept {
  // Negative: not judged, but the thread's order goes on.
  if (judged == 0) return;
  sweeps::end_all();
  const int depth = (judged < 0 ? -judged : 0) + more;
  judged = depth > 0 ? -depth : 1;
}
void heist_race_exempt(const void* block) noexcept {
  if (here()) the_heap.exempt(number(block));
}
void heist_race_read_early(const void* view, std::size_t size, const void* code) noexcept {
  if (judged <= 0) return;
  sweeps::end_all();
  race_pair pair{};
  pair.first = {code, access_kind::write, false};
  pair.second = {code, access_kind::view_read, false};
  pair.how = fork_kind::child;
  the.races.add(pair, number(view), size);
}

const void* heist_race_only_read(const void* from, std::size_t size, std::uint64_t since) noexcept {
  if (judged <= 0) return nullptr;
  sweeps::end_all();
  std::uint32_t code = 0;
  for (std::uintptr_t a = number(from) & ~std::uintptr_t{3}; a < number(from) + size; a += 4) {
    if (const block_of_cells block(a); block.whole()) block.open();
    const cell& c = *shadow_of(a);
    if (c.writer == cell::listed || mark::time(c.writer) >= since) return nullptr;
    if (mark::time(c.reader) >= since) code = mark::code(c.reader);
  }
  return code == 0 ? nullptr : the.code_numbers.address(code);
}

int heist_race_reversed() noexcept { return the_settings.reversed && here(); }

void heist_race_blocked(const char* what) noexcept {
  if (!here() || has_threads()) return;
  static char sentence[256];
  std::snprintf(sentence, sizeof sentence,
                "the program waits for %s, and what it waits for comes later in serial order: it cannot be run depth-first, and "
                "was judged up to here",
                what);
  end_with(sentence, 65);
}

void heist_race_for_racy(void (*f)(void*, std::uintptr_t, std::uintptr_t), void* with) noexcept {
  sweeps::end_all();
  for (race_record* const r : the.races.all()) {
    found::tidy(*r);
    for (const auto& [first, last] : r->ranges) f(with, first, last);
  }
}
void heist_race_clear() noexcept {
  sweeps::end_all();
  the.races.clear();
}

// Annotations of programs that were written for ThreadSanitizer.
extern "C" {
void __tsan_acquire(void* what) { heist_race_acquire(what); }
void __tsan_release(void* what) { heist_race_release(what); }
void AnnotateHappensBefore(const char*, int, const volatile void* what) { heist_race_release(const_cast<const void*>(what)); }
void AnnotateHappensAfter(const char*, int, const volatile void* what) { heist_race_acquire(const_cast<const void*>(what)); }
}

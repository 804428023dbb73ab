#pragma once
// The calling strand as a scope's child on a stack of its own: how it leaves its parent to thieves, and how it ends.
// Protocol: protocols/scopes.md.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/check/chaos.hpp>
#include <heist/sched/scope_books.hpp>
#include <heist/sched/spawned.hpp>
#include <heist/stack/stack.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/worker.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

// How a continuation was left in the deque, which decides how its child ends.
enum class forked : unsigned char { lightly, slowly, counted };

// The scope's child that runs on the calling strand's stack. Out of line: what a child needs only after a robbery, a failure
// or a request is on its stack, and not in registers that every child would have to save.
class this_child {
 public:
  // After a push past the limit. `depth` is that of the spawn on its parent's stack.
  HEIST_API HEIST_COLD static forked left_slowly(worker& w, std::size_t depth) noexcept;
  // In a catch (...).
  HEIST_API HEIST_COLD static void fail() noexcept;
#if defined(HEIST_CHECKED)
  HEIST_API static const scope_books* scope() noexcept;
#endif
  // When its function has ended; `how` is not `lightly`. What its scope has then been told is not told again.
  HEIST_API HEIST_COLD static stack* end_slowly(forked how) noexcept;
  HEIST_API HEIST_COLD static stack* end_robbed() noexcept;
  // To ThreadSanitizer: the child comes before the sync, and before what its parent does with its belongings.
  HEIST_API static void release_to_scope() noexcept;
};

// On the child's stack: leaves the parent's continuation to thieves. The child must not use the
// record afterwards.
// model: scope.pml, run_spawned()
inline forked leave_parent(spawned& child) noexcept {
  stack& parent = *child.parent;
  tsan_release(&parent);  // up to here the child comes before the rest of its parent
  chaos::step(chaos::at::left_parent);
  worker& w = *this_worker();
  if (w.jobs.owner().push(&child)) [[likely]] return forked::lightly;
  return this_child::left_slowly(w, depth_of(parent, &child));
}

// On the child's stack, last. Returns to the parent if the continuation was not stolen. If the child is the last that its
// scope waits for, returns the stack of the scope's strand; else null.
// model: scope.pml, run_spawned()
inline stack* end_child(forked how) noexcept {
  if (how != forked::lightly) [[unlikely]] return this_child::end_slowly(how);
#if defined(HEIST_TSAN)
  this_child::release_to_scope();
#endif
  if (this_worker()->jobs.owner().take_back()) [[likely]] return to_caller();
  return this_child::end_robbed();
}

// What runs on a spawned child's stack, from its beginning to its end. `Taken` takes the function
// from the record before the parent can continue, and is destroyed before the child ends.
template <class Taken>
stack* run_spawned(void* self) noexcept {
  tsan_acquire(self);
  auto& record = *static_cast<spawned*>(self);
  forked how;
  {
    Taken mine(record);
    how = leave_parent(record);
    mine.run();
  }
  return end_child(how);
}

}  // namespace heist::detail

HEIST_END

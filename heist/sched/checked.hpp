#pragma once
// What checked builds know of strands: which one runs, which scopes it has open, and which locks it
// holds. In other builds all of this is empty.

#include <heist/base/export.hpp>
#include <heist/strand/worker.hpp>

#if defined(HEIST_CHECKED)
#include <heist/base/sanitizer.hpp>
#include <heist/check/held_locks.hpp>
#endif

#include <atomic>
#include <cstdint>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

class scope_books;

// Ends the program: a scope was synced before one that the same strand made later.
[[noreturn]] HEIST_COLD void refuse_order_of_scopes() noexcept;

#if defined(HEIST_CHECKED)

// The calling strand by its mark, or the thread, outside every pool; null: not known.
const void* this_strand() noexcept;

// A strand's scopes, the last made first.
class open_scopes {
 public:
  // The scope's strand, when the scope is made and when it is destroyed.
  static void add(scope_books& s) noexcept;
  static void remove(scope_books& s) noexcept;
  // The scope's strand, before it waits: scopes that it has made later must have no children left.
  static void must_be_innermost(const scope_books& s) noexcept;
};

// Keeps the calling strand's mark and scopes while its worker runs something else.
class kept_mark {
 public:
  void restore() const noexcept {
    this_worker()->now.mark.set(mark_);
    this_worker()->now.scope.set(scope_);
  }

 private:
  const void* const mark_ = this_worker()->now.mark.get();
  scope_books* const scope_ = this_worker()->now.scope.get();
};

// What the mark of a branch or child points to. The marks of roots, and of threads outside every pool, are even.
struct strand_mark {
  const void* joined_by = nullptr;       // the mark of the strand whose join waits for this one; null: no join does
  const scope_books* child_of = nullptr;  // the scope whose child this is; null: it is none

  const void* mark() const noexcept { return reinterpret_cast<const char*>(this) + 1; }
  // Null if the mark is not one of these.
  static const strand_mark* of(const void* mark) noexcept {
    const auto* const address = static_cast<const char*>(mark);
    return reinterpret_cast<std::uintptr_t>(address) % 2 == 1 ? reinterpret_cast<const strand_mark*>(address - 1) : nullptr;
  }
};

// Calls f as a strand of its own.
template <class F>
decltype(auto) strand_of(F&& f, const strand_mark& here = {}) {
  struct restore {
    const kept_mark outer;
    ~restore() { outer.restore(); }
  } const after{};
  this_worker()->now.mark.set(here.mark());
  this_worker()->now.scope.set(nullptr);
  return std::forward<F>(f)();
}
// A branch that the calling strand joins.
template <class F>
decltype(auto) branch_of(F&& f) {
  return strand_of(std::forward<F>(f), {.joined_by = this_worker()->now.mark.get()});
}
// A child of a scope: `whose` is a this_child, or a child_apart.
template <class F, class Child>
decltype(auto) child_of(F&& f, const Child& whose) {
  return strand_of(std::forward<F>(f), {.child_of = whose.scope()});
}

// While the calling strand waits in a sync. The check of locks is told, and looks whether that would be for ever.
class syncing {
 public:
  // `by`, the scope's, has the strand's mark meanwhile.
  explicit syncing(std::atomic<const void*>& by) noexcept;
  ~syncing() { by_.store(nullptr, std::memory_order_relaxed); }
  syncing(const syncing&) = delete;
  syncing& operator=(const syncing&) = delete;

  using look = void (*)(const void* strand) noexcept;
  static void tell(look who) noexcept;

 private:
  std::atomic<const void*>& by_;
};

// In a join's frame, for the thief of its second branch.
class forker_mark {
 public:
  // The thief: the branch is one of the forker's.
  void apply() const noexcept { this_worker()->now.mark.set(mark_); }

 private:
  const void* const mark_ = this_worker() != nullptr ? this_worker()->now.mark.get() : nullptr;
};

#else

struct open_scopes {
  static void add(scope_books&) noexcept {}
  static void remove(scope_books&) noexcept {}
  static void must_be_innermost(const scope_books&) noexcept {}
};

struct kept_mark {
  void restore() const noexcept {}
};

template <class F>
HEIST_INLINE decltype(auto) strand_of(F&& f) {
  return std::forward<F>(f)();
}
template <class F>
HEIST_INLINE decltype(auto) branch_of(F&& f) {
  return std::forward<F>(f)();
}
template <class F, class Child>
HEIST_INLINE decltype(auto) child_of(F&& f, const Child&) {
  return std::forward<F>(f)();
}

#endif

// ThreadSanitizer has its own way to see locks: check/held_locks.hpp.
#if !defined(HEIST_CHECKED) || defined(HEIST_TSAN)
HEIST_INLINE void check_no_lock_held() noexcept {}
#endif

}  // namespace heist::detail

HEIST_END

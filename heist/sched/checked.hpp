#pragma once
// What checked builds know of strands: which one runs, which scopes it has open, and which locks it
// holds. In other builds all of this is empty.

#include <heist/base/export.hpp>
#include <heist/strand/worker.hpp>

#if defined(HEIST_CHECKED)
#include <heist/base/sanitizer.hpp>
#include <heist/check/held_locks.hpp>
#endif

#include <utility>

HEIST_BEGIN

namespace heist::detail {

class scope_books;

// Ends the program: a scope was synced before one that the same strand made later.
[[noreturn]] HEIST_COLD void refuse_order_of_scopes() noexcept;

#if defined(HEIST_CHECKED)

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

// Calls f as a strand of its own: a branch of a join, or a child.
template <class F>
decltype(auto) strand_of(F&& f) {
  const char here = 0;  // its address is the mark
  struct restore {
    const kept_mark outer;
    ~restore() { outer.restore(); }
  } const after{};
  this_worker()->now.mark.set(&here);
  this_worker()->now.scope.set(nullptr);
  return std::forward<F>(f)();
}

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

#endif

// ThreadSanitizer has its own way to see locks: check/held_locks.hpp.
#if !defined(HEIST_CHECKED) || defined(HEIST_TSAN)
HEIST_INLINE void check_no_lock_held() noexcept {}
#endif

}  // namespace heist::detail

HEIST_END

#include <heist/base/fatal.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/scope_books.hpp>

namespace heist::detail {

void open_scopes::refuse_order() noexcept {
  fatal("a scope was synced while one that the same strand made later had children that were not synced; sync the inner "
        "scope first");
}

#if defined(HEIST_CHECKED)

void open_scopes::add(scope_books& s) noexcept {
  if (this_worker() != nullptr) s.outer_ = this_worker()->now.scope.replace(&s);
}

// Scopes need not be destroyed in the order in which they were made.
void open_scopes::remove(scope_books& s) noexcept {
  if (this_worker() == nullptr) return;
  scope_books* const first = this_worker()->now.scope.get();
  if (first == &s) return this_worker()->now.scope.set(s.outer_);
  for (scope_books* at = first; at != nullptr; at = at->outer_)
    if (at->outer_ == &s) at->outer_ = s.outer_;
}

void open_scopes::must_be_innermost(const scope_books& s) noexcept {
  if (s.outside() || this_worker() == nullptr) return;
  bool unsynced = false;
  for (const scope_books* at = this_worker()->now.scope.get(); at != nullptr; at = at->outer_) {
    if (at == &s) return unsynced ? refuse_order() : static_cast<void>(0);
    unsynced = unsynced || at->spawned_ != at->waited_for_;
  }
}

#else

void open_scopes::add(scope_books&) noexcept {}
void open_scopes::remove(scope_books&) noexcept {}
void open_scopes::must_be_innermost(const scope_books&) noexcept {}

#endif

}  // namespace heist::detail

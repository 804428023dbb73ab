#include <heist/base/fatal.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/scope_books.hpp>

namespace heist::detail {

void refuse_order_of_scopes() noexcept {
  fatal("a scope was synced while an inner scope of the same strand still had unsynced children; sync the inner scope "
        "first");
}

#if defined(HEIST_CHECKED)

const void* this_strand() noexcept {
  const worker* const w = this_worker();
  return w != nullptr ? w->now.mark.get() : this_thread();
}

namespace {

constinit std::atomic<syncing::look> looks_at_syncs{nullptr};

// The last scope of the calling thread, outside every pool.
thread_local scope_books* of_thread = nullptr;

scope_books* innermost() noexcept { return this_worker() != nullptr ? this_worker()->now.scope.get() : of_thread; }

void make_innermost(scope_books* s) noexcept {
  if (this_worker() != nullptr)
    this_worker()->now.scope.set(s);
  else
    of_thread = s;
}

}  // namespace

void open_scopes::add(scope_books& s) noexcept {
  s.outer_ = innermost();
  make_innermost(&s);
}

// Scopes need not be destroyed in the order in which they were made.
void open_scopes::remove(scope_books& s) noexcept {
  if (innermost() == &s) return make_innermost(s.outer_);
  for (scope_books* at = innermost(); at != nullptr; at = at->outer_)
    if (at->outer_ == &s) at->outer_ = s.outer_;
}

void open_scopes::must_be_innermost(const scope_books& s) noexcept {
  bool unsynced = false;
  for (const scope_books* at = innermost(); at != nullptr; at = at->outer_) {
    if (at == &s) return unsynced ? refuse_order_of_scopes() : static_cast<void>(0);
    unsynced = unsynced || at->spawned_ != at->waited_for_;
  }
}

syncing::syncing(std::atomic<const void*>& by) noexcept : by_(by) {
  const void* const me = this_strand();
  by_.store(me);
  if (const look who = looks_at_syncs.load()) who(me);
}

void syncing::tell(look who) noexcept { looks_at_syncs.store(who); }

#endif

}  // namespace heist::detail

#include <heist/wait/lock_watch.hpp>

#if defined(HEIST_CHECKED)

#include <heist/base/fatal.hpp>
#include <heist/base/process.hpp>
#include <heist/strand/worker.hpp>

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <unordered_map>

namespace heist::detail {

namespace {

// A strand by its mark, or a thread outside every pool; null: not known.
const void* this_strand() noexcept {
  const worker* const w = this_worker();
  return w != nullptr ? w->now.mark.get() : this_thread();
}

struct books {
  std::mutex lock;
  std::unordered_map<const void*, const void*> holder_of;   // of a mutex
  std::unordered_map<const void*, const void*> awaited_by;  // by a strand: the mutex
};

// Never destroyed: static objects of the program may have mutexes. A child of fork() begins anew: another thread may
// have been writing.
books*& the_books() noexcept {
  static books* now = [] {
    at_fork_in_child([] { the_books() = new books; });
    return new books;
  }();
  return now;
}

const void* found(const std::unordered_map<const void*, const void*>& in, const void* key) {
  const auto at = in.find(key);
  return at == in.end() ? nullptr : at->second;
}

// Under the lock. From strand to mutex to holder, as long as the holder waits: each strand waits for one mutex, which
// has one holder, so the way ends or comes back.
bool leads_back(const books& b, const void* strand) {
  const void* at = strand;
  for (std::size_t steps = 0; steps <= b.awaited_by.size(); ++steps) {
    const void* const mutex = found(b.awaited_by, at);
    at = mutex == nullptr ? nullptr : found(b.holder_of, mutex);
    if (at == nullptr) return false;
    if (at == strand) return true;
  }
  return false;  // it comes back to another one, which has said so
}

[[noreturn]] void complain(const books& b, const void* strand) noexcept {
  char circle[768];
  std::size_t length = 0;
  const void* at = strand;
  do {
    const void* const mutex = found(b.awaited_by, at);
    const void* const holder = found(b.holder_of, mutex);
    if (length < sizeof circle)
      length += static_cast<std::size_t>(std::snprintf(circle + length, sizeof circle - length,
                                                       " strand %p waits for mutex %p, which strand %p holds;", at,
                                                       mutex, holder));
    at = holder;
  } while (at != strand);
  char text[1024];
  std::snprintf(text, sizeof text,
                "strands wait for each other's mutexes in a circle, and none can go on:%s lock mutexes in one order "
                "everywhere, or together by std::scoped_lock",
                circle);
  fatal(text);
}

}  // namespace

void lock_watch::taken(const void* mutex) noexcept {
  const void* const me = this_strand();
  if (me == nullptr) return;
  books& b = *the_books();
  const std::lock_guard hold(b.lock);
  b.awaited_by.erase(me);
  b.holder_of[mutex] = me;
}

void lock_watch::released(const void* mutex) noexcept {
  books& b = *the_books();
  const std::lock_guard hold(b.lock);
  b.holder_of.erase(mutex);
}

void lock_watch::wanted(const void* mutex) noexcept {
  const void* const me = this_strand();
  if (me == nullptr) return;
  books& b = *the_books();
  const std::lock_guard hold(b.lock);
  b.awaited_by[me] = mutex;
  if (leads_back(b, me)) complain(b, me);
}

}  // namespace heist::detail

#endif

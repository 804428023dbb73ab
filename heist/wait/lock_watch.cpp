#include <heist/wait/lock_watch.hpp>

#if defined(HEIST_CHECKED)

#include <heist/base/fatal.hpp>
#include <heist/base/process.hpp>
#include <heist/sched/checked.hpp>
#include <heist/strand/worker.hpp>

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

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

// Whether the strand is a branch below a join of that one. Each of the strands between waits for it, so their marks exist.
bool is_below(const void* strand, const void* forker) noexcept {
  for (const strand_mark* m = strand_mark::of(strand); m != nullptr; m = strand_mark::of(m->joined_by))
    if (m->joined_by == forker) return true;
  return false;
}

// The way from a strand that waits: to its mutex, to the holder, and on to what the holder waits for: another mutex, or its
// branches that wait for one.
class way {
 public:
  way(const books& b, const void* from) : books_(b), from_(from) {}

  // Under the lock. Whether it leads back to the strand, or to one whose join waits for the strand.
  bool leads_back() { return follow(from_); }
  const char* text() const noexcept { return text_; }

 private:
  bool follow(const void* strand) {
    const void* const mutex = found(books_.awaited_by, strand);
    const void* const holder = mutex == nullptr ? nullptr : found(books_.holder_of, mutex);
    if (holder == nullptr || !seen_.insert(strand).second) return false;
    const std::size_t before = length_;
    note(" strand %p waits for mutex %p, which strand %p holds;", strand, mutex, holder);
    if (holder == from_ || follow(holder)) return true;
    if (is_below(from_, holder)) return note(" strand %p joins strand %p;", holder, from_), true;
    for (const auto& [other, its] : books_.awaited_by) {
      if (!is_below(other, holder)) continue;
      const std::size_t here = length_;
      note(" strand %p joins strand %p;", holder, other);
      if (follow(other)) return true;
      length_ = here;
    }
    length_ = before;
    return false;
  }

  template <class... T>
  void note(const char* format, T... what) noexcept {
    if (length_ < sizeof text_)
      length_ += static_cast<std::size_t>(std::snprintf(text_ + length_, sizeof text_ - length_, format, what...));
  }

  const books& books_;
  const void* const from_;
  std::unordered_set<const void*> seen_;
  char text_[768] = "";
  std::size_t length_ = 0;
};

[[noreturn]] void complain(const way& circle) noexcept {
  char text[1024];
  std::snprintf(text, sizeof text,
                "strands wait for each other's mutexes in a circle, and none can go on:%s lock mutexes in one order "
                "everywhere, or together by std::scoped_lock, and none in a branch that its forker holds",
                circle.text());
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
  if (way circle(b, me); circle.leads_back()) complain(circle);
}

}  // namespace heist::detail

#endif

#include <heist/wait/lock_watch.hpp>

#if defined(HEIST_CHECKED)

#include <heist/base/fatal.hpp>
#include <heist/base/process.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/scope_books.hpp>
#include <heist/strand/worker.hpp>

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace heist::detail {

namespace {

struct hold {
  const void* by;  // a strand
  holding how;
};
struct wish {
  const void* mutex;
  holding how;
};
struct books {
  std::mutex lock;
  std::unordered_multimap<const void*, hold> holders_of;  // of a mutex
  std::unordered_map<const void*, wish> awaited_by;       // by a strand
};

void look_at_sync(const void* strand) noexcept;

// Never destroyed: static objects of the program may have mutexes. A child of fork() begins anew: another thread may
// have been writing.
books*& the_books() noexcept {
  static books* now = [] {
    at_fork_in_child([] { the_books() = new books; });
    syncing::tell(look_at_sync);
    return new books;
  }();
  return now;
}

// Somebody waits to have a mutex alone that others share: then those that come to share it wait for them, too.
bool wanted_alone(const books& b, const void* mutex) {
  for (const auto& [strand, its] : b.awaited_by)
    if (its.mutex == mutex && its.how == holding::alone) return true;
  return false;
}

// The strand whose join, or whose sync, waits for that one; null: none does.
const void* joiner_of(const strand_mark& m) noexcept {
  return m.joined_by != nullptr || m.child_of == nullptr ? m.joined_by : m.child_of->synced_by();
}

// Whether the strand is a branch or child that a join or sync of that one waits for, or below one. Each of the strands
// between waits for it, so their marks exist.
bool is_below(const void* strand, const void* joiner) noexcept {
  for (const strand_mark* m = strand_mark::of(strand); m != nullptr; m = strand_mark::of(joiner_of(*m)))
    if (joiner_of(*m) == joiner) return true;
  return false;
}

// The way from a strand that waits: to its mutex, to the holder, and on to what the holder waits for: another mutex, or its
// branches and children that wait for one.
class way {
 public:
  way(const books& b, const void* from) : books_(b), from_(from) {}

  // Under the lock. Whether it leads back to the strand, or to one whose join or sync waits for the strand.
  bool leads_back() { return follow(from_) || follow_those_below(from_); }
  const char* text() const noexcept { return text_; }

 private:
  bool follow(const void* strand) {
    const auto its = books_.awaited_by.find(strand);
    if (its == books_.awaited_by.end() || !seen_.insert(strand).second) return false;
    const auto [mutex, how] = its->second;
    const auto [first, last] = books_.holders_of.equal_range(mutex);
    for (auto at = first; at != last; ++at) {
      const hold& h = at->second;
      if (how == holding::shared && h.how == holding::shared && !wanted_alone(books_, mutex)) return false;
      if (goes_on_at(strand, mutex, h.by)) return true;
    }
    return false;
  }

  bool goes_on_at(const void* strand, const void* mutex, const void* holder) {
    const std::size_t before = length_;
    note(" strand %p waits for mutex %p, which strand %p holds;", strand, mutex, holder);
    if (holder == from_ || follow(holder)) return true;
    if (is_below(from_, holder)) return note(" strand %p joins strand %p;", holder, from_), true;
    if (follow_those_below(holder)) return true;
    length_ = before;
    return false;
  }

  bool follow_those_below(const void* joiner) {
    for (const auto& [other, its] : books_.awaited_by) {
      if (!is_below(other, joiner)) continue;
      const std::size_t before = length_;
      note(" strand %p joins strand %p;", joiner, other);
      if (follow(other)) return true;
      length_ = before;
    }
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

// The strand has said that it syncs, so a child that begins to wait later finds the circle itself.
void look_at_sync(const void* strand) noexcept {
  if (strand == nullptr) return;
  books& b = *the_books();
  const std::lock_guard locked(b.lock);
  if (way circle(b, strand); circle.leads_back()) complain(circle);
}

}  // namespace

const void* lock_watch::me() noexcept { return this_strand(); }

void lock_watch::taken(const void* mutex, holding how) noexcept { given(mutex, this_strand(), how); }

void lock_watch::given(const void* mutex, const void* strand, holding how) noexcept {
  if (strand == nullptr) return;
  books& b = *the_books();
  const std::lock_guard locked(b.lock);
  b.awaited_by.erase(strand);
  if (how == holding::alone) b.holders_of.erase(mutex);
  b.holders_of.emplace(mutex, hold{strand, how});
}

void lock_watch::released(const void* mutex, holding how) noexcept {
  const void* const me = this_strand();
  books& b = *the_books();
  const std::lock_guard locked(b.lock);
  if (how == holding::shared) {
    const auto [first, last] = b.holders_of.equal_range(mutex);
    for (auto at = first; at != last; ++at)
      if (at->second.by == me) return static_cast<void>(b.holders_of.erase(at));
  }
  // One that shares it and is not listed has it from another strand. Better none than a wrong one.
  b.holders_of.erase(mutex);
}

void lock_watch::wanted(const void* mutex, holding how) noexcept {
  const void* const me = this_strand();
  if (me == nullptr) return;
  books& b = *the_books();
  const std::lock_guard locked(b.lock);
  b.awaited_by[me] = {mutex, how};
  if (way circle(b, me); circle.leads_back()) complain(circle);
  if (how == holding::shared) return;
  // Those that wait to share it wait for this one now.
  for (const auto& [strand, its] : b.awaited_by)
    if (its.mutex == mutex && its.how == holding::shared)
      if (way circle(b, strand); circle.leads_back()) complain(circle);
}

}  // namespace heist::detail

#endif

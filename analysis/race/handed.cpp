#include <analysis/race/handed.hpp>
#include <analysis/race/judge.hpp>
#include <analysis/race/memory.hpp>
#include <analysis/race/owners.hpp>
#include <analysis/race/runtime.hpp>

#include <utility>

namespace heist::race {

std::size_t blocks_handed = 0;

namespace {

using ends = own_map<std::uintptr_t, point*>;  // of the calls, by the block
constinit late<ends> late_ends;

ends& ends_of_calls() {
  static bool built = false;
  if (!built) {
    built = true;
    late_ends.build();
  }
  return late_ends.value;
}

// The last calls that have handed something on, in order: what they have made is theirs until it is handed on by itself.
struct maker {
  instant first, last;
  point* end;
};
constexpr std::size_t most_makers = 1024;
maker makers[most_makers];
std::size_t made_so_far = 0;

std::size_t oldest_maker() { return made_so_far > most_makers ? made_so_far - most_makers : 0; }

const maker* maker_at(instant t) {
  std::size_t low = oldest_maker(), high = made_so_far;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const maker& m = makers[middle % most_makers];
    if (t < m.first)
      high = middle;
    else if (t > m.last)
      low = middle + 1;
    else
      return &m;
  }
  return nullptr;
}

void note_maker() {
  if (made_so_far > 0 && makers[(made_so_far - 1) % most_makers].first == the.time.strand()) return;
  maker& m = makers[made_so_far++ % most_makers];
  if (m.end != nullptr) destroy(m.end);
  m = {the.time.strand(), the.time.now(), the.time.here()};
}

template <class F>
void for_pointers(const void* value, std::size_t size, const F& f) {
  const auto start = reinterpret_cast<std::uintptr_t>(value);
  for (std::uintptr_t a = (start + 7) & ~std::uintptr_t{7}; a + 8 <= start + size; a += 8)
    f(*reinterpret_cast<const std::uintptr_t*>(a));
}

}  // namespace

void hand_on(const void* value, std::size_t size, instant since) {
  bool any = false;
  for_pointers(value, size, [&](std::uintptr_t to) {
    const heap_blocks::block* const b = the_heap.starting_at(to);
    if (b == nullptr || b->made < since) return;
    point*& end = ends_of_calls()[to];
    if (end != nullptr) destroy(end);
    end = the.time.here();
    any = true;
  });
  blocks_handed = ends_of_calls().size();
  if (!any) return;
  note_maker();
  the.time.make_irregular();
}

void take_over(const void* value, std::size_t size) {
  if (blocks_handed == 0 && made_so_far == 0) return;
  for_pointers(value, size, [](std::uintptr_t to) {
    const heap_blocks::block* const b = the_heap.starting_at(to);
    if (b == nullptr) return;
    if (const auto at = ends_of_calls().find(to); at != ends_of_calls().end())
      the.time.after(*at->second);
    else if (const maker* const m = maker_at(b->made))
      the.time.after(*m->end);
  });
}

void forget_makers() {
  for (std::size_t i = oldest_maker(); i < made_so_far; ++i) destroy(std::exchange(makers[i % most_makers].end, nullptr));
  made_so_far = 0;
}

void forget_handed_block(std::uintptr_t start) {
  const unjudged own;
  const auto at = ends_of_calls().find(start);
  if (at == ends_of_calls().end()) return;
  destroy(at->second);
  ends_of_calls().erase(at);
  blocks_handed = ends_of_calls().size();
}

}  // namespace heist::race

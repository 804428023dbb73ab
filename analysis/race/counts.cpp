#include <analysis/race/calls.hpp>
#include <analysis/race/counts.hpp>
#include <analysis/race/judge.hpp>
#include <analysis/race/owners.hpp>
#include <analysis/race/runtime.hpp>
#include <analysis/race/settings.hpp>

namespace heist::race {

namespace {

using points = own_vector<point*>;

struct done_once {
  instant first = 0, last = 0;
  point* end = nullptr;
};

struct books {
  own_tree<std::uintptr_t, points> releases;
  own_vector<std::uintptr_t> on_stack;  // of the releases
  own_tree<std::uintptr_t, done_once> once;
  struct view {
    std::size_t depth;  // of calls: it ends when the program leaves that function
    open_view open;
    instant since;
  };
  own_vector<view> views;
  own_vector<instant> bodies;  // since when things are being done once

  // What comes after a body by its guard does not come after what came before the body; and what is ordered in a view is not
  // after it. So the accesses made there do not stand for those before.
  instant inside() const {
    const instant viewed = views.empty() ? 0 : views.back().since, body = bodies.empty() ? 0 : bodies.back();
    return viewed > body ? viewed : body;
  }
  void keep() const { the.keep_before(inside()); }
};
constinit late<books> late_books;
bool built = false;

books& all() {
  if (!built) {  // no local static: its guard would come back here
    built = true;
    late_books.build();
  }
  return late_books.value;
}
bool any = false;
bool any_on_stack = false;

std::uintptr_t name(const void* p) noexcept { return reinterpret_cast<std::uintptr_t>(p); }

void free_points(points& some) {
  for (point* const p : some) destroy(p);
  some.clear();
}

}  // namespace

bool releases_on_stack() noexcept { return any_on_stack; }

void count_down(const void* count, bool last) {
  const unjudged own;
  if (the.determinacy) return;
  sweeps::end_all();
  books& b = all();
  if (!last) {
    // Nothing can be parallel to what was done so far; but children that are kept until the sync will be.
    if (the.time.strand() == 1 && !the.time.anything_parallel() && !the_settings.reversed) return;
    any = true;
    the.time.make_irregular();
    b.releases[name(count)].push_back(the.time.here());
    the.time.advance();
    return;
  }
  const auto at = b.releases.find(name(count));
  if (at == b.releases.end()) return;
  b.views.push_back({call_stack.depth, the.time.begin_view(), the.time.advance()});
  b.keep();
  counts_until = call_stack.depth;
  for (const point* const p : at->second) the.time.after(*p);
  free_points(at->second);
  b.releases.erase(at);
}

void end_counts(std::size_t depth) {
  const unjudged own;
  sweeps::end_all();
  books& b = all();
  while (!b.views.empty() && b.views.back().depth > depth) {
    the.time.end_view(b.views.back().open);
    b.views.pop_back();
  }
  b.keep();
  counts_until = b.views.empty() ? 0 : b.views.back().depth;
}

void begin_once(const void* guard) {
  const unjudged own;
  sweeps::end_all();
  done_once& d = all().once[name(guard)];
  any = true;
  d.first = the.time.advance();
  all().bodies.push_back(d.first);
  all().keep();
}

void abandon_once() {
  const unjudged own;
  sweeps::end_all();
  books& b = all();
  if (!b.bodies.empty()) b.bodies.pop_back();
  b.keep();
}

void end_once(const void* guard) {
  abandon_once();
  const unjudged own;
  done_once& d = all().once[name(guard)];
  if (d.end != nullptr) destroy(d.end);
  the.time.make_irregular();
  d.end = the.time.here();
  d.last = the.time.now();
  the.time.advance();
}

void after_guard(const void* guard) {
  if (!any) return;
  const unjudged own;
  books& b = all();
  const auto at = b.once.find(name(guard));
  if (at == b.once.end() || at->second.end == nullptr) return;
  const done_once& d = at->second;
  if (the.time.parallel(d.last) == nullptr) return;
  sweeps::end_all();
  the.time.after(*d.end, d.first, d.last);
}

void release(const void* what) {
  const unjudged own;
  sweeps::end_all();
  any = true;
  the.time.make_irregular();
  points& some = all().releases[name(what)];
  if (some.empty() && is_on_stack(what)) {
    all().on_stack.push_back(name(what));
    any_on_stack = true;
  }
  // Those that come before this one are part of it. But one that was made in a body or view is not known to be after that:
  // this one may come after the body, and not after what came before the body.
  const instant inside = all().inside();
  const auto part_of_it = [&](const point& p) {
    return (p.inside == 0 || p.inside == inside) && the.time.parallel(p.at) == nullptr;
  };
  while (!some.empty() && part_of_it(*some.back())) {
    destroy(some.back());
    some.pop_back();
  }
  some.push_back(the.time.here());
  some.back()->inside = inside;
  the.time.advance();
}

void acquire(const void* what) {
  const unjudged own;
  if (!any) return;
  books& b = all();
  const auto at = b.releases.find(name(what));
  if (at == b.releases.end()) return;
  sweeps::end_all();
  for (const point* const p : at->second) the.time.after(*p);
}

void forget_stack_counts(std::uintptr_t low, std::uintptr_t high) {
  const unjudged own;
  books& b = all();
  std::erase_if(b.on_stack, [&](std::uintptr_t a) {
    if (a < low || a >= high) return false;
    if (const auto at = b.releases.find(a); at != b.releases.end()) {
      free_points(at->second);
      b.releases.erase(at);
    }
    return true;
  });
  any_on_stack = !b.on_stack.empty();
}

void forget_counts(std::uintptr_t from, std::size_t size) {
  if (!any) return;
  books& b = all();
  for (auto at = b.releases.lower_bound(from); at != b.releases.end() && at->first < from + size;) {
    free_points(at->second);
    at = b.releases.erase(at);
  }
  for (auto at = b.once.lower_bound(from); at != b.once.end() && at->first < from + size;) {
    if (at->second.end != nullptr) destroy(at->second.end);
    at = b.once.erase(at);
  }
}

}  // namespace heist::race

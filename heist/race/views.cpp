#include <heist/race/views.hpp>
#include <heist/views/view_map.hpp>

#include <new>
#include <utility>
#include <vector>

namespace heist::detail::race {

namespace {

struct one {
  reduced* of;
  void* view;
};
using views = std::vector<one>;

// In serial order; the last is the running strand's. The first is there from the beginning.
std::vector<views>* sets_of_views = nullptr;
std::vector<views>& all() {
  if (sets_of_views == nullptr) sets_of_views = new std::vector<views>(1);
  return *sets_of_views;
}
std::size_t reducers = 0;

one* find(views& in, const reduced& r) noexcept {
  for (one& v : in)
    if (v.of == &r) return &v;
  return nullptr;
}

void destroy(const one& v) noexcept {
  if (v.view != v.of->first) v.of->kind.destroy(v.view);
}

}  // namespace

std::size_t views_mark() noexcept { return all().size(); }

void new_views() noexcept {
  if (reducers > 0) all().emplace_back();
}

void merge_views(std::size_t mark) noexcept {
  std::vector<views>& sets = all();
  if (mark == 0) mark = 1;
  while (sets.size() > mark) {
    const views later = std::move(sets.back());
    sets.pop_back();
    for (const one& v : later) {
      if (one* const before = find(sets.back(), *v.of)) {
        v.of->kind.merge(*v.of, before->view, v.view);
        destroy(v);
      } else {
        sets.back().push_back(v);
      }
    }
  }
}

void add_reducer(reduced& r) noexcept {
  ++reducers;
  all().back().push_back({&r, r.first});
}

void remove_reducer(reduced& r) noexcept {
  --reducers;
  for (views& some : all())
    for (std::size_t i = 0; i < some.size(); ++i)
      if (some[i].of == &r) {
        destroy(some[i]);
        some[i] = some.back();
        some.pop_back();
        break;
      }
}

void* view_of(reduced& r) {
  if (one* const mine = find(all().back(), r)) return mine->view;
  void* const fresh = r.kind.make(r);
  all().back().push_back({&r, fresh});
  return fresh;
}

bool joined(const reduced& r) noexcept {
  std::vector<views>& sets = all();
  for (std::size_t i = 0; i + 1 < sets.size(); ++i)
    if (find(sets[i], r) != nullptr) return false;
  return true;
}

}  // namespace heist::detail::race

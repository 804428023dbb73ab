#include <heist/race/detector.hpp>
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
struct views : std::vector<one> {
  views_of whose = views_of::branch;
};

// What the running strand has looked up since its last fork.
struct look {
  void* view;
  std::size_t size;
  std::uint64_t since;
};
std::vector<look>* looks = nullptr;

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

void judge_looks() noexcept {
  if (looks == nullptr || looks->empty()) return;
  for (const look& l : *looks)
    if (const void* const code = heist_race_only_read(l.view, l.size, l.since)) heist_race_read_early(l.view, l.size, code);
  looks->clear();
}

}  // namespace

std::size_t views_mark() noexcept { return all().size(); }

void new_views(views_of whose) noexcept {
  if (reducers == 0) return;
  judge_looks();
  all().emplace_back().whose = whose;
}

void merge_views(std::size_t mark) noexcept {
  std::vector<views>& sets = all();
  if (mark == 0) mark = 1;
  if (sets.size() > mark) judge_looks();
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
  judge_looks();
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

void looked_up(reduced& r, void* view, std::size_t size) noexcept {
  if (view == r.first || all().back().whose == views_of::iteration) return;
  if (looks == nullptr) looks = new std::vector<look>;
  for (const look& l : *looks)
    if (l.view == view) return;
  looks->push_back({view, size, heist_race_now() + 1});
}

bool joined(const reduced& r) noexcept {
  std::vector<views>& sets = all();
  for (std::size_t i = 0; i + 1 < sets.size(); ++i)
    if (find(sets[i], r) != nullptr) return false;
  return true;
}

}  // namespace heist::detail::race

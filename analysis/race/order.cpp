#include <analysis/race/end.hpp>
#include <analysis/race/order.hpp>

#include <algorithm>

namespace heist::race {

bool interval::has(instant t) const noexcept {
  if (t < lo || t > hi) return false;
  if (holes == nullptr) return true;
  for (const auto& [from, to] : *holes)
    if (t >= from && t <= to) return false;
  return true;
}

namespace {

using pieces = own_vector<std::pair<instant, instant>>;

void add_pieces(pieces& to, const interval& from, instant lo, instant hi) {
  lo = std::max(lo, from.lo);
  hi = std::min(hi, from.hi);
  if (from.holes != nullptr) {
    for (const auto& [a, b] : *from.holes) {
      if (b < lo || a > hi) continue;
      if (a > lo) to.push_back({lo, a - 1});
      lo = b + 1;
      if (b >= hi) return;
    }
  }
  if (lo <= hi) to.push_back({lo, hi});
}

// What is in none of these. Both are in order, and without overlap.
pieces without(const pieces& some, const pieces& cuts) {
  pieces left;
  for (auto [a, b] : some) {
    auto c = std::partition_point(cuts.begin(), cuts.end(), [a = a](const auto& x) { return x.first < a; });
    while (c != cuts.begin() && std::prev(c)->second >= a) --c;
    for (; c != cuts.end() && c->first <= b && a <= b; ++c) {
      if (c->first > a) left.push_back({a, c->first - 1});
      a = std::max(a, c->second + 1);
    }
    if (a <= b) left.push_back({a, b});
  }
  return left;
}
pieces all_of(const interval& i) {
  pieces p;
  if (!i.empty()) add_pieces(p, i, i.lo, i.hi);
  return p;
}
pieces difference(const interval& a, const interval& b) { return without(all_of(a), all_of(b)); }

}  // namespace

order::order() { renew(); }

instant order::advance() {
  if (last_ == last_instant) [[unlikely]] end_with("the program has forked too often: the detector counts 2^35 strands", 70);
  run_at(++last_);
  return now_;
}

void order::start_anew() noexcept {
  irregular_ = false;
  list_.clear();
  undo_.clear();
  synced_.clear();
  // Moments that still exist have intervals that point here. Nobody looks at those: they are of the past, as after() sees first.
  for (hole_list* const h : holes_made_) destroy(h);
  holes_made_.clear();
  for (leavings* const l : left_by_children_) destroy(l);
  left_by_children_.clear();
}

// The interval with just these instants of it, in order.
interval order::with_pieces(interval i, const pieces& p) {
  i.holes = nullptr;
  if (p.empty()) {
    i.hi = i.lo - 1;
    return i;
  }
  const instant lo = p.front().first, hi = p.back().second;
  hole_list holes;
  for (std::size_t k = 1; k < p.size(); ++k)
    if (p[k - 1].second + 1 < p[k].first) holes.push_back({p[k - 1].second + 1, p[k].first - 1});
  if (!holes.empty()) {
    holes_made_.push_back(make<hole_list>(std::move(holes)));
    i.holes = holes_made_.back();
  }
  i.lo = lo;
  i.hi = hi;
  return i;
}

// What both have.
interval order::met(const interval& a, const interval& b) {
  if (a.empty()) return a;
  if (a.holes == nullptr && b.holes == nullptr) {
    interval i = a;
    i.lo = std::max(a.lo, b.lo);
    i.hi = std::min(a.hi, b.hi);
    return i;
  }
  pieces first, both;
  add_pieces(first, a, a.lo, a.hi);
  for (const auto& [lo, hi] : first) add_pieces(both, b, lo, hi);
  return with_pieces(a, both);
}

const interval* order::search(instant t) const noexcept {
  // The first that begins after t. Empty ones keep their place.
  const auto next = std::upper_bound(list_.begin(), list_.end(), t, [](instant x, const interval& i) { return x < i.lo; });
  auto before = next;
  while (before != list_.begin()) {
    --before;
    if (!before->empty()) break;
    if (before == list_.begin()) return nullptr;
  }
  if (next == list_.begin()) {
    memo_lo_ = 0;
    memo_hi_ = (next == list_.end() ? top_hi_ : next->lo) - 1;
    memo_ = nullptr;
    return nullptr;
  }
  const interval& i = *before;
  if (i.empty()) return nullptr;
  if (i.holes != nullptr) return i.has(t) ? &i : nullptr;
  if (t <= i.hi) {
    memo_lo_ = i.lo;
    memo_hi_ = i.hi;
    return memo_ = &i;
  }
  memo_lo_ = i.hi + 1;
  memo_hi_ = next == list_.end() ? t : next->lo - 1;
  return memo_ = nullptr;
}

// Strands -------------------------------------------------------------------------------------------------------------

void order::fork(open_fork& f, std::uintptr_t frame, const void* code) {
  f.start = now_;
  f.base = list_.size();
  f.outer_floor = floor_;
  f.outer_strand = strand_;
  f.undo = undo_.size();
  f.left = nullptr;
  f.frame = frame;
  f.code = code;
  f.owner = 0;
  f.kind = fork_kind::join;
  f.any = false;
  floor_ = f.base;
  strand_ = advance();
}

// The strand that ends has changed the list from `base` on, and logged what it changed below: the list is again as it was
// when the fork was made, and `to` has the difference.
void order::leave(open_fork& f, std::size_t base, leavings*& to) {
  if (list_.size() == base && undo_.size() == f.undo) [[likely]] return;
  for (std::size_t i = base; i < list_.size(); ++i) {
    const interval& s = list_[i];
    const bool siblings = s.owner != 0 && s.owner == f.owner;  // part of the interval that this strand becomes
    if (s.empty() || (siblings && s.left == nullptr)) continue;
    if (to == nullptr) to = make<leavings>();
    if (siblings) {
      to->survivors.insert(to->survivors.end(), s.left->survivors.begin(), s.left->survivors.end());
      to->cuts.insert(to->cuts.end(), s.left->cuts.begin(), s.left->cuts.end());
    } else {
      to->survivors.push_back(s);
    }
  }
  list_.resize(base);
  while (undo_.size() > f.undo) {
    const undone& u = undo_.back();
    if (u.at < base) {
      interval& here = list_[u.at];
      // What calls of one algorithm came after, of each other, ends with it.
      if (u.at < f.base || f.kind != fork_kind::callback) {
        if (to == nullptr) to = make<leavings>();
        const pieces cut = difference(u.before, here);
        to->cuts.insert(to->cuts.end(), cut.begin(), cut.end());
      }
      here = u.before;
    }
    undo_.pop_back();
  }
}

void order::change(std::size_t at, const interval& to) {
  if (at < floor_) undo_.push_back({at, list_[at]});
  list_[at] = to;
}

bool order::is_over(const interval& i) const { return i.owner != 0 && synced_.count(i.owner) != 0; }

// The running strand comes after the one that left this; `within` is what is still parallel of it.
void order::take_over(const leavings& from, const interval* within) {
  add_survivors(from, within);
  cut(from.cuts);
}

void order::add_survivors(const leavings& from, const interval* within) {
  for (const interval& s : from.survivors) {
    if (is_over(s)) continue;
    const interval i = within != nullptr ? met(s, *within) : s;
    if (!i.empty()) list_.push_back(i);
  }
}

// These instants come before the running strand, wherever they are in the list now.
void order::cut(hole_list cuts) {
  std::sort(cuts.begin(), cuts.end());
  pieces apart;
  for (const auto& [lo, hi] : cuts)
    if (apart.empty() || lo > apart.back().second)
      apart.push_back({lo, hi});
    else
      apart.back().second = std::max(apart.back().second, hi);
  for (std::size_t i = 0; i < list_.size() && !apart.empty(); ++i) {
    const interval here = list_[i];
    const pieces had = all_of(here), left = without(had, apart);
    if (left != had) change(i, with_pieces(here, left));
  }
}

void order::first_ended(open_fork& f) {
  leave(f, f.base, f.left);
  list_.push_back({f.start + 1, last_, f.frame, f.code, 0, nullptr, nullptr, f.depth, f.kind});
  floor_ = list_.size();
  strand_ = advance();
  renew();
}

void order::join_slowly(open_fork& f) {
  const interval first = list_[f.base];
  const own_vector<interval> later(list_.begin() + static_cast<std::ptrdiff_t>(f.base) + 1, list_.end());
  list_.resize(f.base);
  floor_ = f.outer_floor;
  strand_ = f.outer_strand;
  if (f.left != nullptr) {
    take_over(*f.left, &first);
    destroy(f.left);
  }
  for (const interval& i : later)
    if (!i.empty() && !is_over(i)) list_.push_back(i);
  if (floor_ == 0) undo_.clear();
  drop_empty();
  renew();
}

void order::abandoned(open_fork& f) {
  floor_ = f.outer_floor;
  strand_ = f.outer_strand;
  renew();
}

void order::begin_child(open_fork& f, std::uint64_t owner, fork_kind kind, std::uintptr_t frame, const void* code) {
  if (kind == fork_kind::future || (list_.size() > floor_ && list_.back().owner >> epoch_bits > owner >> epoch_bits))
    irregular_ = true;
  fork(f, frame, code);
  f.owner = owner;
  f.kind = kind;
  if (irregular_) renew();
}

void order::end_child(open_fork& f) {
  leavings* left = nullptr;
  leave(f, f.base, left);
  floor_ = f.outer_floor;
  strand_ = f.outer_strand;
  list_.push_back({f.start + 1, last_, f.frame, f.code, f.owner, nullptr, left, f.depth, f.kind});
  if (left != nullptr) {
    irregular_ = true;
    left_by_children_.push_back(left);
  }
  advance();
  renew();
}

std::uint64_t order::sync(std::uint64_t owner) {
  const std::uint64_t next = (owner & ~((std::uint64_t{1} << epoch_bits) - 1)) | ((owner + 1) & ((std::uint64_t{1} << epoch_bits) - 1));
  std::size_t from = list_.size();
  if (!irregular_) {
    while (from > floor_ && list_[from - 1].owner == owner) --from;
    list_.resize(from);
    renew();
    return next;
  }
  synced_.insert(owner);
  own_vector<interval> ended, others;
  hole_list cuts;
  for (from = floor_; from < list_.size() && list_[from].owner != owner;) ++from;
  for (std::size_t i = from; i < list_.size(); ++i) (list_[i].owner == owner ? ended : others).push_back(list_[i]);
  list_.resize(from);
  // In the order of their instants.
  for (const interval& i : ended)
    if (i.left != nullptr) {
      add_survivors(*i.left, &i);
      cuts.insert(cuts.end(), i.left->cuts.begin(), i.left->cuts.end());
    }
  for (const interval& i : others)
    if (!i.empty()) list_.push_back(i);
  std::sort(list_.begin() + static_cast<std::ptrdiff_t>(from), list_.end(),
            [](const interval& a, const interval& b) { return a.lo < b.lo; });
  cut(std::move(cuts));
  renew();
  return next;
}

void order::begin_late(open_fork& f, instant since, std::uint64_t owner, std::uintptr_t frame, const void* code) {
  fork(f, frame, code);
  f.owner = owner;
  f.high = since;
  // What lies in between, as far as it is still there, is part of what is parallel to the child.
  std::size_t from = list_.size();
  while (from > 0 && list_[from - 1].lo > since) --from;
  f.left = make<leavings>();
  f.left->survivors.assign(list_.begin() + static_cast<std::ptrdiff_t>(from), list_.end());
  list_.resize(from);
  f.base = from;
  list_.push_back({since + 1, f.start, frame, code, owner, nullptr, nullptr, f.depth, fork_kind::child});
  floor_ = list_.size();
  renew();
}

void order::end_late(open_fork& f) {
  leavings* left = nullptr;
  leave(f, f.base + 1, left);
  list_.resize(f.base);
  floor_ = std::min(f.outer_floor, f.base);
  for (const interval& i : f.left->survivors) list_.push_back(i);
  destroy(f.left);
  floor_ = f.outer_floor;
  strand_ = f.outer_strand;
  list_.push_back({f.start + 1, last_, f.frame, f.code, f.owner, nullptr, left, f.depth, fork_kind::child});
  if (left != nullptr) {
    irregular_ = true;
    left_by_children_.push_back(left);
  }
  advance();
  renew();
}

// Loops ---------------------------------------------------------------------------------------------------------------

void order::begin_loop(open_fork& f, std::uintptr_t frame, const void* code, fork_kind kind) {
  if (kind == fork_kind::callback) advance();  // so that what the algorithm makes is known
  f.start = now_;
  f.base = list_.size();
  f.outer_floor = floor_;
  f.outer_strand = strand_;
  f.undo = undo_.size();
  f.left = nullptr;
  f.frame = frame;
  f.code = code;
  f.owner = 0;
  f.kind = kind;
  f.any = false;
  f.high = last_;
  ++open_loops_;
}

void order::begin_iteration(open_fork&) {
  floor_ = list_.size();
  strand_ = advance();
}

void order::end_iteration(open_fork& f) {
  leave(f, f.base + (f.any ? 1 : 0), f.left);
  if (f.any) {
    list_[f.base].hi = last_;
  } else {
    f.any = true;
    list_.push_back({f.start + 1, last_, f.frame, f.code, 0, nullptr, nullptr, f.depth, f.kind});
  }
  renew();
}

void order::end_loop(open_fork& f) {
  --open_loops_;
  floor_ = f.outer_floor;
  strand_ = f.outer_strand;
  if (f.kind != fork_kind::callback && f.any) list_.pop_back();
  if (f.kind == fork_kind::callback && f.any) run_at(last_);
  if (f.left != nullptr) {
    take_over(*f.left, nullptr);
    destroy(f.left);
    irregular_ = true;
  }
  renew();
}

void order::begin_callback(open_fork& f) {
  if (f.any) list_.push_back({f.start + 1, f.high, f.frame, f.code, 0, nullptr, nullptr, f.depth, f.kind});
  floor_ = list_.size();
  strand_ = advance();
  renew();
}

void order::end_callback(open_fork& f) {
  leave(f, f.base + (f.any ? 1 : 0), f.left);
  if (f.any) list_.pop_back();
  f.any = true;
  f.high = last_;
  run_at(f.start);
  floor_ = f.outer_floor;
  strand_ = f.outer_strand;
  renew();
}

// Other edges ---------------------------------------------------------------------------------------------------------

point* order::here() {
  point* const p = make<point>();
  p->at = now_;
  p->parallel = list_;
  return p;
}

void order::after(const point& p) { after(p, 0, p.at); }

void order::after(const point& p, instant first, instant last) {
  last = std::min(last, p.at);
  irregular_ = true;
  std::size_t with = 0;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const interval here = list_[i];
    if (here.empty() || here.hi < first || here.lo > last) continue;
    pieces mine, left;
    add_pieces(mine, here, here.lo, here.hi);
    for (const auto& [lo, hi] : mine) {
      if (lo < first) left.push_back({lo, std::min(hi, first - 1)});
      const instant a = std::max(lo, first), b = std::min(hi, last);
      if (a <= b) {
        while (with < p.parallel.size() && p.parallel[with].hi < a && p.parallel[with].hi < here.lo) ++with;
        for (std::size_t k = with; k < p.parallel.size() && p.parallel[k].lo <= b; ++k)
          if (!p.parallel[k].empty() && p.parallel[k].hi >= a) add_pieces(left, p.parallel[k], a, b);
      }
      if (hi > last) left.push_back({std::max(lo, last + 1), hi});
    }
    if (left == mine) continue;
    // Whole again where two pieces touch.
    pieces whole;
    for (const auto& piece : left) {
      if (!whole.empty() && whole.back().second + 1 == piece.first)
        whole.back().second = piece.second;
      else
        whole.push_back(piece);
    }
    if (whole == mine) continue;
    change(i, with_pieces(here, whole));
  }
  while (list_.size() > floor_ && list_.back().empty()) list_.pop_back();
  drop_empty();
  renew();
}

void order::forget_futures() {
  for (std::size_t i = 0; i < list_.size(); ++i)
    if (list_[i].kind == fork_kind::future && !list_[i].empty()) {
      interval none = list_[i];
      none.hi = none.lo - 1;
      change(i, none);
    }
  drop_empty();
  renew();
}

// Asked futures, as far as no open fork counts on their places: else the list would grow for ever.
void order::drop_empty() {
  const std::size_t before = list_.size();
  const auto own = list_.begin() + static_cast<std::ptrdiff_t>(floor_);
  list_.erase(std::remove_if(own, list_.end(), [](const interval& i) { return i.kind == fork_kind::future && i.empty(); }),
              list_.end());
  if (list_.size() != before) renew();
}

open_view order::begin_view() noexcept {
  const open_view v{undo_.size(), floor_};
  floor_ = list_.size();
  return v;
}

void order::end_view(const open_view& v) noexcept {
  while (undo_.size() > v.undo) {
    const undone& u = undo_.back();
    if (u.at < list_.size()) list_[u.at] = u.before;
    undo_.pop_back();
  }
  floor_ = v.outer_floor;
  renew();
}

}  // namespace heist::race

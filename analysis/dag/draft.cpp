#include <analysis/dag/draft.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace heist::analysis {
namespace {

bool reserved(std::string_view name) {
  return name == "dag" || name == "thread" || name == "frame" || name == "spawn" || name == "join" || name == "program";
}

// Well-formed, and nothing that has a shorter form; JSON could not carry it otherwise.
bool utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t more = first < 0x80                    ? 0
                             : first >= 0xc2 && first < 0xe0 ? 1
                             : first >= 0xe0 && first < 0xf0 ? 2
                                                             : 3;
    if (first >= 0x80 && (first < 0xc2 || first > 0xf4)) return false;
    if (more > text.size() - i - 1) return false;
    for (std::size_t k = 1; k <= more; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    if (more > 1) {
      const auto second = static_cast<unsigned char>(text[i + 1]);
      if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0)) return false;  // surrogates
      if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) return false;
    }
    i += more + 1;
  }
  return true;
}

}  // namespace

bool name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '\'' || static_cast<unsigned char>(c) >= 0x80;
}

bool good_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), name_byte) && utf8(name);
}

void draft::fail(place where, std::string_view what) const {
  throw bad_input(fmt::format("{}:{}: {}", source_, to_string(where), what));
}

void draft::thread(std::string_view name, std::uint64_t frame, place where) {
  if (!dag_.threads.empty() && dag_.threads.back().count == 0) {
    fail(thread_places_.back(), fmt::format("thread {} has no instruction", dag_.threads.back().name));
  }
  if (!good_name(name) || reserved(name))
    fail(where,
         "a thread's name must be at most 64 bytes of letters, digits, _ . and ', and not a word of the format");
  if (frame > std::numeric_limits<std::uint32_t>::max()) fail(where, "a frame's size must be below 2^32");
  const auto t = static_cast<id>(dag_.threads.size());
  if (!threads_.emplace(name, t).second) fail(where, fmt::format("there are two threads named {}", name));
  dag_.threads.push_back({std::string(name), dag_.instructions(), 0, static_cast<std::uint32_t>(frame), none});
  thread_places_.push_back(where);
}

void draft::instruction(std::string_view name, std::uint64_t duration, place where) {
  if (!good_name(name) || reserved(name))
    fail(where,
         "an instruction's name must be at most 64 bytes of letters, digits, _ . and ', and not a word of the format");
  if (duration < 1 || duration > std::numeric_limits<std::uint32_t>::max()) {
    fail(where, fmt::format("the duration of {} is not in 1 … 2^32 - 1", name));
  }
  const auto [known, added] = instructions_.emplace(name, dag_.instructions());
  if (!added) {
    fail(where,
         fmt::format("instruction {} is already in thread {}", name, dag_.threads[dag_.thread_of[known->second]].name));
  }
  dag_.thread_of.push_back(static_cast<id>(dag_.threads.size() - 1));
  dag_.durations.push_back(static_cast<std::uint32_t>(duration));
  dag_.spawns.push_back(none);
  dag_.labels.emplace_back(name);
  ++dag_.threads.back().count;
}

void draft::spawn(std::string_view from, std::string_view to, place where) {
  spawns_.push_back({std::string(from), std::string(to), where});
}

void draft::join(std::string_view from, std::string_view to, place where) {
  joins_.push_back({std::string(from), std::string(to), where});
}

id draft::find(std::string_view name, place where, const char* what) const {
  if (!good_name(name)) fail(where, fmt::format("{} something that is not a name", what));
  const auto known = instructions_.find(std::string(name));
  if (known == instructions_.end()) fail(where, fmt::format("{} {}, which is in no thread", what, name));
  return known->second;
}

void draft::resolve_spawns() {
  for (const auto& s : spawns_) {
    const id from = find(s.from, s.where, "spawn from");
    const id to = find(s.to, s.where, "spawn of");
    auto& child = dag_.threads[dag_.thread_of[to]];
    if (to != child.first) {
      fail(s.where, fmt::format("spawn of {}, which is not the first instruction of thread {}", s.to, child.name));
    }
    if (child.spawner != none) {
      fail(s.where,
           fmt::format("thread {} has two parents: {} spawned it, too", child.name, dag_.label(child.spawner)));
    }
    if (dag_.spawns[from] != none) fail(s.where, fmt::format("{} spawns two threads", s.from));
    child.spawner = from;
    dag_.spawns[from] = dag_.thread_of[to];
  }
}

void draft::check_threads() {
  id roots = 0;
  for (id t = 0; t < dag_.threads.size(); ++t) {
    const auto& thread = dag_.threads[t];
    if (thread.count == 0) fail(thread_places_[t], fmt::format("thread {} has no instruction", thread.name));
    if (thread.spawner != none) continue;
    if (++roots > 1) {
      fail(thread_places_[t], fmt::format("no thread spawns {}, and {} is already the root", thread.name,
                                          dag_.threads[dag_.root].name));
    }
    dag_.root = t;
  }
  if (roots == 0) fail(thread_places_[0], "no root: every thread is spawned by another");
}

void draft::check_joins() {
  for (const auto& j : joins_) {
    const id from = find(j.from, j.where, "join from");
    const id to = find(j.to, j.where, "join into");
    if (dag_.thread_of[from] == dag_.thread_of[to]) {
      fail(j.where,
           fmt::format("join {} -> {} stays inside thread {}", j.from, j.to, dag_.threads[dag_.thread_of[from]].name));
    }
    dag_.joins.push_back({from, to});
  }
  dag_.sort_joins();
  std::vector<std::pair<id, id>> seen;
  seen.reserve(dag_.joins.size());
  for (const edge& j : dag_.joins) seen.emplace_back(j.from, j.to);
  std::sort(seen.begin(), seen.end());
  const auto twice = std::adjacent_find(seen.begin(), seen.end());
  if (twice == seen.end()) return;
  const auto again = std::find_if(joins_.rbegin(), joins_.rend(), [&](const named_edge& j) {
    return j.from == dag_.labels[twice->first] && j.to == dag_.labels[twice->second];
  });
  fail(again->where, fmt::format("join {} -> {} appears twice", again->from, again->to));
}

// Names a cycle: from any instruction that is left, going back to one that it waits for, some instruction comes twice.
void draft::check_acyclic() {
  const std::vector<id> order = topological_order(dag_);
  if (order.size() == dag_.instructions()) return;
  std::vector<id> before(dag_.instructions(), none);
  std::vector<bool> done(dag_.instructions(), false);
  for (id i : order) done[i] = true;
  for (id i = 0; i < dag_.instructions(); ++i)
    if (!done[i]) dag_.for_successors(i, [&](id j) { before[j] = i; });
  id at = 0;
  while (done[at]) ++at;
  std::vector<bool> seen(dag_.instructions(), false);
  for (; !seen[at]; at = before[at]) seen[at] = true;
  std::string path = dag_.label(at);
  id shown = 0;
  for (id i = before[at]; i != at; i = before[i]) {
    if (++shown <= 6) path = dag_.label(i) + " -> " + path;
  }
  if (shown > 6) path = "… -> " + path;
  const id thread = dag_.thread_of[at];
  // The place of a join on the cycle says most: without one there would be no cycle, or only threads spawning each
  // other.
  place where = thread_places_[thread];
  for (const auto& j : joins_) {
    const id from = instructions_.at(j.from), to = instructions_.at(j.to);
    if (seen[to] && !done[from] && before[to] == from) {
      where = j.where;
      break;
    }
  }
  fail(where, fmt::format("a cycle: {} -> {}", dag_.label(at), path));
}

dag draft::finish() {
  if (dag_.threads.empty()) fail({nullptr, 1, 1}, "no thread");
  resolve_spawns();
  check_threads();
  check_joins();
  check_acyclic();
  return std::move(dag_);
}

}  // namespace heist::analysis

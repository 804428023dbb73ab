#include <analysis/proof/delay.hpp>

#include <analysis/proof/augmented.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace heist::analysis {
namespace {

// Of an instruction: the predecessor in G′, direct or not, that was executed last, and the direct one before it on a
// path from there.
struct latest {
  id instruction = none, before = none;
};

std::vector<latest> latest_predecessors(const dag& d, const critical_watch& seen) {
  std::vector<latest> found(d.instructions());
  const auto time = [&](id i) { return i == none ? 0 : seen.when(i).until; };
  for (const id i : augmented_order(d)) {
    const id further = found[i].instruction, candidate = time(further) > time(i) ? further : i;
    for_augmented_successors(d, i, [&](id j) {
      if (time(candidate) > time(found[j].instruction)) found[j] = {candidate, i};
    });
  }
  return found;
}

std::vector<id> path_back(const dag& d, const critical_watch& seen) {
  const std::vector<latest> before = latest_predecessors(d, seen);
  std::vector<id> path{d.last(d.root)};
  id stop = path.back();
  while (before[stop].instruction != none) {
    const id to = before[stop].instruction;
    // Along the way that was noted at each instruction: the latest predecessor is the same until it is reached.
    for (id i = stop; i != to;) path.push_back(i = before[i].before);
    stop = to;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

delay_sequence find_delay_sequence(const dag& d, const critical_watch& seen, std::uint32_t processors) {
  delay_sequence s;
  s.rounds = seen.attempts().size() / (4 * std::uint64_t{processors});
  for (const id i : path_back(d, seen)) s.path.push_back({i});
  std::uint64_t next = 0;
  for (auto& part : s.path) {
    const critical_time& when = seen.when(part.instruction);
    if (!when.ever()) continue;
    for (; next < s.rounds && seen.rounds()[next].first <= when.until; ++next)
      ++(when.throughout(seen.rounds()[next]) ? part.rounds : part.between);
  }
  return s;
}

std::vector<std::string> check_delay_sequence(const delay_sequence& s, const dag& d, const critical_watch& seen) {
  std::vector<std::string> wrong;
  if (s.path.empty()) return {"U is empty"};
  // U is a maximal path of G′.
  std::vector<bool> entered(d.instructions(), false);
  for (id i = 0; i < d.instructions(); ++i) for_augmented_successors(d, i, [&](id j) { entered[j] = true; });
  if (entered[s.path.front().instruction]) wrong.push_back("an edge of G' goes into the first instruction of U");
  for (std::size_t k = 0; k < s.path.size(); ++k) {
    const id i = s.path[k].instruction;
    bool joined = false, leaves = false;
    for_augmented_successors(d, i, [&](id j) {
      leaves = true;
      joined = joined || (k + 1 < s.path.size() && j == s.path[k + 1].instruction);
    });
    if (k + 1 == s.path.size() && leaves)
      wrong.push_back(fmt::format("an edge of G' leaves {}, the last instruction of U", d.label(i)));
    if (k + 1 < s.path.size() && !joined)
      wrong.push_back(
          fmt::format("U goes from {} to {}, and G' does not", d.label(i), d.label(s.path[k + 1].instruction)));
  }
  // Π is a partition of R, and the groups that it makes of the first R rounds occur while their instruction is
  // critical.
  std::uint64_t at = 0, whole = 0;
  for (const auto& part : s.path) {
    if (part.between > 1)
      wrong.push_back(fmt::format("{} rounds fall after the group of {}", part.between, d.label(part.instruction)));
    for (std::uint64_t r = at; r < at + part.rounds; ++r)
      if (r >= seen.rounds().size() || !seen.when(part.instruction).throughout(seen.rounds()[r]))
        wrong.push_back(fmt::format("{} is not critical throughout round {}", d.label(part.instruction), r + 1));
    at += part.rounds + part.between;
    whole += part.rounds;
  }
  if (at != s.rounds) wrong.push_back(fmt::format("the parts of R = {} add up to {}", s.rounds, at));
  if (whole + s.path.size() < s.rounds) wrong.push_back("fewer than R - L rounds are in groups");
  return wrong;
}

std::vector<group_of_rounds> groups(const delay_sequence& s, const critical_watch& seen) {
  std::vector<group_of_rounds> all;
  std::uint64_t at = 0;
  for (const auto& part : s.path) {
    if (part.rounds > 0) {
      group_of_rounds g{part.instruction, part.rounds, 0};
      const std::size_t begin = seen.rounds()[at].begin, end = seen.rounds()[at + part.rounds - 1].begin;
      for (std::size_t k = begin; k < end; ++k)
        g.hits += seen.attempts()[k].victim == seen.when(part.instruction).holder;
      all.push_back(g);
    }
    at += part.rounds + part.between;
  }
  return all;
}

}  // namespace heist::analysis

#include <analysis/race/findings.hpp>
#include <analysis/race/settings.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <tuple>

namespace heist::race {

namespace {

// The calls from this address outwards, as places of the program's own code.
void add_calls(const symbols& names, const void* code, std::vector<source_place>& to) {
  for (const source_place& p : names.at(code))
    if (!p.is_ours()) to.push_back(p);
}

source_place place_of(const symbols& names, const void* code, const void* const* calls, std::size_t n) {
  const source_place& inner = names.own(code);
  if (inner.known() && !inner.is_ours()) return inner;
  // In a library's function that was not inlined: where that was called.
  for (std::size_t i = 0; i < n; ++i)
    for (const source_place& p : names.at(calls[i]))
      if (p.known() && !p.is_ours()) return p;
  return inner;
}

side side_of(const symbols& names, const one_access& a, const void* const* calls, std::size_t n) {
  side s{a.kind, a.locked, a.code, place_of(names, a.code, calls, n), {}};
  if (n == 0) return s;
  for (const source_place& p : names.at(a.code))
    if (!p.is_ours() && (p.line != s.place.line || p.file != s.place.file)) s.calls.push_back(p);
  for (std::size_t i = 0; i < n; ++i) add_calls(names, calls[i], s.calls);
  return s;
}

std::string how_far_in(std::size_t bytes) {
  if (bytes == 0) return "";
  return ", " + std::to_string(bytes) + (bytes == 1 ? " byte in" : " bytes in");
}

void describe(const symbols& names, const race_record& r, finding& f) {
  using what = owner_of_bytes::what;
  if (r.pair.second.kind == access_kind::view_read) {
    f.what = "a view of a reducer";
    return;
  }
  char text[128];
  switch (r.owner.kind) {
    case what::heap: {
      std::snprintf(text, sizeof text, "a heap block of %zu byte%s", r.owner.size, r.owner.size == 1 ? "" : "s");
      f.what = text + how_far_in(r.address - r.owner.start);
      for (const void* const code : r.owner.where) {
        if (code != nullptr) add_calls(names, code, f.allocated);
        if (!f.allocated.empty()) break;
      }
      if (f.allocated.empty() && r.owner.where[0] != nullptr) f.allocated.push_back(names.own(r.owner.where[0]));
      return;
    }
    case what::stack: {
      f.what = "the stack";
      if (r.owner.where[0] != nullptr) {
        const source_place& p = names.at(r.owner.where[0]).back();
        f.variable = p.function;
        f.what = "the stack frame of " + (p.function.empty() ? p.file : p.function);
      }
      return;
    }
    default: {
      std::size_t offset = 0;
      f.variable = symbols::variable(r.address, offset);
      if (f.variable.empty()) {
        f.what = "memory of unknown origin";
        return;
      }
      f.what = "global variable " + f.variable + how_far_in(offset);
    }
  }
}

int writes_of(const finding& f) { return (f.first.kind != access_kind::read) + (f.second.kind != access_kind::read); }

// Whether the name, or what follows one of its separators, is as the pattern says: all of it.
bool fits(const std::string& pattern, const std::string& name, const char* separator) {
  const std::size_t width = std::char_traits<char>::length(separator);
  for (std::size_t from = 0; from < name.size();) {
    if (::fnmatch(pattern.c_str(), name.c_str() + from, 0) == 0) return true;
    const std::size_t at = name.find(separator, from);
    if (at == std::string::npos) return false;
    from = at + width;
  }
  return false;
}
// Without the arguments: of space::f(int) it is space::f.
std::string without_arguments(const std::string& function) {
  if (function.empty() || function.back() != ')') return function;
  std::size_t i = function.size();
  for (int depth = 0; i > 0;) {
    const char c = function[--i];
    depth += (c == ')') - (c == '(');
    if (depth == 0) break;
  }
  return i > 0 ? function.substr(0, i) : function;
}

class suppressions {
 public:
  explicit suppressions(const char* path) {
    if (*path == 0) return;
    std::ifstream in(path);
    if (!in) {
      std::fprintf(stderr, "heist race: cannot read %s: nothing is suppressed\n", path);
      return;
    }
    for (std::string line; std::getline(in, line);) {
      const std::size_t first = line.find_first_not_of(" \t");
      if (first == std::string::npos || line[first] == '#') continue;
      line = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
      const std::size_t colon = line.find(':');
      std::string kind = colon == std::string::npos ? "" : line.substr(0, colon);
      if (kind != "file" && kind != "function" && kind != "variable")
        kind.clear();
      else
        line = line.substr(colon + 1);
      all_.push_back({kind, line});
    }
  }

  bool match(const finding& f) const {
    for (const auto& [kind, pattern] : all_) {
      if ((kind.empty() || kind == "variable") && fits(pattern, f.variable, "::")) return true;
      for (const side* const s : {&f.first, &f.second}) {
        if ((kind.empty() || kind == "file") && fits(pattern, s->place.file, "/")) return true;
        if (!kind.empty() && kind != "function") continue;
        if (fits(pattern, s->place.function, "::") || fits(pattern, without_arguments(s->place.function), "::")) return true;
      }
    }
    return false;
  }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

}  // namespace

findings make_findings(const found& races) {
  symbols names;
  for (const race_record* const r : races.all()) {
    names.want(r->pair.first.code);
    names.want(r->pair.second.code);
    names.want(r->pair.fork);
    for (std::size_t i = 0; i < r->n_calls; ++i) names.want(r->calls[i]);
    for (std::size_t i = 0; i < r->n_first_calls; ++i) names.want(r->first_calls[i]);
    for (std::size_t i = 0; i < r->n_fork_calls; ++i) names.want(r->fork_calls[i]);
    for (const void* const code : r->owner.where) names.want(code);
  }
  names.find_all();
  const suppressions hidden(the_settings.suppress.c_str());
  findings all;
  all.tool_is_missing = names.tool_is_missing();
  using key = std::tuple<std::string, unsigned, std::string, unsigned, std::string, std::string, unsigned>;
  std::map<key, std::size_t> known;
  for (race_record* const r : races.all()) {
    found::tidy(*r);
    finding f;
    f.first = side_of(names, r->pair.first, r->first_calls, r->n_first_calls);
    f.second = side_of(names, r->pair.second, r->calls, r->n_calls);
    f.has_fork = r->pair.fork != nullptr;
    f.how = r->pair.how;
    if (f.has_fork) f.fork = place_of(names, r->pair.fork, r->fork_calls, r->n_fork_calls);
    f.address = r->address;
    f.times = r->times;
    f.ranges.assign(r->ranges.begin(), r->ranges.end());
    for (const auto& [first, last] : f.ranges) f.bytes += last - first;
    describe(names, *r, f);
    const key k{f.first.place.file,  f.first.place.line,  f.second.place.file, f.second.place.line,
                f.variable.empty() ? f.what.substr(0, f.what.find(',')) : f.variable,
                f.fork.file, f.fork.line};
    const auto [at, fresh] = known.emplace(k, all.races.size());
    if (!fresh && f.first.place.known()) {
      if (at->second == ~std::size_t{0}) continue;
      finding& same = all.races[at->second];
      // x += 1 reads and writes: of the pairs that there were, the one with more writes says more.
      if (writes_of(f) > writes_of(same)) {
        same.first.kind = f.first.kind;
        same.second.kind = f.second.kind;
      }
      same.times += f.times;
      same.ranges.insert(same.ranges.end(), f.ranges.begin(), f.ranges.end());
      std::sort(same.ranges.begin(), same.ranges.end());
      std::vector<std::pair<std::uintptr_t, std::uintptr_t>> whole;
      for (const auto& next : same.ranges) {
        if (!whole.empty() && next.first <= whole.back().second)
          whole.back().second = std::max(whole.back().second, next.second);
        else
          whole.push_back(next);
      }
      same.ranges = std::move(whole);
      same.bytes = 0;
      for (const auto& [first, last] : same.ranges) same.bytes += last - first;
      continue;
    }
    if (hidden.match(f)) {
      ++all.suppressed;
      at->second = ~std::size_t{0};
      continue;
    }
    all.races.push_back(std::move(f));
  }
  return all;
}

}  // namespace heist::race

#include <analysis/dag/stored.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/io.hpp>
#include <analysis/dag/program.hpp>
#include <analysis/dag/random_dag.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/dag/spec.hpp>

#include <fmt/format.h>

namespace heist::analysis {

stored_computation::stored_computation(dag d, stretches s)
    : dag_(std::move(d)), stretches_(s), waits_(dag_.instructions(), false) {
  for (const edge& j : dag_.joins) waits_[j.to] = true;
}

stretch stored_computation::next(seed& s) const {
  stretch r;
  r.length = 0;
  for (auto i = static_cast<id>(s.a);; ++i) {
    r.length += dag_.durations[i];
    r.ends = dag_.ends_thread(i);
    r.joins = !dag_.joins_from(i).empty();
    r.waits = !r.ends && waits_[i + 1];
    if (const id child = dag_.spawns[i]; child != none) {
      r.spawns = true;
      r.frame = dag_.threads[child].frame;
      r.child = {dag_.threads[child].first, 0, 0};
    }
    if (r.ends || r.joins || r.waits || r.spawns || stretches_ == stretches::single_instructions) {
      s.a = i + 1;
      return r;
    }
  }
}

namespace {

// "any:7,size=2000": a random dag that need not be strict.
dag any_dag(const std::string& text) {
  spec s(text, text.find(':') + 1, "seed");
  const std::uint64_t seed = s.number("seed", 1, 0, ~std::uint64_t{0}), size = s.number("size", 5000, 2, 1u << 20);
  s.finish();
  return random_dag(seed, static_cast<id>(size), random_kind::any);
}

}  // namespace

std::unique_ptr<computation> open_computation(const std::string& spec) {
  if (auto shape = make_shape(spec)) return shape;
  if (spec.starts_with("any:")) return std::make_unique<stored_computation>(any_dag(spec));
  return std::make_unique<stored_computation>(read_file(spec));
}

dag expand(const computation& c) {
  if (c.stored() != nullptr) return *c.stored();
  constexpr std::size_t most = std::size_t{1} << 22;
  program p(c.root_frame());
  struct open_thread {
    seed next;
    bool ended;
  };
  std::vector<open_thread> open{{c.root(), false}};
  bool waits = false;
  // Depth first, as one processor would run it.
  while (!open.empty()) {
    if (open.back().ended) {
      open.pop_back();
      if (!open.empty()) p.end();
      continue;
    }
    const stretch s = c.next(open.back().next);
    // sync() makes the instruction that waits; here it is one of its own if it spawns, too.
    std::uint64_t plain = s.length - (s.spawns ? 1 : 0);
    if (waits) {
      p.sync();
      if (plain > 0) --plain;
    }
    if (plain > 0xffffffffu || p.instructions() > most) {
      throw bad_input(fmt::format("the shape has more than {} instructions: too large to be stored", most));
    }
    p.work(static_cast<std::uint32_t>(plain));
    waits = s.waits;
    open.back().ended = s.ends;
    if (s.spawns) {
      p.spawn(s.frame);
      open.push_back({s.child, false});
      waits = false;
    }
  }
  return p.finish();
}

}  // namespace heist::analysis

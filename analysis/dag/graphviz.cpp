#include <analysis/dag/io.hpp>

#include <analysis/dag/measure.hpp>

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>

namespace heist::analysis {

namespace {

std::string lasting(std::uint32_t duration, double ns_per_instruction) {
  if (ns_per_instruction == 0) return duration == 1 ? "" : fmt::format("\\n×{}", duration);
  const double ns = duration * ns_per_instruction;
  if (ns < 1e3) return fmt::format("\\n{:.0f} ns", ns);
  return ns < 1e6 ? fmt::format("\\n{:.3g} µs", ns / 1e3) : fmt::format("\\n{:.3g} ms", ns / 1e6);
}

}  // namespace

std::string to_graphviz(const dag& d, const drawing& how) {
  std::unordered_map<id, id> on_path;  // and what follows it there
  if (how.critical_path) {
    const std::vector<id> path = longest_path(d);
    for (std::size_t k = 0; k < path.size(); ++k) on_path[path[k]] = k + 1 < path.size() ? path[k + 1] : none;
  }
  const auto marked = [&](id from, id to) {
    const auto found = on_path.find(from);
    return found != on_path.end() && found->second == to ? ", color=\"#d9480f\", penwidth=3" : "";
  };
  fmt::memory_buffer out;
  auto to = std::back_inserter(out);
  fmt::format_to(to,
                 "digraph \"{}\" {{\n  rankdir=LR; newrank=true; compound=true;\n"
                 "  node [shape=circle, width={}, fixedsize=true, fontsize=10, fontname=\"sans-serif\"];\n"
                 "  edge [arrowsize=0.6];\n",
                 d.name, how.ns_per_instruction == 0 ? "0.45" : "0.75");
  for (const id t : spawn_order(d)) {
    fmt::format_to(to, "  subgraph cluster_{} {{\n    label=\"{}", t, d.threads[t].name);
    if (d.threads[t].frame != 1) fmt::format_to(to, " (frame {})", d.threads[t].frame);
    fmt::format_to(to, "\"; style=\"rounded,filled\"; color=gray60; fillcolor=gray95;\n   ");
    for (id i = d.threads[t].first; i < d.end(t); ++i) {
      fmt::format_to(to, " i{} [label=\"{}{}\"{}];", i, d.label(i), lasting(d.durations[i], how.ns_per_instruction),
                     on_path.contains(i) ? ", style=filled, fillcolor=\"#ffd8a8\"" : "");
    }
    fmt::format_to(to, "\n  }}\n");
  }
  for (id i = 0; i < d.instructions(); ++i) {
    if (!d.ends_thread(i)) fmt::format_to(to, "  i{} -> i{} [weight=20{}];\n", i, i + 1, marked(i, i + 1));
    if (const id child = d.spawns[i]; child != none) {
      const id first = d.threads[child].first;
      fmt::format_to(to, "  i{} -> i{} [color=steelblue, penwidth=1.5{}];\n", i, first, marked(i, first));
    }
  }
  for (const edge& j : d.joins)
    fmt::format_to(to, "  i{} -> i{} [color=firebrick, style=dashed{}];\n", j.from, j.to, marked(j.from, j.to));
  fmt::format_to(to, "}}\n");
  return fmt::to_string(out);
}

}  // namespace heist::analysis

#include <analysis/dag/io.hpp>

#include <fmt/format.h>

#include <iterator>

namespace heist::analysis {

std::string to_graphviz(const dag& d) {
  fmt::memory_buffer out;
  auto to = std::back_inserter(out);
  fmt::format_to(to,
                 "digraph \"{}\" {{\n  rankdir=LR; newrank=true; compound=true;\n"
                 "  node [shape=circle, width=0.45, fixedsize=true, fontsize=10, fontname=\"sans-serif\"];\n"
                 "  edge [arrowsize=0.6];\n",
                 d.name);
  for (const id t : spawn_order(d)) {
    fmt::format_to(to, "  subgraph cluster_{} {{\n    label=\"{}", t, d.threads[t].name);
    if (d.threads[t].frame != 1) fmt::format_to(to, " (frame {})", d.threads[t].frame);
    fmt::format_to(to, "\"; style=\"rounded,filled\"; color=gray60; fillcolor=gray95;\n   ");
    for (id i = d.threads[t].first; i < d.end(t); ++i) {
      fmt::format_to(to, " i{} [label=\"{}{}\"];", i, d.label(i),
                     d.durations[i] == 1 ? "" : fmt::format("\\n×{}", d.durations[i]));
    }
    fmt::format_to(to, "\n  }}\n");
  }
  for (id i = 0; i < d.instructions(); ++i) {
    if (!d.ends_thread(i)) fmt::format_to(to, "  i{} -> i{} [weight=20];\n", i, i + 1);
    if (d.spawns[i] != none)
      fmt::format_to(to, "  i{} -> i{} [color=steelblue, penwidth=1.5];\n", i, d.threads[d.spawns[i]].first);
  }
  for (const edge& j : d.joins) fmt::format_to(to, "  i{} -> i{} [color=firebrick, style=dashed];\n", j.from, j.to);
  fmt::format_to(to, "}}\n");
  return fmt::to_string(out);
}

}  // namespace heist::analysis

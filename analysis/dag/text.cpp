// The text form of a dag: statements `thread NAME [frame N] : instructions`, `spawn A -> B`, `join A -> B`.

#include <analysis/dag/draft.hpp>
#include <analysis/dag/io.hpp>
#include <analysis/dag/scanner.hpp>

#include <fmt/format.h>

#include <iterator>

namespace heist::analysis {
namespace {

bool is_statement(std::string_view word) {
  return word.empty() || word == "dag" || word == "thread" || word == "spawn" || word == "join";
}

void read_thread(scanner& in, draft& d) {
  const auto name = in.take();
  const std::uint64_t frame = in.take_if("frame") ? in.number("a frame's size") : 1;
  d.thread(name.text, frame, name.where);
  in.expect(":", "the thread's name");
  while (!is_statement(in.peek().text)) {
    const auto i = in.take();
    const std::uint64_t duration = in.take_if("*") ? in.number("a duration") : 1;
    d.instruction(i.text, duration, i.where);
  }
}

}  // namespace

dag read_text(std::string_view text, const std::string& source) {
  scanner in(text, source);
  draft d(source);
  while (!in.at_end()) {
    const auto word = in.take();
    if (word.text == "dag") {
      const auto name = in.take();
      if (!good_name(name.text)) in.fail(name.where, "\"dag\" must be followed by a name");
      d.name(std::string(name.text));
    } else if (word.text == "thread") {
      read_thread(in, d);
    } else if (word.text == "spawn" || word.text == "join") {
      const auto from = in.take();
      in.expect("->", word.text);
      const auto to = in.take();
      word.text == "spawn" ? d.spawn(from.text, to.text, word.where) : d.join(from.text, to.text, word.where);
    } else {
      in.fail(word.where,
              fmt::format("a statement must begin with thread, spawn or join, not with {}", quoted(word.text)));
    }
  }
  return d.finish();
}

std::string to_text(const dag& d) {
  fmt::memory_buffer out;
  auto to = std::back_inserter(out);
  if (!d.name.empty()) fmt::format_to(to, "dag {}\n", d.name);
  for (id t = 0; t < d.threads.size(); ++t) {
    fmt::format_to(to, "thread {}", d.threads[t].name);
    if (d.threads[t].frame != 1) fmt::format_to(to, " frame {}", d.threads[t].frame);
    fmt::format_to(to, " :");
    for (id i = d.threads[t].first; i < d.end(t); ++i) {
      fmt::format_to(to, " {}", d.label(i));
      if (d.durations[i] != 1) fmt::format_to(to, "*{}", d.durations[i]);
    }
    fmt::format_to(to, "\n");
  }
  for (id i = 0; i < d.instructions(); ++i)
    if (d.spawns[i] != none) fmt::format_to(to, "spawn {} -> {}\n", d.label(i), d.label(d.threads[d.spawns[i]].first));
  for (const edge& j : d.joins) fmt::format_to(to, "join {} -> {}\n", d.label(j.from), d.label(j.to));
  return fmt::to_string(out);
}

}  // namespace heist::analysis

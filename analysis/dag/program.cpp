#include <analysis/dag/program.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/io.hpp>
#include <analysis/dag/scanner.hpp>

#include <fmt/format.h>

namespace heist::analysis {

void program::add(step s) {
  threads_[now_].steps.push_back(s);
  ++instructions_;
}

void program::work(std::uint32_t n) {
  if (n > 0) add({n, none, false});
}

void program::spawn(std::uint32_t frame) {
  const auto child = static_cast<id>(threads_.size());
  add({1, child, false});
  threads_.push_back({now_, frame, {}});
  now_ = child;
  ++depth_;
}

void program::end() {
  close(threads_[now_]);
  now_ = threads_[now_].parent;
  --depth_;
}

void program::sync() {
  // No join may go into the instruction right after a spawn: its thread would lie in a deque and not be ready.
  if (!threads_[now_].steps.empty() && threads_[now_].steps.back().spawned != none) work(1);
  add({1, none, true});
}

void program::close(thread& t) {
  bool open = false;
  for (const step& s : t.steps) open = s.waits ? false : open || s.spawned != none;
  if (open) {
    sync();
  } else if (t.steps.empty()) {
    work(1);
  }
}

dag program::finish() {
  while (now_ != 0) end();
  close(threads_[0]);
  dag d;
  d.threads.reserve(threads_.size());
  d.thread_of.reserve(instructions_);
  for (id t = 0; t < threads_.size(); ++t) {
    d.threads.push_back(
        {fmt::format("t{}", t), d.instructions(), static_cast<id>(threads_[t].steps.size()), threads_[t].frame, none});
    for (const step& s : threads_[t].steps) {
      d.thread_of.push_back(t);
      d.durations.push_back(s.duration);
      d.spawns.push_back(s.spawned);
    }
  }
  for (id t = 0; t < threads_.size(); ++t) {
    std::vector<id> open;
    for (id i = 0; i < d.threads[t].count; ++i) {
      const step& s = threads_[t].steps[i];
      const id here = d.threads[t].first + i;
      if (s.spawned != none) {
        d.threads[s.spawned].spawner = here;
        open.push_back(s.spawned);
      }
      if (!s.waits) continue;
      for (const id child : open) d.joins.push_back({d.last(child), here});
      open.clear();
    }
  }
  d.sort_joins();
  return d;
}

namespace {

constexpr std::size_t most_instructions = std::size_t{1} << 22, most_levels = 100'000;

// A block that is open: a spawned thread, or the body of a loop.
struct block {
  std::uint64_t again;  // how often the loop runs after this time
  bool spawned;
  scanner::position body;
};

class program_reader {
 public:
  program_reader(std::string_view text, const std::string& source) : in_(text, source) {}

  dag read() {
    in_.expect("program", "nothing");
    const std::uint32_t frame = in_.take_if("frame") ? narrow("a frame's size") : 1;
    program p(frame);
    while (!in_.at_end() || !open_.empty()) {
      statement(p);
      if (p.instructions() > most_instructions || ++statements_ > 2 * most_instructions) {
        in_.fail(in_.peek().where,
                 fmt::format("more than {} instructions; an implicit shape is not stored and may be larger",
                             most_instructions));
      }
    }
    return p.finish();
  }

 private:
  std::uint32_t narrow(std::string_view what) {
    const place where = in_.peek().where;
    const std::uint64_t n = in_.number(what);
    if (n > 0xffffffffu) in_.fail(where, fmt::format("{} must be below 2^32", what));
    return static_cast<std::uint32_t>(n);
  }

  void open(place where, std::uint64_t again, bool spawned) {
    in_.expect("{", spawned ? "spawn" : "repeat");
    if (open_.size() == most_levels) in_.fail(where, fmt::format("nested deeper than {} levels", most_levels));
    open_.push_back({again, spawned, in_.here()});
  }

  void statement(program& p) {
    const auto word = in_.take();
    if (word.text == "work") {
      p.work(narrow("an amount of work"));
    } else if (word.text == "sync") {
      p.sync();
    } else if (word.text == "spawn") {
      const std::uint32_t frame = in_.take_if("frame") ? narrow("a frame's size") : 1;
      open(word.where, 0, true);
      p.spawn(frame);
    } else if (word.text == "repeat") {
      const std::uint32_t times = narrow("how often to repeat");
      if (times == 0) in_.fail(word.where, "a loop must run at least once");
      open(word.where, times - 1, false);
    } else if (word.text == "}" && !open_.empty()) {
      if (open_.back().again > 0) {
        --open_.back().again;
        in_.go_back(open_.back().body);
        return;
      }
      if (open_.back().spawned) p.end();
      open_.pop_back();
    } else {
      in_.fail(word.where, fmt::format("expected work, spawn, sync{}, found {}",
                                       open_.empty() ? " or repeat" : ", repeat or }", quoted(word.text)));
    }
  }

  scanner in_;
  std::vector<block> open_;
  std::size_t statements_ = 0;
};

}  // namespace

dag read_program(std::string_view text, const std::string& source) { return program_reader(text, source).read(); }

}  // namespace heist::analysis

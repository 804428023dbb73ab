#include <analysis/cache/traced.hpp>

#include <analysis/dag/error.hpp>

#include <algorithm>

namespace heist::analysis {

traced_program::traced_program(trace t)
    : trace_(std::move(t)), code_(std::move(trace_.structure), stretches::single_instructions) {}

std::uint64_t traced_program::part(const seed& s) const {
  const dag& d = *code_.stored();
  const id t = d.thread_of[s.a];
  return d.threads[t].first == s.a ? trace_.part_of[t] : trace_.parts;
}

tracer::tracer() : threads_(1), stack_{0} {}

void tracer::touch(std::uint64_t word) {
  if (words_.size() >= (1u << 26)) throw bad_input("a trace may have at most 2^26 touches");
  auto& code = now().code;
  if (!code.empty() && code.back().touches && code.back().spawns == none) {
    ++code.back().duration;
  } else {
    instruction i;
    i.touches = true;
    i.first = static_cast<std::uint32_t>(words_.size());
    code.push_back(std::move(i));
  }
  words_.push_back(static_cast<std::uint32_t>(word));
}

void tracer::begin_child(std::uint64_t part) {
  const auto child = static_cast<id>(threads_.size());
  instruction i;
  i.spawns = child;
  now().code.push_back(std::move(i));
  now().open.push_back(child);
  threads_.emplace_back().part = part;
  if (part != no_part) parts_ = std::max(parts_, part + 1);
  stack_.push_back(child);
}

void tracer::end_child() {
  sync();
  if (now().code.empty()) now().code.emplace_back();
  stack_.pop_back();
}

void tracer::sync() {
  thread& t = now();
  if (t.open.empty()) return;
  if (t.code.back().spawns != none) t.code.emplace_back();  // what follows a spawn does not wait
  t.code.emplace_back().awaits.swap(t.open);
}

void tracer::loop(std::uint64_t first, std::uint64_t last, std::uint64_t grain,
                  const std::function<void(std::uint64_t, std::uint64_t)>& body) {
  if (last - first <= grain) return body(first, last);
  const std::uint64_t middle = first + (last - first) / 2;
  fork([&] { loop(first, middle, grain, body); }, [&] { loop(middle, last, grain, body); });
}

std::unique_ptr<traced_program> tracer::finish() {
  sync();
  if (now().code.empty()) now().code.emplace_back();
  traced_program::trace t;
  t.parts = parts_;
  t.words = std::move(words_);
  for (const std::uint32_t w : t.words) t.memory = std::max(t.memory, w + 1);
  dag& d = t.structure;
  for (const thread& from : threads_) {
    const auto first = d.instructions();
    std::string name("t");
    name += std::to_string(d.threads.size());
    d.threads.push_back({std::move(name), first, static_cast<id>(from.code.size()), 1, none});
    t.part_of.push_back(std::min(from.part, parts_));
    for (const instruction& i : from.code) {
      d.thread_of.push_back(static_cast<id>(d.threads.size() - 1));
      d.durations.push_back(i.duration);
      d.spawns.push_back(i.spawns);
      t.first.push_back(i.first);
      t.touches.push_back(i.touches);
    }
  }
  for (id n = 0; n < threads_.size(); ++n) {
    for (id k = 0; k < threads_[n].code.size(); ++k) {
      const instruction& i = threads_[n].code[k];
      const id at = d.threads[n].first + k;
      if (i.spawns != none) d.threads[i.spawns].spawner = at;
      for (const id child : i.awaits) d.joins.push_back({d.last(child), at});
    }
  }
  d.sort_joins();
  return std::make_unique<traced_program>(std::move(t));
}

}  // namespace heist::analysis

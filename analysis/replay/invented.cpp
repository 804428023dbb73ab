#include <analysis/dag/error.hpp>
#include <analysis/replay/invented.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace heist::analysis {

namespace {

class inventor {
 public:
  inventor(const computation& c, double ns) : of_(c), ns_(ns) {}

  recorded_run invent() {
    threads_.push_back({of_.root()});
    while (!threads_.empty()) go_on();
    run_.span = path_;
    return std::move(run_);
  }

 private:
  using kind = recorded_step::kind;
  static constexpr auto none = std::numeric_limits<std::uint32_t>::max();

  struct thread {
    seed at;
    std::uint32_t spawn = none;  // the step that spawned it
    double from = 0;             // where on the path that was
    std::uint32_t scope = none;  // of the children since the last sync
    double longest = 0;          // path to one of their ends
  };

  std::uint32_t add(recorded_step s) {
    if (run_.steps.size() >= std::size_t{1} << 27)
      throw bad_input("more than 2^27 steps to replay: take a smaller one");
    run_.steps.push_back(s);
    return static_cast<std::uint32_t>(run_.steps.size() - 1);
  }

  void go_on() {
    const stretch s = of_.next(threads_.back().at);
    const double ns = static_cast<double>(s.length) * ns_;
    add({.what = kind::strand, .ns = static_cast<float>(ns)});
    run_.work += ns;
    path_ += ns;
    if (s.spawns) return spawn(s);
    if (s.waits || s.ends) sync(threads_.back());
    if (s.ends) end();
  }

  void spawn(const stretch& s) {
    thread& t = threads_.back();
    if (t.scope == none) t.scope = run_.scopes++;
    ++run_.all_forks;
    threads_.push_back({s.child, add({.what = kind::child, .number = t.scope}), path_});
  }

  void sync(thread& t) {
    if (t.scope == none) return;
    add({.what = kind::sync, .number = std::exchange(t.scope, none)});
    path_ = std::max(path_, std::exchange(t.longest, 0));
  }

  void end() {
    const thread ended = threads_.back();
    threads_.pop_back();
    if (threads_.empty()) return;
    thread& parent = threads_.back();
    run_.steps[ended.spawn].other = add({.what = kind::child_end, .other = ended.spawn, .number = parent.scope});
    parent.longest = std::max(parent.longest, path_);
    path_ = ended.from;
  }

  const computation& of_;
  const double ns_;
  double path_ = 0;
  recorded_run run_;
  std::vector<thread> threads_;  // from the root down to the one that is written
};

}  // namespace

recorded_run invent_run(const computation& c, double ns_per_instruction) {
  if (c.stored() != nullptr) throw bad_input("a stored dag cannot be replayed; name a shape, such as fib:20");
  return inventor(c, ns_per_instruction).invent();
}

}  // namespace heist::analysis

#include <analysis/dag/error.hpp>
#include <analysis/replay/recorded.hpp>
#include <analysis/replay/recorder_cost.hpp>

#include <heist/meter/recording.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace heist::analysis {

namespace {

using kind = recorded_step::kind;

using written = detail::recording::step;

// A child whose spawner is not the strand that waits for it is written where it is waited for, for its clock comes
// there; a future, too. It is a child of the strand that spawned it, though, which goes on when that begins or ends: so
// it is moved there.
void move_to_their_spawns(recorded_run& run, const std::vector<std::uint32_t>& queued) {
  std::vector<bool> begins(run.steps.size()), moves(run.steps.size());
  for (const std::uint32_t q : queued) {
    if (run.steps[q].what != kind::queued) continue;  // nobody waits
    recorded_step& child = run.steps[run.steps[q].other];
    begins[q] = moves[run.steps[q].other] = true;
    child.what = kind::child;
    run.steps[child.other].what = kind::child_end;
  }
  if (std::ranges::find(begins, true) == begins.end()) return;
  struct range {
    std::uint32_t begin, end, next = begin;
  };
  std::vector<range> todo{{0, static_cast<std::uint32_t>(run.steps.size())}};
  std::vector<std::uint32_t> moved(run.steps.size());
  std::vector<recorded_step> steps;
  steps.reserve(run.steps.size());
  while (!todo.empty()) {
    range& r = todo.back();
    if (r.next == r.end) {
      todo.pop_back();
      continue;
    }
    const std::uint32_t i = r.next++;
    const recorded_step& s = run.steps[i];
    if (begins[i]) {
      todo.push_back({s.other, run.steps[s.other].other + 1});
    } else if (moves[i] && i != r.begin) {
      r.next = s.other + 1;
    } else {
      moved[i] = static_cast<std::uint32_t>(steps.size());
      steps.push_back(s);
    }
  }
  for (recorded_step& s : steps)
    if (s.what != kind::strand && s.what != kind::join && s.what != kind::sync) s.other = moved[s.other];
  run.steps = std::move(steps);
}

class reader {
 public:
  reader(std::string_view text, std::string name, const recorder_cost& cost = {})
      : text_(text), name_(std::move(name)), cost_(cost) {}

  recorded_run read() {
    read_header();
    while (at_ < text_.size()) step();
    if (!open_.empty()) fail("it ends inside a branch or a child");
    while (!waiting_.empty()) nobody_waits(waiting_.begin());
    end_path();
    move_to_their_spawns(run_, moves_);
    return std::move(run_);
  }

 private:
  using child_name = std::pair<std::uint64_t, std::uint64_t>;  // scope and number

  // A fork or a child that has not ended, and where on the path it began and led.
  struct bracket {
    std::uint32_t step;
    double from, first = 0;
    std::uint32_t base =
        0;  // 0: only forks are around it; else 1 + the step of the innermost child that is, or it is itself
    std::vector<child_name> queued = {};  // there, since its last sync
  };
  struct scope {
    std::uint32_t number;
    double longest = 0;
  };
  // A child that has not run: where on the path it was spawned, and in which bracket.
  struct queued_child {
    std::uint32_t step, spawner, base;
    double from;
    bool waits = false;  // its spawner, for others, before it runs
  };

  [[noreturn]] void fail(const char* why) const {
    throw bad_input(fmt::format("{}: byte {}: {}; record it again", name_, at_, why));
  }

  void read_header() {
    constexpr std::string_view first = "heist recording 1\n";
    if (!text_.starts_with(first))
      throw bad_input(fmt::format("{}: this is not a recording; make one with heist record", name_));
    const auto end = text_.find('\n', first.size());
    const auto header = nlohmann::json::parse(text_.substr(first.size(), end - first.size()), nullptr, false);
    if (end == text_.npos || !header.is_object() || !header.contains("ns_per_tick") || !header.contains("bytes") ||
        !header["ns_per_tick"].is_number() || !(header["ns_per_tick"].get<double>() > 0) ||
        !header["bytes"].is_number_unsigned())
      throw bad_input(fmt::format("{}: the second line of the recording is damaged; record it again", name_));
    ns_per_tick_ = header["ns_per_tick"];
    at_ = end + 1;
    if (header.contains("plain_ns")) read_plain_times(header["plain_ns"]);
    if (const std::size_t bytes = header["bytes"]; text_.size() - at_ != bytes)
      throw bad_input(fmt::format("{}: it has {} bytes of steps and should have {}; record it again", name_,
                                  text_.size() - at_, bytes));
  }

  void read_plain_times(const nlohmann::json& times) {
    for (const auto& ns : times) {
      if (!ns.is_number() || !(ns.get<double>() > 0))
        throw bad_input(fmt::format("{}: the second line of the recording is damaged; record it again", name_));
      run_.plain.push_back(ns);
    }
  }

  std::uint64_t number() {
    std::uint64_t n = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == text_.size()) fail("a number is cut off");
      const auto byte = static_cast<unsigned char>(text_[at_++]);
      n |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return n;
    }
    fail("a number is too long");
  }

  std::uint32_t add(kind what, std::uint32_t of = 0) {
    if (run_.steps.size() >= std::numeric_limits<std::uint32_t>::max()) fail("too many steps: use a larger grain");
    run_.steps.push_back({.what = what, .number = of});
    return static_cast<std::uint32_t>(run_.steps.size() - 1);
  }

  recorded_step& at(std::uint32_t i) { return run_.steps[i]; }

  bracket& top(std::initializer_list<kind> expected) {
    if (open_.empty() || std::ranges::find(expected, at(open_.back().step).what) == expected.end())
      fail("a step closes something that is not open");
    return open_.back();
  }

  bracket close(std::initializer_list<kind> expected) {
    const bracket b = top(expected);
    open_.pop_back();
    return b;
  }

  std::uint32_t bracket_here() const {
    constexpr auto root = std::numeric_limits<std::uint32_t>::max();
    return open_.empty() ? root : open_.back().step;
  }

  scope& scope_at(std::uint64_t address) {
    const auto [known, fresh] = scopes_.try_emplace(address);
    if (fresh) known->second.number = run_.scopes++;
    return known->second;
  }

  // A future is a scope of its own, named by an odd number (heist/sched/unattached.cpp). Any strand may ask for it, or
  // none.
  static bool of_future(std::uint64_t address) { return address % 2 == 1; }

  std::uint32_t base_here() const { return open_.empty() ? 0 : open_.back().base; }

  using queued_children = std::map<child_name, queued_child>;

  std::vector<child_name>& queued_here() { return open_.empty() ? queued_ : open_.back().queued; }

  // It was a spawn all the same.
  void nobody_waits(queued_children::iterator q) {
    at(q->second.step) = {.what = kind::strand, .number = 1};
    waiting_.erase(q);
  }

  queued_children::iterator queue(std::uint64_t address, std::uint64_t n) {
    if (const auto q = waiting_.find({address, n}); q != waiting_.end()) nobody_waits(q);
    const std::uint32_t i = add(kind::queued, scope_at(address).number);
    ++run_.all_forks;
    queued_here().push_back({address, n});
    return waiting_.try_emplace({address, n}, queued_child{i, bracket_here(), base_here(), path_}).first;
  }

  // A worker whose strand waits goes away, and must leave nothing behind (replayed_machine::suspend). What the strand
  // has queued and not run is therefore not queued: it runs where it is spawned, too.
  void leave_nothing_queued() {
    for (const child_name& c : std::exchange(queued_here(), {}))
      if (const auto q = waiting_.find(c); q != waiting_.end()) q->second.waits = true;
  }

  // Where a child begins that is waited for here: where it was spawned, if that is in the bracket that waits. If not (a
  // branch asks for its parent's future), it begins here; so does the future of a child that may still run (it came by
  // a channel).
  queued_child begin_of(std::uint64_t address, std::uint64_t n) {
    const std::uint32_t here = open_.empty() ? 0 : open_.back().step + 1;
    auto q = waiting_.find({address, n});
    if (q != waiting_.end() && (q->second.step < here || (of_future(address) && q->second.base > here))) {
      at(q->second.step) = {.what = kind::strand};
      --run_.all_forks;
      waiting_.erase(q);
      q = waiting_.end();
    }
    if (q == waiting_.end()) q = queue(address, n);
    const queued_child begin = q->second;
    if (of_future(address) || begin.waits || begin.spawner != bracket_here()) moves_.push_back(begin.step);
    waiting_.erase(q);
    return begin;
  }

  void step() {
    const auto w = static_cast<written>(text_[at_++]);
    switch (w) {
      case written::strand:
        return strand();
      case written::fork: {
        open_.push_back({add(kind::fork, run_.forks++), path_, 0, base_here()});
        ++run_.all_forks;
        return;
      }
      case written::second: {
        bracket& b = top({kind::fork});
        at(b.step).other = add(kind::second, at(b.step).number);
        b.step = at(b.step).other;
        b.first = std::exchange(path_, b.from);
        b.queued.clear();
        return;
      }
      case written::join: {
        const bracket b = close({kind::second});
        at(b.step).other = add(kind::join, at(b.step).number);
        path_ = std::max(path_, b.first);
        return;
      }
      case written::child: {
        const std::uint32_t i = add(kind::child);
        open_.push_back({i, path_, 0, i + 1});
        ++run_.all_forks;
        return;
      }
      case written::child_end:
        return child_end();
      case written::queued: {
        const std::uint64_t address = number(), n = number();
        queue(address, n);
        return;
      }
      case written::later: {
        const std::uint64_t address = number(), n = number();
        const queued_child begin = begin_of(address, n);
        const std::uint32_t i = add(kind::later, scope_at(address).number);
        at(begin.step).other = i;
        open_.push_back({i, begin.from, path_, i + 1});
        path_ = begin.from;
        return;
      }
      case written::sync: {
        const std::uint64_t address = number();
        const scope s = scope_at(address);
        scopes_.erase(address);
        for (auto q = waiting_.lower_bound({address, 0}); q != waiting_.end() && q->first.first == address;
             q = waiting_.lower_bound({address, 0}))
          nobody_waits(q);
        leave_nothing_queued();
        add(kind::sync, s.number);
        path_ = std::max(path_, s.longest);
        return;
      }
    }
    --at_;
    fail("an unknown step");
  }

  void strand() {
    const double measured = static_cast<double>(number()) * ns_per_tick_;
    const std::uint64_t forks = number();
    const double ns = cost_.without(measured, forks);
    recorded_step& s = at(add(kind::strand));
    s.ns = static_cast<float>(ns);
    s.number = static_cast<std::uint32_t>(std::min<std::uint64_t>(forks, std::numeric_limits<std::uint32_t>::max()));
    run_.work += ns;
    run_.all_forks += forks;
    path_ += ns;
  }

  // Of a spawned child, or of one that was queued.
  void child_end() {
    const std::uint64_t address = number();
    const bracket b = close({kind::child, kind::later});
    scope& s = scope_at(address);
    const bool queued = at(b.step).what == kind::later;
    const std::uint32_t end = add(queued ? kind::later_end : kind::child_end, s.number);
    at(b.step).other = end;
    at(b.step).number = s.number;
    at(end).other = b.step;
    s.longest = std::max(s.longest, path_);
    path_ = queued ? b.first : b.from;
  }

  void end_path() {
    run_.span = path_;
    for (const auto& [address, s] : scopes_) run_.span = std::max(run_.span, s.longest);
  }

  std::string_view text_;
  std::string name_;
  const recorder_cost cost_;
  std::size_t at_ = 0;
  double ns_per_tick_ = 1;
  double path_ = 0;
  recorded_run run_;
  std::vector<bracket> open_;
  std::unordered_map<std::uint64_t, scope> scopes_;  // by address, until their sync
  queued_children waiting_;                          // by scope and number
  std::vector<child_name> queued_;                   // by the root
  std::vector<std::uint32_t> moves_;                 // queued steps to which children move
};

}  // namespace

void scale(recorded_run& run, double factor) {
  for (recorded_step& s : run.steps) s.ns *= static_cast<float>(factor);
  run.work *= factor;
  run.span *= factor;
}

// Twice, if what the recorder cost has to be found first: then the second time without that.
recorded_run parse_recording(std::string_view text, const std::string& name, const unrecorded& when) {
  recorded_run run = reader(text, name).read();
  const double forks = cost_of_forks(run, when.fork, when.spawn);
  if (when.time) return reader(text, name, recorder_cost(run, std::max(0., *when.time - forks))).read();
  if (run.plain.empty()) return run;
  // The least, as what is more was other programs'. Recording a fork takes some time, but not as much as this.
  constexpr double most_per_fork = 1000;
  const double least = run.work - most_per_fork * static_cast<double>(run.all_forks);
  const double work = std::clamp(std::ranges::min(run.plain) - forks, std::max(0., least), run.work);
  return reader(text, name, recorder_cost(run, work)).read();
}

namespace {

std::string whole(const std::string& file) {
  std::ifstream from(file, std::ios::binary);
  if (!from) throw bad_input(fmt::format("{} cannot be opened", file));
  return {std::istreambuf_iterator<char>(from), {}};
}

}  // namespace

recorded_run read_recording(const std::string& file, const unrecorded& when) {
  return parse_recording(whole(file), file, when);
}

void add_plain_times(const std::string& file, const std::vector<double>& ns) {
  std::string text = whole(file);
  const std::size_t from = text.find('\n') + 1, end = text.find('\n', from);
  auto header = nlohmann::json::parse(text.substr(from, end - from));
  header["plain_ns"] = ns;
  text.replace(from, end - from, header.dump());
  std::ofstream to(file, std::ios::binary);
  to << text;
  to.close();
  if (!to) throw bad_input(fmt::format("{} cannot be written", file));
}

}  // namespace heist::analysis

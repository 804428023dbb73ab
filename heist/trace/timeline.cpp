#include <heist/base/text.hpp>
#include <heist/trace/timeline.hpp>
#include <heist/version.hpp>

#include <algorithm>
#include <cstdarg>
#include <limits>
#include <utility>

namespace heist::detail {

namespace {

using kind = trace_event::kind;

// A region's strand may have moved, and one that waited has left its worker: a bar of its own beside the lanes.
bool is_bar(const trace_event& e) { return e.what == kind::region || e.what == kind::wait; }

double microseconds(nanoseconds t) { return static_cast<double>(t) / 1e3; }

// The time of the program's first event.
nanoseconds start_of(const timeline& t) {
  nanoseconds first = std::numeric_limits<nanoseconds>::max();
  for (const timeline::pool& p : t.pools)
    for (const timeline::lane& l : p.lanes)
      for (const trace_event& e : l.seen.events) {
        const bool began_before = is_bar(e) || e.from != trace_event::nobody;
        first = std::min(first, began_before ? std::min(e.since, e.at) : e.at);
      }
  return first;
}

// Where events are, in the file's numbers: a pool's, and after it those of its lanes. No two pools
// or lanes have the same number, and none has 0. Perfetto demands that: a thread with a process's
// number is that process's first thread, wherever it is, and 0 is the kernel.
struct place {
  unsigned pool;
  unsigned lane(unsigned number) const { return pool + 1 + number; }
};

// One event a line, with commas between them.
class event_list {
 public:
  event_list(std::FILE* to, nanoseconds zero) : to_(to), zero_(zero) {}

  double at(nanoseconds t) const { return microseconds(t - zero_); }
  std::size_t next_theft() noexcept { return ++thefts_; }
  std::size_t next_bar() noexcept { return ++bars_; }

  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) {
    std::fputs(std::exchange(first_, false) ? "\n" : ",\n", to_);
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(to_, format, arguments);
    va_end(arguments);
  }

 private:
  std::FILE* const to_;
  const nanoseconds zero_;
  std::size_t thefts_ = 0, bars_ = 0;
  bool first_ = true;
};

// Replays a lane's events: each ends a slice and may begin the next.
class lane_player {
 public:
  lane_player(event_list& to, place at, const timeline::pool& p, const timeline::lane& l)
      : to_(to), at_(at), pool_(p), lane_(l) {}

  void play() {
    for (const trace_event& e : lane_.seen.events) {
      if (is_bar(e)) {
        add_bar(e, e.what == kind::wait ? "wait" : "region");
        continue;
      }
      end_slice(e.at, end_by(e.what));
      now_ = &e;
      if (e.from != trace_event::nobody) add_theft(e);
    }
    end_slice(std::max(pool_.ended, now_ != nullptr ? now_->at : 0), "trace ended");
  }

 private:
  const char* end_by(kind what) const {
    switch (what) {
      case kind::wake:
        return "woken";
      case kind::get_up:
        return "saw work";
      case kind::suspend:
        return "suspended";
      case kind::resume:
        // A caller that waits for its root may go on with one of its strands at a sleeper's seat.
        return asleep() ? "lent" : "resumed another";
      case kind::root:
        return "lent";
      default:
        return "ended";
    }
  }

  bool asleep() const { return now_ != nullptr && (now_->what == kind::sleep || now_->what == kind::rest); }

  // Shows what the seat did since the last event. A search is shown as a gap.
  void end_slice(nanoseconds at, const char* end) {
    if (now_ == nullptr) return;
    const trace_event& e = *now_;
    switch (e.what) {
      case kind::rest:
        if (lane_.number >= pool_.workers) return;  // nobody's
        return add_slice("sleep", "asleep", at, end, ",\"begin\":\"rest\"");
      case kind::sleep:
        return add_slice("sleep", "asleep", at, end, ",\"begin\":\"sleep\"");
      case kind::root:
        return add_slice("run", "root", at, end, "");
      case kind::resume:
        return add_slice("run", "resumed", at, end, "");
      case kind::stolen:
      case kind::continuation: {
        std::string more;
        print(more, ",\"from\":%u,\"steal\":%zu%s", e.from, steal_, e.over == reach::far ? ",\"far\":true" : "");
        return add_slice("run", e.what == kind::stolen ? "stolen" : "continuation", at, end, more.c_str());
      }
      default:
        return;
    }
  }

  void add_slice(const char* category, const char* name, nanoseconds end, const char* how, const char* more) {
    to_.add(R"({"ph":"X","pid":%u,"tid":%u,"ts":%.3f,"dur":%.3f,"cat":"%s","name":"%s","args":{"end":"%s"%s}})",
            at_.pool, at_.lane(lane_.number), to_.at(now_->at), microseconds(end - now_->at), category, name, how,
            more);
  }

  void add_theft(const trace_event& e) {
    steal_ = to_.next_theft();
    to_.add(R"({"ph":"s","id":%zu,"pid":%u,"tid":%u,"ts":%.3f,"cat":"steal","name":"steal"})", steal_, at_.pool,
            at_.lane(e.from), to_.at(std::min(e.since, e.at)));
    to_.add(R"({"ph":"f","bp":"e","id":%zu,"pid":%u,"tid":%u,"ts":%.3f,"cat":"steal","name":"steal"})", steal_,
            at_.pool, at_.lane(lane_.number), to_.at(e.at));
  }

  // From where it began to where it ended.
  void add_bar(const trace_event& e, const char* category) {
    const std::size_t id = to_.next_bar();
    const std::string name = json_string(e.name);
    const char* const form = R"({"ph":"%c","id":%zu,"pid":%u,"tid":%u,"ts":%.3f,"cat":"%s","name":%s})";
    to_.add(form, 'b', id, at_.pool, at_.lane(e.from), to_.at(e.since), category, name.c_str());
    to_.add(form, 'e', id, at_.pool, at_.lane(lane_.number), to_.at(e.at), category, name.c_str());
  }

  event_list& to_;
  const place at_;
  const timeline::pool& pool_;
  const timeline::lane& lane_;
  const trace_event* now_ = nullptr;
  std::size_t steal_ = 0;
};

// Lanes are shown in the order of their numbers: a viewer's own would be that of their names, with heist-10 before heist-2.
void add_names(event_list& to, place at, const timeline::pool& p) {
  std::string name = "outside every pool";
  if (p.number > 0) name.clear(), print(name, "pool %u", p.number);
  to.add(R"({"ph":"M","pid":%u,"name":"process_name","args":{"name":"%s"}})", at.pool, name.c_str());
  for (const timeline::lane& l : p.lanes) {
    name = p.number == 0 ? "callers" : l.number < p.workers ? "heist-" : "caller-";
    if (p.number > 0) print(name, "%u", l.number);
    const unsigned lane = at.lane(l.number);
    to.add(R"({"ph":"M","pid":%u,"tid":%u,"name":"thread_name","args":{"name":"%s","pool":%u,"lane":%u}})", at.pool,
           lane, name.c_str(), p.number, l.number);
    to.add(R"({"ph":"M","pid":%u,"tid":%u,"name":"thread_sort_index","args":{"sort_index":%u}})", at.pool, lane,
           l.number);
  }
}

}  // namespace

void write_json(const timeline& t, std::FILE* to) {
  std::fputs("{\"traceEvents\":[", to);
  const nanoseconds zero = start_of(t);
  event_list events(to, zero);
  unsigned most_workers = 0;
  std::string dropped;
  place at{1};
  for (const timeline::pool& p : t.pools) {
    add_names(events, at, p);
    most_workers = std::max(most_workers, p.workers);
    for (const timeline::lane& l : p.lanes) {
      lane_player(events, at, p, l).play();
      print(dropped, "%s%zu", dropped.empty() ? "" : ",", static_cast<std::size_t>(l.seen.dropped));
    }
    at.pool = at.lane(static_cast<unsigned>(p.lanes.size()));  // lanes are numbered from 0, without gaps
  }
  std::fprintf(to,
               "],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"heist\":\"%s\",\"format\":1,\"program\":%s,"
               "\"workers\":%u,\"dropped\":[%s],\"forgotten\":{\"pools\":%zu,\"events\":%zu},\"started\":\"%s\",\"zero_ns\":%lld}}\n",
               HEIST_VERSION, json_string(t.program).c_str(), most_workers, dropped.c_str(),
               static_cast<std::size_t>(t.forgotten_pools), static_cast<std::size_t>(t.forgotten_events),
               t.started.c_str(), static_cast<long long>(zero));
}

}  // namespace heist::detail

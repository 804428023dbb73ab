#include <heist/base/environment.hpp>
#include <heist/base/fatal.hpp>
#include <heist/base/file.hpp>
#include <heist/base/origin.hpp>
#include <heist/base/process.hpp>
#include <heist/base/text.hpp>
#include <heist/trace/program_trace.hpp>

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace heist::detail {

namespace {

std::atomic<program_trace*> the_trace{nullptr};

}  // namespace

program_trace::program_trace(std::string file, std::size_t most_events)
    : file_(std::move(file)), most_events_(most_events), process_(this_process()), outside_(0, most_events) {
  written_.program = program_invocation_short_name;
  written_.started = date_and_time();
}

program_trace* program_trace::get() {
  static program_trace* const the_one = from_environment();
  return the_one != nullptr && the_one->is_ours() ? the_one : nullptr;
}

program_trace* program_trace::begun() noexcept {
  // order[trace.begun]: the trace whole
  program_trace* const t = the_trace.load(std::memory_order_acquire);
  return t != nullptr && t->is_ours() ? t : nullptr;
}

// A child of fork() is not traced: the file is its parent's, and locks that other threads held are
// never released.
bool program_trace::is_ours() const noexcept { return process_ == this_process(); }

program_trace* program_trace::from_environment() {
  constexpr unsigned usual = 1u << 18, most = 1u << 28;
  const auto events = number_from_environment("HEIST_TRACE_EVENTS", 1, most);  // a bad value is refused, traced or not
  const std::string_view file = text_from_environment("HEIST_TRACE");
  if (file.empty()) return nullptr;
  auto* const t = new program_trace(std::string(file), events.value_or(usual));
  // order[trace.begun]: the trace whole
  the_trace.store(t, std::memory_order_release);
  std::atexit([] {
    if (program_trace* const mine = get()) mine->write();
  });
  return t;
}

pool_trace& program_trace::enlist(unsigned workers) {
  const std::lock_guard hold(lock_);
  return pools_.emplace_back(pool_trace{++pools_made_, workers, {}});
}

trace_lane& program_trace::add_lane(pool_trace& of) {
  const std::lock_guard hold(lock_);
  trace_lane& l = of.lanes.emplace_back(static_cast<unsigned>(of.lanes.size()), most_events_);
  l.note(trace_event::kind::rest);
  return l;
}

// Under lock_.
timeline::pool program_trace::closed(pool_trace& p) const {
  timeline::pool all{p.number, p.workers, now(), {}};
  for (trace_lane& l : p.lanes) all.lanes.push_back({l.number, l.close()});
  return all;
}

// A program may make any number of pools: of those that have ended, the oldest are forgotten.
void program_trace::strike(pool_trace& ended) {
  auto events = [](const timeline::pool& p) {
    std::size_t n = 0;
    for (const timeline::lane& l : p.lanes) n += l.seen.events.size();
    return n;
  };
  const std::lock_guard hold(lock_);
  ended_.push_back(closed(ended));
  ended_events_ += events(ended_.back());
  pools_.remove_if([&](const pool_trace& p) { return &p == &ended; });
  while (ended_events_ > 8 * most_events_) {
    const std::size_t n = events(ended_.front());
    ended_.pop_front();
    ended_events_ -= n;
    ++written_.forgotten_pools;
    written_.forgotten_events += n;
  }
}

void program_trace::write() noexcept try {
  const std::lock_guard hold(lock_);
  const plain_numbers here;
  const nanoseconds end = now();
  written_.pools.assign(std::make_move_iterator(ended_.begin()), std::make_move_iterator(ended_.end()));
  ended_.clear();
  for (pool_trace& p : pools_) written_.pools.push_back(closed(p));
  timeline::pool none{0, 1, end, {}};
  none.lanes.push_back({0, outside_.close()});
  if (!none.lanes[0].seen.events.empty()) written_.pools.push_back(std::move(none));
  std::sort(written_.pools.begin(), written_.pools.end(), [](auto& a, auto& b) { return a.number < b.number; });
  write_file("HEIST_TRACE", file_, [&](std::FILE* to) { write_json(written_, to); });
} catch (const std::bad_alloc&) {
  say("no memory to write the program's trace");
}

}  // namespace heist::detail

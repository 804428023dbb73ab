#include <heist/base/text.hpp>
#include <heist/cluster/journal.hpp>
#include <heist/sched/scheduler.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace heist::cluster::detail {

using heist::detail::json_string;
using heist::detail::now;

namespace {
constexpr std::size_t most = 1u << 16;  // crossings of each kind; the oldest go first

std::string file_beside_trace() {
  const char* const trace = std::getenv("HEIST_TRACE");
  return trace == nullptr || *trace == 0 ? "" : std::string(trace) + ".cluster";
}
}  // namespace

unsigned lane_here() noexcept {
  const heist::detail::seat* const s = heist::detail::this_seat();
  const auto* const lane = s != nullptr ? s->by.get()->lane : nullptr;
  return lane != nullptr ? lane->number : 0;
}

journal::journal(node_id me) : me_(me), file_(file_beside_trace()) {}

void journal::add(std::deque<crossing>& to, crossing c) {
  if (file_.empty()) return;
  const std::lock_guard hold(lock_);
  to.push_back(std::move(c));
  if (to.size() <= most) return;
  to.pop_front();
  ++dropped_;
}

void journal::lent(std::uint64_t number, node_id to, unsigned lane, std::size_t size) {
  add(loans_, {to, number, lane, now(), 0, size, {}});
}

void journal::began(node_id lender, std::uint64_t number, const std::string& task, unsigned lane) {
  add(tasks_, {lender, number, lane, now(), 0, 0, task});
}

void journal::came_back(std::uint64_t number) {
  if (file_.empty()) return;
  const std::lock_guard hold(lock_);
  const auto at = std::ranges::find(loans_.rbegin(), loans_.rend(), number, &crossing::number);
  if (at != loans_.rend()) at->to = now();
}

void journal::ended(node_id lender, std::uint64_t number) {
  if (file_.empty()) return;
  const std::lock_guard hold(lock_);
  const auto at = std::find_if(tasks_.rbegin(), tasks_.rend(), [&](const crossing& c) { return c.peer == lender && c.number == number; });
  if (at != tasks_.rend()) at->to = now();
}

void journal::lost(node_id peer) {
  if (file_.empty()) return;
  const std::lock_guard hold(lock_);
  lost_.try_emplace(peer, now());
}

// The quickest answer tells most: it was on its way for half of the round trip, or nearly.
void journal::clock_of(node_id peer, nanoseconds asked, nanoseconds there, nanoseconds answered) {
  if (file_.empty() || answered < asked) return;
  const clock c{there - (asked + (answered - asked) / 2), answered - asked};
  const std::lock_guard hold(lock_);
  const auto [at, first] = clocks_.try_emplace(peer, c);
  if (!first && c.round_trip < at->second.round_trip) at->second = c;
}

void journal::write(bool driver, std::uint64_t bytes_sent) noexcept {
  if (file_.empty()) return;
  std::FILE* const to = std::fopen(file_.c_str(), "w");
  if (to == nullptr) return;  // whoever asked for a trace hears that the trace itself cannot be written
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  const std::lock_guard hold(lock_);
  std::fprintf(to, "{\"heist_cluster\":1,\"node\":\"%016llx\",\"role\":\"%s\",\"host\":%s,\"process\":%d,\"bytes_sent\":%llu,\"dropped\":%llu",
               static_cast<unsigned long long>(me_), driver ? "driver" : "helper", json_string(host).c_str(), static_cast<int>(::getpid()),
               static_cast<unsigned long long>(bytes_sent), static_cast<unsigned long long>(dropped_));
  auto list = [&](const char* name, const std::deque<crossing>& all) {
    std::fprintf(to, ",\n\"%s\":[", name);
    for (const crossing& c : all)
      std::fprintf(to, "%s\n{\"peer\":\"%016llx\",\"number\":%llu,\"lane\":%u,\"from\":%lld,\"to\":%lld,\"bytes\":%zu,\"task\":%s}",
                   &c == &all.front() ? "" : ",", static_cast<unsigned long long>(c.peer), static_cast<unsigned long long>(c.number),
                   c.lane, static_cast<long long>(c.from), static_cast<long long>(c.to), c.bytes, json_string(c.task).c_str());
    std::fprintf(to, "]");
  };
  list("loans", loans_);
  list("tasks", tasks_);
  const char* comma = "";
  std::fprintf(to, ",\n\"lost\":{");
  for (const auto& [peer, at] : lost_) {
    std::fprintf(to, "%s\"%016llx\":%lld", comma, static_cast<unsigned long long>(peer), static_cast<long long>(at));
    comma = ",";
  }
  comma = "";
  std::fprintf(to, "},\n\"ahead\":{");
  for (const auto& [peer, c] : clocks_) {
    std::fprintf(to, "%s\"%016llx\":%lld", comma, static_cast<unsigned long long>(peer), static_cast<long long>(c.ahead));
    comma = ",";
  }
  std::fprintf(to, "}}\n");
  std::fclose(to);
}

}  // namespace heist::cluster::detail

#include <analysis/proof/contention.hpp>

#include <analysis/dag/random.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>

namespace heist::analysis {

std::vector<std::pair<std::string, retry>> retries() {
  return {{"at once", retry::at_once}, {"exponential", retry::exponential}};
}

std::vector<std::pair<std::string, served>> orders_of_service() {
  return {{"oldest", served::oldest}, {"random", served::random}, {"newest", served::newest}};
}

namespace {

struct process {
  std::uint32_t failures = 0;
  std::uint64_t seen = 0;  // the location's version when it was read
};

// Beyond this a delay outlasts any run.
constexpr std::uint32_t most_doublings = 31;

class location {
 public:
  explicit location(served order) : order_(order) {}

  bool empty() const { return waiting_.empty(); }
  std::size_t waiting() const { return waiting_.size(); }
  void add(std::uint32_t process) { waiting_.push_back(process); }

  std::uint32_t take(stream& random) {
    if (order_ == served::random)
      std::swap(waiting_[random.below(static_cast<std::uint32_t>(waiting_.size()))], waiting_.back());
    const bool front = order_ == served::oldest;
    const std::uint32_t chosen = front ? waiting_.front() : waiting_.back();
    if (front)
      waiting_.pop_front();
    else
      waiting_.pop_back();
    return chosen;
  }

 private:
  served order_;
  std::deque<std::uint32_t> waiting_;
};

}  // namespace

updates update_one_location(std::uint32_t processes, retry how, served order, std::uint64_t seed) {
  using reading = std::pair<std::uint64_t, std::uint32_t>;  // in which step, which process
  stream random(seed);
  std::vector<process> all(processes);
  std::priority_queue<reading, std::vector<reading>, std::greater<>> next;
  for (std::uint32_t i = 0; i < processes; ++i) next.push({1, i});
  location place(order);
  updates seen;
  std::uint64_t version = 0;
  while (version < processes) {
    if (place.empty()) seen.time = std::max(seen.time, next.top().first - 1);
    ++seen.time;
    // A swap that waits is executed before this step's readers have read.
    seen.work += place.waiting();
    if (!place.empty()) {
      const std::uint32_t i = place.take(random);
      process& p = all[i];
      ++seen.attempts;
      if (p.seen == version) {
        ++version;
      } else {
        p.failures = std::min(p.failures + 1, most_doublings);
        next.push({seen.time + 1 + (how == retry::exponential ? random.below(1u << p.failures) + 1 : 0), i});
      }
    }
    for (; !next.empty() && next.top().first <= seen.time; next.pop()) {
      all[next.top().second].seen = version;
      place.add(next.top().second);
      ++seen.work;
    }
  }
  return seen;
}

}  // namespace heist::analysis

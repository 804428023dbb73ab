#include <heist/affinity.hpp>
#include <heist/algorithm/pace.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/pool.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/hunger.hpp>
#include <heist/sched/unwanted.hpp>
#include <heist/worker_index.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

namespace heist {

namespace detail {

namespace {
// In a pool. The pace is that of what the strand did before: so a part does not begin with blocks of one element.
template <class F>
void by_pieces(std::size_t n, std::size_t most, pace& p, F& some) {
  const options_of none;
  plain_body<F, options_of<>> body{some, none};
  if (most > 0)
    halve(0, n, most, body);
  else
    work_through(0, n, p, body);
}
}  // namespace

class affinity_map {
 public:
  // One loop at a time.
  bool begin() noexcept {
    // order[affinity.loop]: what the loop before left
    return !busy_.exchange(true, std::memory_order_acquire);
  }
  // order[affinity.loop]: for the next loop
  void end() noexcept { busy_.store(false, std::memory_order_release); }

  void run(std::size_t n, affinity_piece* piece, void* loop, std::size_t most);

 private:
  static constexpr std::size_t parts_each = 8;        // for every worker: enough to even out what is uneven
  static constexpr std::size_t fewest_parts_each = 2;  // if there are more workers now

  struct part {
    std::atomic<std::size_t> home{no_worker};  // where it runs; others read it as a hint
    std::size_t guest = no_worker;             // where it ran the last time, if that was elsewhere
    std::atomic<bool> taken{false};

    bool lives_at(std::size_t worker) const noexcept { return home.load(std::memory_order_relaxed) == worker; }
    // What runs elsewhere twice in a row moves.
    void comes_to(std::size_t worker) noexcept {
      if (lives_at(no_worker) || guest == worker) home.store(worker, std::memory_order_relaxed);
      guest = lives_at(worker) ? no_worker : worker;
    }
  };
  struct current {
    affinity_piece* piece;
    void* loop;
    std::size_t most;                 // elements of a piece; 0: as many as suit
    std::atomic<std::size_t> left;    // parts that nobody has taken
    std::atomic<std::size_t> failed;  // the first part that has failed
    std::mutex lock;
    std::exception_ptr failure;

    bool over() const noexcept { return left.load(std::memory_order_relaxed) == 0; }
  };

  void prepare(std::size_t n, unsigned workers);
  void work(current& now, std::size_t region);
  void take_and_run(current& now, std::size_t k, pace& its);
  std::size_t begin_of(std::size_t k) const noexcept { return n_ / parts_.size() * k + std::min(k, n_ % parts_.size()); }

  std::atomic<bool> busy_{false};
  std::size_t n_ = 0;
  unsigned workers_ = 0;
  std::vector<part> parts_;
};

void affinity_map::prepare(std::size_t n, unsigned workers) {
  // A pool that is resized, or shares the machine, keeps its parts: what a worker had is where it is.
  if (n != n_ || parts_.size() < std::min(n, workers * fewest_parts_each)) {
    parts_ = std::vector<part>(std::min(n, workers * parts_each));
    n_ = n;
  }
  workers_ = workers;
  // The loop's own forks carry this to the workers.
  for (part& p : parts_) p.taken.store(false, std::memory_order_relaxed);
}

// In a pool.
void affinity_map::run(std::size_t n, affinity_piece* piece, void* loop, std::size_t most) {
  prepare(n, workers_here());
  if (workers_ == 1) {  // all parts are its own
    for (part& p : parts_) p.comes_to(worker_index());
    pace p;
    auto all = [=](std::size_t a, std::size_t b) { piece(loop, a, b); };
    return by_pieces(n, most, p, all);
  }
  current now{piece, loop, most, parts_.size(), parts_.size(), {}, nullptr};
  for_each_index(0u, workers_, [&](unsigned w) { work(now, w * parts_.size() / workers_); }, grain{1});
  if (now.failure != nullptr) std::rethrow_exception(now.failure);
}

// First what this worker had; then what nobody has had, from `region` on; then what others had, their last ones first, as they
// may come late and begin with the first ones.
void affinity_map::work(current& now, std::size_t region) {
  const std::size_t count = parts_.size();
  pace p;
  for (std::size_t k = 0; k < count && !now.over(); ++k)
    if (parts_[k].lives_at(worker_index())) take_and_run(now, k, p);
  for (std::size_t i = 0; i < count && !now.over(); ++i)
    if (const std::size_t k = (region + i) % count; parts_[k].lives_at(no_worker)) take_and_run(now, k, p);
  for (std::size_t k = count; k-- > 0 && !now.over();) take_and_run(now, k, p);
}

void affinity_map::take_and_run(current& now, std::size_t k, pace& its) {
  part& p = parts_[k];
  // One worker gets it; what it writes is carried by the loop's joins.
  if (p.taken.load(std::memory_order_relaxed) || p.taken.exchange(true, std::memory_order_relaxed)) return;
  now.left.fetch_sub(1, std::memory_order_relaxed);
  p.comes_to(worker_index());
  // A part is split, too, when a worker is idle: the others may be done, or the bodies wait.
  const std::size_t first = begin_of(k);
  auto some = [&, first](std::size_t a, std::size_t b) {
    if (k <= now.failed.load(std::memory_order_relaxed)) now.piece(now.loop, first + a, first + b);  // else one before it has failed
  };
  try {
    stop_if_unwanted();
    by_pieces(begin_of(k + 1) - first, now.most, its, some);
  } catch (...) {
    std::exception_ptr e = carry_exception();
    const std::lock_guard hold(now.lock);
    if (k < now.failed.load(std::memory_order_relaxed)) {
      now.failed.store(k, std::memory_order_relaxed);
      now.failure = std::move(e);
    }
  }
}

}  // namespace detail

affinity::affinity() : map_(new detail::affinity_map) {}
affinity::~affinity() = default;

void affinity::run(std::size_t n, detail::affinity_piece* piece, void* loop, std::size_t most) const {
  if (n == 0) return;
  if (detail::this_worker() == nullptr) return default_pool().run([&] { run(n, piece, loop, most); });
  // Which parts a worker had before depends on the schedule.
  if (detail::splits_by_count() || !map_->begin()) {
    auto some = [&](std::size_t a, std::size_t b) { piece(loop, a, b); };
    detail::pace p = detail::pace::of(n);
    return detail::by_pieces(n, most, p, some);
  }
  struct until_end {
    detail::affinity_map& of;
    ~until_end() { of.end(); }
  } const end{*map_};
  map_->run(n, piece, loop, most);
}

}  // namespace heist

#include <heist/base/environment.hpp>
#include <heist/base/process.hpp>
#include <heist/pool.hpp>
#include <heist/sched/scheduler.hpp>

#include <sys/resource.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>

namespace heist {

namespace {

template <class T>
T in_range(const char* what, T value, T least, T most) {
  if (value >= least && value <= most) return value;
  throw std::invalid_argument("heist: " + std::string(what) + " is " + std::to_string(value) + ", outside " +
                              std::to_string(least) + " … " + std::to_string(most));
}

std::size_t default_stack_size() {
  constexpr std::size_t usual = std::size_t{8} << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return usual;
  const std::size_t size = limit.rlim_cur;
  return size < detail::stack::min_size || size > detail::stack::max_size ? usual : size;
}

options checked(options o) {
  in_range("options::workers", o.workers, 0u, 4096u);
  if (o.workers == 0) o.workers = available_parallelism();
  if (o.stack_size == 0) o.stack_size = default_stack_size();
  in_range("options::stack_size", o.stack_size, detail::stack::min_size, detail::stack::max_size);
  in_range("options::fences", static_cast<int>(o.fences), 0, 2);
  in_range("options::search_time in ns", static_cast<long long>(o.search_time.count()), 0LL, 1'000'000'000LL);
  in_range("options::most_backoff", o.most_backoff, 0u, 1024u);
  return o;
}

options default_options() {
  options o;
  o.workers = detail::number_from_environment("HEIST_WORKERS", 1, 4096).value_or(o.workers);
  return o;
}

std::atomic<pool*> the_pool{nullptr};
std::mutex the_pool_lock;

// A child of fork() starts a pool of its own at first use.
void forget_pool_in_child() {
  the_pool.store(nullptr, std::memory_order_relaxed);
  new (&the_pool_lock) std::mutex;  // its holder may be among the threads that are gone
}

}  // namespace

pool::pool(const options& wanted) : scheduler_(std::make_unique<detail::scheduler>(checked(wanted))) {}
pool::~pool() {
  // In a child of fork(): threads of the parent had it in their hands when it was copied, and the calling strand may lie on
  // one of its stacks. At exit(): the calling strand may, too, and others may be at work.
  if (!scheduler_->is_here() || scheduler_->outlives_exit()) static_cast<void>(scheduler_.release());
}
detail::scheduler& detail::scheduler_of(pool& p) noexcept { return *p.scheduler_; }
unsigned detail::workers_here() {
  const worker* const w = this_worker();
  return w != nullptr ? w->pool.workers() : default_pool().workers();
}
unsigned pool::workers() const noexcept { return scheduler_->workers(); }
statistics pool::stats() const { return scheduler_->stats(); }

pool& default_pool() {
  // order[pool.default]: the pool whole
  if (pool* const p = the_pool.load(std::memory_order_acquire)) return *p;
  const std::lock_guard hold(the_pool_lock);
  if (pool* const p = the_pool.load(std::memory_order_relaxed)) return *p;
  static const bool watching = (detail::at_fork_in_child(forget_pool_in_child), true);
  static_cast<void>(watching);
  pool* const p = new pool(default_options());
  // order[pool.default]: the pool whole
  the_pool.store(p, std::memory_order_release);
  return *p;
}

}  // namespace heist

#include <heist/base/environment.hpp>
#include <heist/base/process.hpp>
#include <heist/pool.hpp>
#include <heist/sched/scheduler.hpp>

#include <sys/resource.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace heist {

namespace {

constexpr unsigned most_workers = 4096, most_backoff = 1024;
constexpr long long most_search_time = 1'000'000'000;  // in nanoseconds

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

void begin(const tools& wanted) {
  in_range("options::tools.trace_events", wanted.trace_events, 1u, 1u << 28);
  in_range("options::tools.record_grain", wanted.record_grain, 0u, 1'000'000'000u);
  detail::environment_wishes all;
  auto wish = [&](const char* variable, const char* value) {
    if (value != nullptr) all[variable] = value;
  };
  wish("HEIST_PROFILE", wanted.profile);
  if (wanted.profile != nullptr) wish("HEIST_PROFILE_UNIT", wanted.profile_unit);
  wish("HEIST_TRACE", wanted.trace);
  if (wanted.trace != nullptr) all["HEIST_TRACE_EVENTS"] = std::to_string(wanted.trace_events);
  wish("HEIST_RECORD", wanted.record);
  if (wanted.record != nullptr) all["HEIST_RECORD_GRAIN"] = std::to_string(wanted.record_grain);
  const bool any = !all.empty();
  if (!detail::wish_instead(std::move(all)) && any)
    throw std::invalid_argument(
        "heist: options::tools are the whole program's and take effect with its first pool, and that had others; set "
        "them there");
}

options checked(options o) {
  in_range("options::workers", o.workers, 0u, most_workers);
  if (o.workers == 0) o.workers = available_parallelism();
  if (o.stack_size == 0) o.stack_size = default_stack_size();
  in_range("options::stack_size", o.stack_size, detail::stack::min_size, detail::stack::max_size);
  in_range("options::fences", static_cast<int>(o.fences), 0, 2);
  in_range("options::search_time in ns", static_cast<long long>(o.search_time.count()), 0LL, most_search_time);
  in_range("options::most_backoff", o.most_backoff, 0u, most_backoff);
  in_range("options::placement", static_cast<int>(o.placement), 0, 3);
  // Every pool's, and not only the default one's: so a mask that must not change can be kept in any program.
  constexpr placement named[] = {placement::off, placement::workers, placement::all};
  const auto word = detail::word_from_environment("HEIST_PLACEMENT", {"off", "workers", "all"});
  const placement usual = named[word.value_or(1)];
  if (o.placement == placement::automatic || usual == placement::off) o.placement = usual;
  begin(o.tools);
  return o;
}

template <class T>
void take(T& option, const char* variable, std::uint64_t least, std::uint64_t most) {
  if (const auto n = detail::number_from_environment(variable, least, most)) option = static_cast<T>(*n);
}

// What the environment wants of the default pool: docs/reference/environment.md.
options default_options() {
  options o;
  take(o.workers, "HEIST_WORKERS", 1, most_workers);
  take(o.stack_size, "HEIST_STACK_SIZE", detail::stack::min_size, detail::stack::max_size);
  take(o.search_time, "HEIST_SEARCH_TIME", 0, most_search_time);
  take(o.most_backoff, "HEIST_MOST_BACKOFF", 0, most_backoff);
  take(o.most_callers, "HEIST_MOST_CALLERS", 0, std::numeric_limits<unsigned>::max());
  if (const auto word = detail::word_from_environment("HEIST_FENCES", {"automatic", "asymmetric", "symmetric"}))
    o.fences = static_cast<fences>(*word);
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

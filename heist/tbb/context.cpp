#include <heist/tbb/context.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace heist {

namespace {

struct controls {
  std::mutex lock;
  std::multiset<std::size_t> values[3];
  std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<pool>> pools;  // by workers and stack size
  std::atomic<std::size_t> parallelism{0};                                     // the smallest; 0: none
};
// Never destroyed, as the default pool is not.
controls& all() {
  static auto* const them = new controls;
  return *them;
}

}  // namespace

namespace tbb {

global_control::global_control(parameter p, std::size_t value)
    : parameter_(p), value_(p == max_allowed_parallelism ? std::clamp<std::size_t>(value, 1, 4096) : value) {
  controls& c = all();
  const std::lock_guard hold(c.lock);
  c.values[parameter_].insert(value_);
  if (p == max_allowed_parallelism) c.parallelism.store(*c.values[p].begin(), std::memory_order_relaxed);
}

global_control::~global_control() {
  controls& c = all();
  const std::lock_guard hold(c.lock);
  auto& of = c.values[parameter_];
  of.erase(of.find(value_));
  if (parameter_ == max_allowed_parallelism) c.parallelism.store(of.empty() ? 0 : *of.begin(), std::memory_order_relaxed);
}

std::size_t global_control::active_value(parameter p) {
  controls& c = all();
  {
    const std::lock_guard hold(c.lock);
    const auto& of = c.values[p];
    if (!of.empty()) return p == max_allowed_parallelism ? *of.begin() : *of.rbegin();
  }
  if (p == max_allowed_parallelism) return default_pool().workers();
  return p == thread_stack_size ? std::size_t{8} << 20 : 0;
}

}  // namespace tbb

namespace detail {

bool is_controlled() noexcept { return all().parallelism.load(std::memory_order_relaxed) != 0; }

pool& controlled_pool() {
  if (!is_controlled()) return default_pool();
  controls& c = all();
  const std::lock_guard hold(c.lock);
  const std::size_t workers = c.parallelism.load(std::memory_order_relaxed);
  if (workers == 0) return default_pool();
  const auto& sizes = c.values[tbb::global_control::thread_stack_size];
  const std::size_t stack = sizes.empty() ? 0 : std::max<std::size_t>(*sizes.rbegin(), 64 << 10);
  auto& found = c.pools[{workers, stack}];
  if (found == nullptr) {
    options o;
    o.workers = static_cast<unsigned>(workers);
    o.most_callers = o.workers;
    o.stack_size = stack;
    found = std::make_unique<pool>(o);
  }
  return *found;
}

}  // namespace detail
}  // namespace heist

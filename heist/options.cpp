#include <heist/options.hpp>

#include <mutex>
#include <vector>

namespace heist::detail {

// Never freed: a pool that outlives main() may call what is in it.
void keep_until_exit(std::shared_ptr<const void> what) {
  static std::mutex lock;
  static auto* const all = new std::vector<std::shared_ptr<const void>>;
  const std::lock_guard hold(lock);
  all->push_back(std::move(what));
}

}  // namespace heist::detail

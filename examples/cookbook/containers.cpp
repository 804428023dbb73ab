// Containers that many strands fill: what to use instead of a concurrent one, and which to use if it must be one.
#include <heist/heist.hpp>

#if __has_include(<tbb/concurrent_hash_map.h>) && defined(WITH_ONETBB)
#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_vector.h>
#endif

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

namespace stage = heist::stage;
using words = std::vector<std::string>;

// region: collect
// A container that is read only afterwards: let a chain make it. In order, without a lock.
words long_ones(const words& all) {
  return heist::par(all) | stage::filter([](const std::string& w) { return w.size() > 3; }) | heist::to<std::vector>();
}
std::map<std::string, int> counts(const words& all) {
  return heist::par(all) | stage::transform([](const std::string& w) { return std::pair(w, 1); }) |
         stage::collect<std::map>(std::plus<>());
}
// end

// region: reducer
// The same where the elements are found deep inside other code.
std::unordered_map<std::string, int> counts_inside(const words& all) {
  heist::reducer<std::unordered_map<std::string, int>, heist::op::merge_maps<std::unordered_map<std::string, int>>> map;
  heist::for_each(all, [&](const std::string& w) { ++(*map)[w]; });
  return map.take();
}
// end

// region: sharded
// A map that strands read and write at the same time, such as a cache: some maps, each with its lock. A strand that waits
// for the lock leaves its worker to others. `make` must not look into the same map.
template <class Key, class Value>
class shared_map {
 public:
  template <class Make>
  Value get_or_make(const Key& key, Make&& make) {
    shard& s = shards_[std::hash<Key>()(key) % shards_.size()];
    const std::lock_guard hold(s.lock);
    const auto found = s.map.find(key);
    return found != s.map.end() ? found->second : s.map.emplace(key, make()).first->second;
  }

 private:
  struct alignas(128) shard {
    heist::mutex lock;
    std::unordered_map<Key, Value> map;
  };
  std::array<shard, 64> shards_;
};
// end

// region: queue
// A queue between strands: a channel, with a bound, so that producers cannot run away.
int through_a_queue(int n) {
  heist::channel<int> queue(16);
  auto [nothing, sum] = heist::join(
      [&] {
        for (int i = 1; i <= n; ++i) queue.push(i);
        queue.close();
      },
      [&] {
        int all = 0;
        while (const std::optional<int> x = queue.pop()) all += *x;
        return all;
      });
  return sum;
}
// end

#if defined(TBB_VERSION_MAJOR) || defined(__TBB_concurrent_hash_map_H)
// region: onetbb
// oneTBB's containers work on heist's strands. Hold no accessor across a fork or a wait: it is a lock of the thread.
std::size_t different(const words& all) {
  tbb::concurrent_hash_map<std::string, int> map;
  heist::for_each(all, [&](const std::string& w) {
    tbb::concurrent_hash_map<std::string, int>::accessor entry;
    map.insert(entry, w);
    ++entry->second;
  });
  return map.size();
}
// end
#endif

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  std::exit(1);
}

}  // namespace

int main() {
  const words all{"to", "have", "and", "to", "hold"};
  check(long_ones(all) == words{"have", "hold"}, "collect");
  check(counts(all).at("to") == 2, "counts");
  check(counts_inside(all).at("to") == 2, "reducer");
  shared_map<int, int> squares;
  heist::for_each_index(0, 1000, [&](int i) {
    check(squares.get_or_make(i % 10, [=] { return i % 10 * (i % 10); }) == i % 10 * (i % 10), "shared_map");
  });
  check(through_a_queue(100) == 5050, "queue");
#if defined(TBB_VERSION_MAJOR) || defined(__TBB_concurrent_hash_map_H)
  check(different(all) == 4, "oneTBB");
#endif
}

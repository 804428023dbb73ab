// A pool at work, with answers that can be checked: pool_program part [seconds]. The parts are named in main().

#include "pool_parts.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

// A pool is on a cache line of its own. What is left of one that is gone must not look like a pool, nor be the next one.
void operator delete(void* p, std::size_t size, std::align_val_t) noexcept {
  static std::mutex lock;
  static void* last[64] = {};
  static std::size_t next = 0;
  std::memset(p, 0xAB, size);
  const std::lock_guard hold(lock);
  std::free(std::exchange(last[next++ % std::size(last)], p));
}

int main(int argc, char** argv) {
  using namespace pool_parts;
  struct part {
    std::string_view name;
    void (*run)(const until&, watchdog&);
    const char* stuck;
  };
  static constexpr part parts[] = {
      {"joins", joins, "a join does not return"},
      {"roots", roots, "a run() does not return"},
      {"wakes", wakes, "a branch is left, and nobody comes for it"},
      {"guests", guests, "a caller's branch is left, and nobody comes for it"},
      {"holder", holder, "a caller's branch is left, and who saw it had its seat taken"},
      {"one_seat", one_seat, "a guest's branch is left, and nobody comes for it"},
      {"homecomings", homecomings, "a branch is left, and nobody comes for it"},
      {"injected", injected, "a queued child is left, and nobody comes for it"},
      {"rest", rest, "a pool with nothing to do does not come to rest"},
      {"books", books, "nobody is roused any more"},
      {"scopes", scopes, "a sync does not return"},
      {"bursts", bursts, "a child is in somebody's stock, and nobody comes for it"},
      {"waits", waits, "a wait does not end"},
      {"sizes", sizes, "a strand is left, and there are too few workers for it"},
      {"locks", locks, "a mutex is free, and nobody wakes the one that waits for it"},
  };
  // The part "injected" uses the default pool, whose seats are few.
  ::setenv("HEIST_WORKERS", "1", 0);
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  const auto p = std::find_if(std::begin(parts), std::end(parts), [&](const part& q) { return q.name == wanted; });
  if (p == std::end(parts)) {
    std::printf("usage: pool_program part [seconds], where part is one of:");
    for (const part& q : parts) std::printf(" %s", q.name.data());
    std::printf("\n");
    return 2;
  }
  watchdog dog(p->stuck);
  p->run(until(argc > 2 ? std::atof(argv[2]) : 1), dog);
  std::printf("%s: all is well\n", p->name.data());
}

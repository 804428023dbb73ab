// Pools made and destroyed by the thousand: used or not, one or many at a time, by the thread that made them or by
// another. At the end the process has the threads and mappings it had before.

#include "random_program.hpp"

#include "tests/space/memory.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using stress::dice;
using stress::fail;

std::size_t threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task"), end;
  return static_cast<std::size_t>(std::distance(tasks, end));
}

std::size_t mappings() {
  std::ifstream in("/proc/self/maps");
  return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(in), {}, '\n'));
}

void use(heist::pool& pool, dice d) {
  stress::shared_things things;
  if (d.one_in(4)) pool.resize(1 + static_cast<unsigned>(d.below(6)));
  for (auto n = d.below(3); n > 0; --n) {
    const stress::random_program program(d.next(), 4);
    if (pool.run([&] { return program.parallel(things); }) != program.serial()) fail("a program gives a wrong answer");
  }
  if (d.one_in(4) && pool.run([] { return 7; }) != 7) fail("a pool gives a wrong answer");
}

std::unique_ptr<heist::pool> make(dice& d) {
  heist::options o = stress::random_options(d);
  if (!d.one_in(10)) o.workers = std::min(o.workers, 4u);
  return std::make_unique<heist::pool>(o);
}

// One pool in one of the ways to live, or up to a dozen that overlap.
std::uint64_t round(dice d) {
  stress::doing("pools were made");
  std::vector<std::unique_ptr<heist::pool>> pools;
  for (auto n = d.one_in(8) ? 1 + d.below(12) : 1; n > 0; --n) pools.push_back(make(d));
  const std::uint64_t made = pools.size();
  while (!pools.empty()) {
    std::swap(pools[d.below(pools.size())], pools.back());
    std::unique_ptr<heist::pool> pool = std::move(pools.back());
    pools.pop_back();
    switch (d.below(5)) {
      case 0:
        break;  // never used
      case 1:
      case 2:
        use(*pool, dice(d.next()));
        break;
      case 3:  // used here, ended there
        use(*pool, dice(d.next()));
        std::thread([p = std::move(pool)]() mutable { p.reset(); }).join();
        break;
      case 4: {  // used by several, ended by the last of them
        std::atomic<int> left{2};
        auto last_ends = [&, lucky = dice(d.next())] {
          use(*pool, lucky);
          if (--left == 0) pool.reset();
        };
        std::thread other(last_ends);
        last_ends();
        other.join();
        break;
      }
    }
    stress::doing("a pool was to end");
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  stress::session s("stress_pools", argc, argv, {1.5, 200});
  const std::size_t threads_before = threads();
  // Until here the C library has set up for threads what it keeps: its caches of stacks, its arenas.
  constexpr int warming = 100;
  std::size_t mappings_before = 0, resident_before = 0;
  for (int i = 0; s.more(); ++i) {
    s.count("pools", round(dice(s.seed())));
    if (i != warming) continue;
    mappings_before = mappings();
    resident_before = resident_bytes();
  }
  stress::doing("all pools had ended and their threads were awaited");
  while (threads() != threads_before) std::this_thread::yield();
  const std::size_t mappings_after = mappings(), resident_after = resident_bytes();
  s.most("mappings early", mappings_before);
  s.most("mappings at the end", mappings_after);
  if (!stress::sanitized && mappings_before != 0) {
    if (mappings_after > mappings_before + 64)
      fail("%zu mappings are left where %zu had been", mappings_after, mappings_before);
    if (resident_after > resident_before + 8 * MiB)
      fail("%zu KiB are resident where %zu had been", resident_after / KiB, resident_before / KiB);
  }
  return s.end();
}

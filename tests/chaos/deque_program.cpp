// An owner against thieves that come and go, in the ways of join: deque_program [seconds [thieves]].
// Every item is taken once; who takes it sees what it points to, and the mode in which it was pushed; nothing is lost.

#include "watchdog.hpp"

#include <heist/base/random.hpp>
#include <heist/deque/deque.hpp>

#include <array>
#include <vector>

namespace {

using heist::detail::deque;
using heist::detail::portion;
using heist::detail::steal_result;

struct item {
  alignas(8) long content = 0;  // plain: whoever takes the item must see it
  int mode = 0;
  std::atomic<int> taken{0};
};

void take(item& i, long& sum) {
  sum += i.content;
  check(i.content != 0, "a thief does not see what its item points to");
  check(i.taken.fetch_add(1, std::memory_order_relaxed) == 0, "an item was taken twice");
}

struct table {
  deque<item> d{4};
  std::atomic<int> mode{0};
  std::atomic<bool> over{false};
};

long rob(table& t, unsigned number) {
  heist::detail::chaos::work_as(1 + number);
  heist::detail::random dice(number);
  long sum = 0;
  while (!t.over.load(std::memory_order_acquire)) {
    if (dice.below(8) == 0) std::this_thread::yield();  // the owner may be waiting for a core
    int mode = -1;
    std::array<item*, 8> several;
    auto note = [&](deque<item>::boundary) { mode = t.mode.load(std::memory_order_relaxed); };
    if (number % 2 == 0 && dice.below(4) != 0) {
      auto some = t.d.thief().steal_several(several.data(), several.size(), note);
      if (some.outcome == steal_result::kept && dice.below(2) == 0)
        some = t.d.thief().steal_several_kept(several.data(), several.size(), note);
      for (long i = 0; i < some.size; ++i) {
        item& taken = *several[static_cast<std::size_t>(i)];
        check(taken.mode == mode, "an item was taken in another mode than it was pushed in");
        take(taken, sum);
      }
      continue;
    }
    auto r = t.d.thief().steal(note);
    if (r.outcome == steal_result::kept && dice.below(2) == 0) r = t.d.thief().steal_kept(note);
    if (r.outcome != steal_result::stolen) continue;
    check(r.item->mode == mode, "an item was taken in another mode than it was pushed in");
    take(*r.item, sum);
  }
  return sum;
}

constexpr long items_a_round = 500;

// Pushes and pops at random, at most `nest` deep: shallow, so that the last item is fought over, and sometimes deep, so
// that the ring grows.
long work(table& t, std::vector<item>& items, heist::detail::random& dice) {
  auto end = t.d.owner();
  std::vector<item*> mine;
  long sum = 0;
  std::size_t nest = 1 + dice.below(3);
  // Up and down across the boundary, above an oldest item that stays: thieves that take several have seen other items there.
  const bool to_and_fro = dice.below(3) == 0;
  const unsigned shares = to_and_fro ? 256 : dice.below(3) == 0 ? 128 : dice.below(20);  // of 256
  const portion how = to_and_fro || dice.below(4) == 0 ? portion::all : portion::half;
  for (std::size_t made = 0; made < items.size() || !mine.empty();) {
    if (mine.empty() && dice.below(8) == 0) nest = dice.below(8) == 0 ? 12 : 1 + dice.below(3);
    if (to_and_fro) nest = 3;
    const std::size_t stay = to_and_fro && dice.below(16) != 0 ? 1 : 0;
    const bool deep = mine.size() >= nest || (mine.size() > stay && dice.below(2) == 0);
    if (!deep && made < items.size()) {
      if (mine.empty() && dice.below(2) == 0)
        t.mode.store(static_cast<int>(dice.below(1000)), std::memory_order_relaxed);
      item& i = items[made++];
      i.content = static_cast<long>(made);
      i.mode = t.mode.load(std::memory_order_relaxed);
      const bool below_limit = end.push(&i);
      if (!below_limit || dice.below(256) < shares) end.share(how);
      if (!below_limit) end.make_room();
      mine.push_back(&i);
    } else {
      item& last = *mine.back();
      mine.pop_back();
      if (end.take_back() || end.settle()) take(last, sum);
    }
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const until end(argc > 1 ? std::atof(argv[1]) : 1);
  const unsigned thieves = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 2;
  check(heist::detail::enable_heavy_fence(), "there is no membarrier");
  heist::detail::chaos::work_as(0);
  heist::detail::random dice(17);
  watchdog dog("an item was lost");
  long items_in_all = 0;
  while (!end.over()) {
    table t;
    std::vector<item> items(items_a_round);
    std::vector<long> sums(thieves);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < thieves; ++i) threads.emplace_back([&, i] { sums[i] = rob(t, i); });
    long sum = work(t, items, dice);
    // What the owner was told was stolen is on its way.
    for (const item& i : items)
      while (i.taken.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
    t.over.store(true, std::memory_order_release);
    for (std::thread& thread : threads) thread.join();
    for (const long s : sums) sum += s;
    check(sum == items_a_round * (items_a_round + 1) / 2, "the sum of what was taken is wrong");
    items_in_all += items_a_round;
    dog.moved();
  }
  std::printf("%ld items, each taken once\n", items_in_all);
}

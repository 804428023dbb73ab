// One owner against up to 64 thieves that come and go, on a deque that starts with two places: every item is taken
// exactly once, by somebody who sees what was written into it before its push.

#include "harness.hpp"

#include <heist/deque/deque.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace {

using heist::detail::deque;
using heist::detail::steal_result;

struct alignas(8) item {
  std::uint64_t written = 0;  // before the push, by the owner; read by whoever takes it
  std::atomic<int> taken{0};
};

// What the owner shares.
enum class sharing { when_asked, half, all, changing };

struct shape {
  unsigned thieves;
  sharing how;
  std::size_t items;
  std::uint64_t burst;  // so many pushes in a row at most
};

shape shape_of(stress::dice& d) {
  static constexpr unsigned thieves[] = {1, 1, 2, 2, 3, 8, 64};
  static constexpr sharing how[] = {sharing::when_asked, sharing::half, sharing::all, sharing::changing};
  static constexpr std::uint64_t bursts[] = {1, 2, 3, 10, 3000};
  shape s{d.among(thieves), d.among(how), 0, d.among(bursts)};
  if (!heist::detail::enable_heavy_fence()) s.how = sharing::all;
  s.items = (s.thieves > 3 ? 3'000u : 20'000u) / stress::slower;
  return s;
}

class fight {
 public:
  explicit fight(std::uint64_t seed) : random_(seed), shape_(shape_of(random_)), items_(shape_.items) {}

  void run(stress::session& s) {
    for (unsigned i = 0; i < shape_.thieves; ++i) gangs_.emplace_back([this, i] { gang(i); });
    own();
    over_.store(true);
    for (std::thread& t : gangs_) t.join();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].taken.load() != 1)
        stress::fail("item %zu of %zu was taken %d times", i, items_.size(), items_[i].taken.load());
      sum += items_[i].written;
    }
    if (sum != sum_.load()) stress::fail("the items' sum is not what was taken");
    s.count("items", items_.size());
    s.count("steals", steals_.load());
    s.count("lost", lost_.load());
    s.count("growths", growths_);
    s.count("thieves", thieves_.load());
  }

 private:
  void take(item* i, std::uint64_t& sum) {
    if (i < items_.data() || i >= items_.data() + items_.size()) stress::fail("somebody took what is not an item");
    const auto place = static_cast<std::uint64_t>(i - items_.data());
    if (i->written != stress::hash(place))
      stress::fail("item %llu was taken unwritten", static_cast<unsigned long long>(place));
    if (i->taken.fetch_add(1) != 0) stress::fail("item %llu was taken twice", static_cast<unsigned long long>(place));
    sum += i->written;
  }

  // Pushes and pops in turn, with now and then a pause in which thieves empty the deque.
  void own() {
    auto end = jobs_.owner();
    std::uint64_t sum = 0;
    for (std::size_t next = 0; next < items_.size();) {
      for (std::uint64_t n = 1 + random_.below(shape_.burst); n > 0 && next < items_.size(); --n, ++next) {
        items_[next].written = stress::hash(next);
        const bool room = end.push(&items_[next]);
        share(end, room);
        if (!room) {
          growths_ += end.has_room() ? 0 : 1;
          end.make_room();
        }
      }
      if (random_.one_in(64)) std::this_thread::yield();
      for (std::uint64_t n = 1 + random_.below(shape_.burst + 1); n > 0; --n) {
        item* const mine = end.pop();
        if (mine == nullptr) break;
        take(mine, sum);
      }
    }
    while (item* const mine = end.pop()) take(mine, sum);
    sum_.fetch_add(sum);
  }

  void share(heist::detail::deque<item>::owner_end& end, bool room) {
    using heist::detail::portion;
    switch (shape_.how) {
      case sharing::when_asked:
        if (!room) end.share(portion::half);
        return;
      case sharing::half: return end.share(portion::half);
      case sharing::all: return end.share(portion::all);
      case sharing::changing:
        if (random_.one_in(2)) end.share(random_.one_in(2) ? portion::all : portion::half);
    }
  }

  // Thieves, one after the other: each tries so many times and goes.
  void gang(unsigned number) {
    stress::dice d(random_seed_ + number);
    while (!over_.load()) {
      const std::uint64_t tries = 1 + d.below(2000);
      std::thread([this, tries, luck = d.next()] { thief(tries, stress::dice(luck)); }).join();
    }
  }

  void thief(std::uint64_t tries, stress::dice d) {
    std::uint64_t sum = 0, stolen = 0, lost = 0;
    for (; tries > 0 && !over_.load(); --tries) {
      if (d.one_in(3)) {
        std::array<item*, 50> several;
        const auto most = 1 + static_cast<std::int64_t>(d.below(50));
        auto some = jobs_.thief().steal_several(several.data(), most, [](auto) {});
        if (some.outcome == steal_result::kept && d.one_in(2))
          some = jobs_.thief().steal_several_kept(several.data(), most, [](auto) {});
        for (std::int64_t i = 0; i < some.size; ++i) take(several[static_cast<std::size_t>(i)], sum);
        stolen += static_cast<std::uint64_t>(some.size);
        continue;
      }
      auto r = jobs_.thief().steal();
      if (r.outcome == steal_result::kept && d.one_in(2)) r = jobs_.thief().steal_kept();
      if (r.outcome == steal_result::stolen) {
        take(r.item, sum);
        ++stolen;
      } else {
        lost += r.outcome == steal_result::lost ? 1 : 0;
        if (d.one_in(3)) std::this_thread::yield();
      }
      if (d.one_in(100)) jobs_.trip();  // as one that goes to sleep does
    }
    sum_.fetch_add(sum);
    steals_.fetch_add(stolen);
    lost_.fetch_add(lost);
    thieves_.fetch_add(1);
  }

  stress::dice random_;
  const shape shape_;
  const std::uint64_t random_seed_ = random_.next();
  std::vector<item> items_;
  deque<item> jobs_{2};
  std::atomic<bool> over_{false};
  std::vector<std::thread> gangs_;
  std::uint64_t growths_ = 0;
  std::atomic<std::uint64_t> sum_{0}, steals_{0}, lost_{0}, thieves_{0};
};

}  // namespace

int main(int argc, char** argv) {
  stress::session s("stress_deque", argc, argv, {1.5, 1});
  while (s.more()) fight(s.seed()).run(s);
  return s.end();
}

// A work-stealing deque by hand: its owner pushes and pops at the bottom, thieves steal at the top.
//
// So the owner sees a stack (the last pushed is the first popped), and thieves see a queue (the first pushed is the
// first stolen). The owner works on what is still in its cache; a thief gets the oldest, which tends to be the most
// work.
//
// Chase and Lev's algorithm with sequentially consistent atomics. heist's own deque saves the owner the fence in pop():
// heist/deque/README.md.

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <latch>
#include <map>
#include <optional>
#include <thread>
#include <vector>

namespace {

class deque {
 public:
  explicit deque(std::size_t capacity) : slots_(capacity) {}

  // Owner only. False: it is full.
  bool push(int value) {
    const long bottom = bottom_;
    if (bottom - top_ >= static_cast<long>(slots_.size())) return false;
    slot(bottom) = value;
    bottom_ = bottom + 1;  // only now can thieves see it
    return true;
  }

  // Owner only: the youngest.
  std::optional<int> pop() {
    const long bottom = bottom_ - 1;
    bottom_ = bottom;  // thieves keep away from this one, if they are not there already
    long top = top_;
    if (top > bottom) {  // it was empty
      bottom_ = bottom + 1;
      return {};
    }
    const int value = slot(bottom);
    if (top < bottom) return value;  // no thief can be at this one
    // The last one: whoever moves the top has it.
    const bool mine = top_.compare_exchange_strong(top, top + 1);
    bottom_ = bottom + 1;
    return mine ? std::optional(value) : std::nullopt;
  }

  // Any thread: the oldest. Nothing also if somebody else was faster.
  std::optional<int> steal() {
    long top = top_;
    if (top >= bottom_) return {};
    const int value = slot(top);
    return top_.compare_exchange_strong(top, top + 1) ? std::optional(value) : std::nullopt;
  }

 private:
  std::atomic<int>& slot(long i) { return slots_[static_cast<std::size_t>(i) % slots_.size()]; }

  std::vector<std::atomic<int>> slots_;
  std::atomic<long> top_ = 0, bottom_ = 0;
};

bool wrong = false;

void show(const char* what, const std::vector<int>& values, const std::vector<int>& expected) {
  std::printf("%-16s", what);
  for (const int v : values) std::printf(" %d", v);
  std::printf("\n");
  wrong = wrong || values != expected;
}

void in_order() {
  deque d(8);
  std::vector<int> pushed, popped, stolen;
  for (int i = 1; i <= 6; ++i)
    if (d.push(i)) pushed.push_back(i);
  for (int i = 0; i < 3; ++i) popped.push_back(d.pop().value_or(0));
  for (int i = 0; i < 3; ++i) stolen.push_back(d.steal().value_or(0));
  show("pushed", pushed, {1, 2, 3, 4, 5, 6});
  show("popped (LIFO)", popped, {6, 5, 4});
  show("stolen (FIFO)", stolen, {1, 2, 3});
  if (d.pop() || d.steal()) wrong = true;  // nothing is left
}

// An owner that pushes two and pops one, and three thieves: each number is taken by exactly one of them.
void all_at_once() {
  constexpr int numbers = 200'000;
  constexpr std::size_t thieves = 3;
  deque d(numbers);
  std::atomic<bool> done = false;
  std::latch all_here(thieves + 1);  // or the owner may be done before the first thief begins
  std::vector<std::vector<int>> taken(thieves + 1);
  std::vector<std::thread> threads;
  for (std::size_t t = 1; t <= thieves; ++t)
    threads.emplace_back([&, t] {
      all_here.arrive_and_wait();
      while (!done)
        if (const auto v = d.steal()) taken[t].push_back(*v);
    });
  all_here.arrive_and_wait();
  for (int i = 1; i <= numbers; ++i) {
    if (!d.push(i)) wrong = true;
    if (i % 2 == 0)
      if (const auto v = d.pop()) taken[0].push_back(*v);
    if (i % 1000 == 0) std::this_thread::yield();  // there may be fewer processors than threads
  }
  while (const auto v = d.pop()) taken[0].push_back(*v);
  done = true;
  for (std::thread& t : threads) t.join();
  std::map<int, int> times;
  for (std::size_t t = 0; t <= thieves; ++t) {
    int last = 0;
    for (const int v : taken[t]) {
      ++times[v];
      if (t > 0 && v <= last) wrong = true;  // first in, first out: a thief sees the numbers in ascending order
      last = v;
    }
    std::printf("%s %zu took %zu of %d\n", t == 0 ? "owner" : "thief", t, taken[t].size(), numbers);
  }
  wrong = wrong || times.size() != numbers;
  for (const auto& [number, taken_times] : times) wrong = wrong || taken_times != 1;
}

}  // namespace

int main() {
  in_order();
  all_at_once();
  std::printf("%s\n", wrong ? "WRONG" : "each number was taken exactly once");
  return wrong ? 1 : 0;
}

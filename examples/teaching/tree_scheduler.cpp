// A scheduler by hand: workers that run a balanced tree, each with a deque of its own, and steal when it is empty.
//
// Every node pushes its two children. The worker goes on with the youngest; a thief takes the oldest, the root of the
// largest subtree that is left. So few steals spread a large tree: look at how they grow from depth 8 to depth 16, and
// at how the nodes do. (What heist does better: no lock, no allocation, the continuation is stolen and not the child,
// and workers without work sleep. See ARCHITECTURE.md.)

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <latch>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <vector>

namespace {

struct node {
  int depth;  // levels below it
};

class worker {
 public:
  void push(node n) {
    const std::lock_guard lock(mutex_);
    nodes_.push_back(n);
  }
  std::optional<node> pop() {
    const std::lock_guard lock(mutex_);
    if (nodes_.empty()) return {};
    const node n = nodes_.back();
    nodes_.pop_back();
    return n;
  }
  std::optional<node> steal() {
    const std::lock_guard lock(mutex_);
    if (nodes_.empty()) return {};
    const node n = nodes_.front();
    nodes_.pop_front();
    return n;
  }

  // The worker's own.
  std::uint64_t ran = 0, stole = 0, found_nothing = 0;
  volatile std::uint64_t result = 0;

 private:
  std::mutex mutex_;
  std::deque<node> nodes_;
};

class tree_scheduler {
 public:
  explicit tree_scheduler(std::size_t workers) : workers_(workers) {}

  void run(node root) {
    left_ = 1;
    workers_[0].push(root);
    std::latch all_here(static_cast<std::ptrdiff_t>(workers_.size()));  // or the first is done before the last begins
    std::vector<std::thread> threads;
    for (std::size_t me = 0; me < workers_.size(); ++me)
      threads.emplace_back([&, me] {
        all_here.arrive_and_wait();
        work(me);
      });
    for (std::thread& t : threads) t.join();
  }
  const std::vector<worker>& workers() const { return workers_; }

 private:
  void work(std::size_t me) {
    std::minstd_rand random(static_cast<unsigned>(me + 1));
    worker& mine = workers_[me];
    while (left_ > 0) {
      std::optional<node> next = mine.pop();
      if (!next && workers_.size() > 1) {
        const std::size_t victim = (me + 1 + random() % (workers_.size() - 1)) % workers_.size();
        next = workers_[victim].steal();
        ++(next ? mine.stole : mine.found_nothing);
      }
      if (next) {
        visit(mine, *next);
      } else {
        std::this_thread::yield();
      }
    }
  }

  void visit(worker& by, node n) {
    ++by.ran;
    for (int i = 0; i < 500; ++i) by.result = by.result * 6364136223846793005u + 1;  // what a node has to do
    if (n.depth > 0) {
      left_ += 2;  // before this node is done, so that nobody believes that all is done
      by.push({n.depth - 1});
      by.push({n.depth - 1});
    }
    --left_;
  }

  std::vector<worker> workers_;
  std::atomic<std::uint64_t> left_ = 0;  // nodes that have not run
};

}  // namespace

int main() {
  constexpr std::size_t workers = 4;
  bool right = true;
  for (const int depth : {8, 12, 16}) {
    tree_scheduler s(workers);
    s.run({depth});
    std::printf("depth %d: %llu nodes\n%8s%12s%12s%16s\n", depth, (2ull << depth) - 1, "worker", "nodes", "steals",
                "found nothing");
    std::uint64_t all = 0;
    for (std::size_t w = 0; w < workers; ++w) {
      const worker& one = s.workers()[w];
      std::printf("%8zu%12llu%12llu%16llu\n", w, static_cast<unsigned long long>(one.ran),
                  static_cast<unsigned long long>(one.stole), static_cast<unsigned long long>(one.found_nothing));
      all += one.ran;
    }
    right = right && all == (2ull << depth) - 1;
  }
  return right ? 0 : 1;
}

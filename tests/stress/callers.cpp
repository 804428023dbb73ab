// A thousand threads come at once: to one pool by run(), to the default pool by join, or with the children of a scope.
// All of them get in, though the pool has but a few seats; each gets its own answer, on its own thread.

#include "random_program.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using stress::dice;
using stress::fail;

constexpr unsigned callers = 1000;

// Everybody waits until all have come.
class gathering {
 public:
  void come() {
    if (here_.fetch_add(1) + 1 == callers) here_.notify_all();
    for (unsigned n = here_.load(); n < callers; n = here_.load()) here_.wait(n);
  }

 private:
  std::atomic<unsigned> here_{0};
};

enum class door { run, join, scope };

struct plan {
  door by;
  heist::pool* pool;
  bool meet_inside;  // all thousand are inside at the same time, none waits for another's seat
  std::uint64_t luck;
};

// f() in the pool, by the door.
template <class F>
auto enter(const plan& p, F& f) {
  switch (p.by) {
    case door::run:
      return p.pool->run(f);
    case door::join:
      return std::get<0>(heist::join(f, [] {}));
    case door::scope:
      break;
  }
  // Children of a scope outside wait in a queue, which only the pool's own workers empty.
  decltype(f()) found{};
  std::atomic<int> others{0};
  {
    heist::scope s;
    s.spawn([&] { ++others; });
    s.spawn([&] { found = f(); });
    s.spawn_later([&] { ++others; });
  }
  if (others != 2) fail("a child of a scope outside did not run");
  return found;
}

void call(const plan& p, unsigned number, gathering& outside, gathering& inside, stress::shared_things& things,
          std::atomic<std::uint64_t>& locks) {
  const stress::random_program program(stress::hash(p.luck + number), 3);
  const auto expected = program.serial();
  auto root = [&] {
    if (p.meet_inside) inside.come();
    return program.parallel(things);
  };
  const std::thread::id here = std::this_thread::get_id();
  outside.come();
  const auto found = enter(p, root);
  if (found != expected)
    fail("caller %u got %llx instead of %llx", number, static_cast<unsigned long long>(found.digest),
         static_cast<unsigned long long>(expected.digest));
  if (std::this_thread::get_id() != here) fail("caller %u came back on another thread", number);
  locks += expected.locks;
}

void round(stress::session& s) {
  dice d(s.seed());
  std::unique_ptr<heist::pool> own;
  static constexpr door doors[] = {door::run, door::run, door::join, door::scope};
  plan p{d.among(doors), &heist::default_pool(), d.one_in(2), 0};
  if (p.by == door::run) {
    const heist::options wanted = stress::random_options(d);
    own = std::make_unique<heist::pool>(wanted);
    p.pool = own.get();
    if (wanted.most_callers != 0) p.meet_inside = false;  // they come in one after the other
  }
  if (p.by == door::scope) p.meet_inside = false;  // they have the workers for a place
  p.luck = d.next();
  gathering outside, inside;
  stress::shared_things things;
  std::atomic<std::uint64_t> locks{0};
  stress::doing(p.meet_inside ? "a thousand callers were to meet inside" : "a thousand callers came");
  std::optional<stress::resizer> changing;
  if (own != nullptr) changing.emplace(*own, dice(d.next()));
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < callers; ++i) threads.emplace_back([&, i] { call(p, i, outside, inside, things, locks); });
  for (std::thread& t : threads) t.join();
  changing.reset();
  if (things.held != locks)
    fail("the lock was held %llu times instead of %llu", static_cast<unsigned long long>(things.held),
         static_cast<unsigned long long>(locks.load()));
  stress::doing("the callers were gone and the pool's strands were awaited");
  heist::statistics now = p.pool->stats();
  for (; now.stacks_live != 0 || now.suspends != now.resumes; now = p.pool->stats()) std::this_thread::yield();
  s.count("callers", callers);
  s.most("seats", now.workers.size());
  s.most("stacks", now.stacks_peak);
  stress::doing("the pool was to end");
}

}  // namespace

int main(int argc, char** argv) {
  stress::session s("stress_callers", argc, argv, {1.5, 2});
  while (s.more()) round(s);
  return s.end();
}

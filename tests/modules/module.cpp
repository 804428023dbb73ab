// A module that uses heist: a plugin, an extension of Python. modules.sh builds several, with a heist of their own or a
// shared one, and host.cpp loads them into one process.

#include <heist/heist.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <vector>

#if !defined(MODULE)
#define MODULE module
#endif

// What a library's own interface may have of heist. It is exported, and the compiler has nothing to say about it. Its
// classes are as large as their heist has them: modules of two versions need two names for them.
namespace MODULE {
struct engine {
  heist::options wanted;
  heist::pool workers;
  heist::mutex lock;
  heist::reducer<long> sum;
  heist::statistics before;
  heist::measurement found;
};
struct given_up : heist::cancelled {};
long run_engine(engine& e, const heist::options& with, heist::grain piece, const heist::cancelled& why);
}  // namespace MODULE

namespace {

long fib(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

void must(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

struct adding {
  long identity() const { return 0; }
  void operator()(long& left, long&& right) const { left += right; }
};

void joins_and_scopes() {
  must(fib(16) == 987, "join");
  auto [a, b, c] =
      heist::join([] { return 1; }, [] { return std::make_unique<int>(2); }, [] { return std::vector{3}; });
  must(a + *b + c[0] == 6, "join of three");
  std::atomic<long> n{0};
  heist::scope s;
  for (int i = 0; i < 40; ++i) s.spawn([&] { n += fib(8); });
  for (int i = 0; i < 40; ++i) s.spawn_later([&] { n += fib(8); });
  s.sync();
  must(n == 80 * 21, "scope");
  const long more = heist::with_scope([&](heist::scope& t) {
    t.spawn([&] { n += fib(8); });
    return fib(8);
  });
  must(more == 21 && n == 81 * 21, "with_scope");
}

void algorithms() {
  std::vector<int> v(3000);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i * 7919 % v.size());
  heist::sort(v, heist::grain{64});
  must(std::is_sorted(v.begin(), v.end()), "sort");
  must(heist::reduce(v, 0L) == 4'498'500L, "reduce");
  std::vector<long> sums(v.size());
  heist::inclusive_scan(v, sums.begin());
  must(sums.back() == 4'498'500L, "scan");
  heist::reducer<std::vector<int>, heist::op::append<std::vector<int>>> list;
  heist::for_each_index(0, 5000, [&](int i) { list->push_back(i); }, heist::grain{16});
  const std::vector<int> all = list.take();
  must(all.size() == 5000 && std::is_sorted(all.begin(), all.end()), "reducer");
  heist::reducer most(0, [](int a, int b) { return std::max(a, b); });
  heist::for_each(v, [&](int i) { *most = std::max(*most, i); });
  must(*most == 2999 && heist::reduce(v, heist::op::max<int>()) == 2999, "operations");
  must(heist::transform_reduce(v, adding(), [](int i) { return long{i}; }) == 4'498'500L, "an operation in place");
  const auto rest = heist::remove_if(v, [](int i) { return i % 2 != 0; });
  must(std::ssize(rest) == 1500 && heist::sort(rest) == v.end(), "results");
}

void exceptions() {
  try {
    heist::join([] { fib(5); }, []() -> int { throw std::out_of_range("branch"); });
    must(false, "an exception is lost");
  } catch (const std::out_of_range&) {
  }
  std::stop_source stop;
  stop.request_stop();
  try {
    heist::for_each_index(0, 1000, [](int) {}, heist::grain{1}, stop.get_token());
    must(false, "a stop is lost");
  } catch (const heist::cancelled&) {
  }
}

void locks() {
  heist::mutex m;
  long n = 0;
  heist::for_each_index(0, 300, [&](int) {
    const std::lock_guard hold(m);
    n += fib(3);
  }, heist::grain{1});
  must(n == 600, "mutex");
}

}  // namespace

long MODULE::run_engine(engine& e, const heist::options&, heist::grain piece, const heist::cancelled&) {
  e.before = e.workers.stats();
  e.workers.run([&] { heist::for_each_index(0, 1000, [&](int i) { *e.sum += i % 2; }, piece); });
  e.found = heist::measure([] { fib(5); });
  must(e.found.forks == 7, "measure");
  must(e.workers.stats().steals >= e.before.steals, "stats");
  return e.sum.take();
}

// 0, or the code of a failure; a bit of everything, the caller being in no pool or, `inside` one of its own.
extern "C" int module_work(int inside) {
  try {
    const auto everything = [] {
      joins_and_scopes();
      algorithms();
      exceptions();
      locks();
    };
    if (inside == 0) {
      everything();
    } else {
      heist::options o;
      o.workers = 3;
      const auto of_my_own = std::make_unique<heist::pool>(o);
      of_my_own->run(everything);
      MODULE::engine e{o, heist::pool({.workers = 2}), {}, {}, {}, {}};
      must(run_engine(e, o, heist::grain{8}, MODULE::given_up()) == 500, "engine");
    }
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "module: %s\n", e.what());
    return 1;
  }
}

// What one module throws another catches.
extern "C" void module_throw() { throw heist::cancelled(); }
extern "C" int module_catch(void (*thrower)()) {
  try {
    thrower();
  } catch (const heist::cancelled& e) {
    return e.what() != nullptr ? 0 : 1;
  } catch (const heist::closed_channel&) {  // of rest.cpp
    return 0;
  } catch (...) {
  }
  return 1;
}

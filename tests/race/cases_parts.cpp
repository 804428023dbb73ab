// The newer parts of heist: each with a use that is free of races, and one that is not.

#include "cases.hpp"

#include <heist/tbb.hpp>

#include <array>
#include <cmath>
#include <list>
#include <map>
#include <numeric>
#include <string>

namespace cases_of_parts {

namespace stage = heist::stage;

int x, y, z;
std::vector<int> numbers(int n = 5000) {
  std::vector<int> v(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) v[static_cast<std::size_t>(i)] = (i * 7919) % 1009;
  return v;
}
[[gnu::noinline]] int get(const int& from) { return from; }

// Lazy ranges.
CASE("par: a chain into a vector", clean) {
  const auto v = numbers();
  auto w = heist::par(v) | stage::filter([](int i) { return i % 2 == 0; }) | stage::transform([](int i) { return i * 3; }) |
           heist::to<std::vector>();
  x = static_cast<int>(w.size());
}
CASE("par: a stage that counts", race) {
  const auto v = numbers();
  auto w = heist::par(v) | stage::transform([](int i) { return ++x, i; }) | heist::to<std::vector>();
  y = static_cast<int>(w.size());
}
CASE("par: sum, count, min, max", clean) {
  const auto v = numbers();
  x = heist::par(v).sum() + static_cast<int>(heist::par(v).count()) + *heist::par(v).min() + *heist::par(v).max();
}
CASE("par: for_each writes its own", clean) {
  auto v = numbers();
  heist::par(v).for_each([](int& i) { i = 1; });
}
CASE("par: for_each writes one", race) {
  auto v = numbers();
  heist::par(v).for_each([](int& i) { x = i; });
}
CASE("par: zip and enumerate", clean) {
  auto v = numbers(), w = numbers();
  heist::par(v) | stage::zip(w) | stage::for_each([](int& a, int& b) { a = b; });
  std::vector<int> to(v.size());
  heist::par(v) | stage::enumerate() | stage::for_each([&](std::size_t k, int a) { to[k] = a; });
}
CASE("par: enumerate, to the neighbour's", race) {
  auto v = numbers();
  std::vector<int> to(v.size() + 1);
  heist::par(v) | stage::enumerate() | stage::for_each([&](std::size_t k, int a) { to[k] = a, to[k + 1] = a; });
}
CASE("par: find_first and any", clean) {
  const auto v = numbers();
  x = heist::par(v).any([](int i) { return i == 1008; }) ? 1 : 0;
  y = heist::par(v).find_first([](int i) { return i == 8; }).value_or(0);
}
CASE("par: a predicate that writes", race) {
  const auto v = numbers();
  x = heist::par(v).any([](int i) { return z = i, i == 2000; }) ? 1 : 0;
}
CASE("par: a fold that counts", race) {
  const auto v = numbers();
  y = heist::par(v).reduce(0, [](int a, int b) { return ++x, a + b; });
}
CASE("par: a key that counts", race) {
  const auto v = numbers();
  y = *heist::par(v).max_by([](int i) { return ++x, i; });
}
CASE("par: a filter that counts, then count", race) {
  const auto v = numbers();
  y = static_cast<int>((heist::par(v) | stage::filter([](int i) { return ++x, i % 2 == 0; })).count());
}
CASE("par: flat_map, chunks, windows", clean) {
  const auto v = numbers();
  auto w = heist::par(v) | stage::chunks(10) | stage::transform([](auto c) { return c[0]; }) | heist::to<std::vector>();
  auto u = heist::par(v) | stage::flat_map([](int i) { return std::vector<int>(2, i); }) | heist::to<std::vector>();
  x = static_cast<int>(w.size() + u.size());
}
CASE("par: integers", clean) {
  std::vector<double> roots(1000);
  heist::par(0, 1000).for_each([&](int i) { roots[static_cast<std::size_t>(i)] = std::sqrt(i); });
}
CASE("par: two chains in two branches, overlapping outputs", race) {
  const auto v = numbers(100);
  std::vector<int> to(150);
  heist::join([&] { heist::par(v).copy(to.begin()); }, [&] { heist::par(v).copy(to.begin() + 50); });
}

// Ranges that are fed.
CASE("fed: for_each over a list", clean) {
  std::list<int> l(3000, 1);
  heist::for_each(l, [](int& i) { i = 2; });
}
CASE("fed: for_each over a list, one sum", race) {
  std::list<int> l(3000, 1);
  heist::for_each(l, [](int& i) { x += i; });
}
CASE("fed: transform and count over a map", clean) {
  std::map<int, int> m;
  for (int i = 0; i < 500; ++i) m[i] = i;
  std::vector<int> to;
  heist::transform(m, std::back_inserter(to), [](const auto& p) { return p.second; });
  x = static_cast<int>(heist::count_if(m, [](const auto& p) { return p.first % 2 == 0; }) + std::ssize(to));
}
CASE("fed: a reduction", clean) {
  std::list<long> l(3000, 1);
  x = static_cast<int>(heist::reduce(l, 0L));
}

// Groups.
CASE("group_by", clean) {
  const auto v = numbers();
  auto groups = heist::group_by(v, [](int i) { return i % 10; });
  x = static_cast<int>(groups.size());
}
CASE("group_by: a key that counts", race) {
  const auto v = numbers();
  auto groups = heist::group_by(v, [](int i) { return ++x, i % 10; });
  y = static_cast<int>(groups.size());
}
CASE("count_by, histogram", clean) {
  const auto v = numbers();
  auto counts = heist::count_by(v, [](int i) { return i % 10; });
  auto bins = heist::histogram(v, 1009, [](int i) { return static_cast<std::size_t>(i); });
  x = static_cast<int>(counts.size() + bins.size());
}
CASE("random_permutation, shuffle", clean) {
  auto v = numbers();
  heist::shuffle(v, 7u);
  x = v[0];
}

// Waiting.
CASE("channel: filled, then emptied by a loop", determinacy) {
  heist::channel<int> c(100);
  for (int i = 0; i < 50; ++i) c.push(i);
  c.close();
  std::array<int, 50> seen{};
  heist::for_each_index(0, 50, [&](int) { if (auto i = c.pop()) seen[static_cast<std::size_t>(*i)] = 1; });
  x = seen[3];
}
CASE("channel: what was written before a push", determinacy) {
  heist::channel<int*> c(10);
  heist::join([&] { x = 1; c.push(&x); }, [&] { y = **c.pop(); });
}
CASE("channel: what is written after a push", race) {
  heist::channel<int*> c(10);
  heist::join([&] { c.push(&x); x = 1; }, [&] { y = **c.pop(); });
}
CASE("semaphore: one permit", determinacy) {
  heist::binary_semaphore one(1);
  auto add = [&] { one.acquire(); ++x; one.release(); };
  heist::join(add, add);
}
CASE("latch: written before it, read after", clean) {
  heist::latch l(1);
  heist::join([&] { x = 1; l.count_down(); }, [&] { l.wait(); y = x; });
}
CASE("latch: another one at the same place of the stack", race) {
  struct on_stack {
    [[gnu::noinline]] static void first() { heist::latch l(1); x = 1; l.count_down(); l.wait(); }
    [[gnu::noinline]] static void second() { heist::latch l(1); l.count_down(); l.wait(); y = x; }
  };
  heist::join([] { on_stack::first(); }, [] { on_stack::second(); });
}
CASE("latch: written after it", race) {
  heist::latch l(1);
  heist::join([&] { l.count_down(); x = 1; }, [&] { l.wait(); y = x; });
}
CASE("graph: a diamond", clean) {
  heist::graph g;
  auto a = g.node([] { x = 1; });
  auto b = g.node([] { y = get(x); });
  auto c = g.node([] { z = get(x); });
  auto d = g.node([] { x = y + z; });
  g.precede(a, b), g.precede(a, c), g.precede(b, d), g.precede(c, d);
  g.run();
}
CASE("graph: a diamond without one edge", race) {
  heist::graph g;
  auto a = g.node([] { x = 1; });
  auto b = g.node([] { y = get(x); });
  auto c = g.node([] { z = get(x); });
  auto d = g.node([] { x = y + 1; });
  g.precede(a, b), g.precede(a, c), g.precede(b, d);
  g.run();
  static_cast<void>(c);
}
CASE("graph: run twice", clean) {
  heist::graph g;
  auto a = g.node([] { x = 1; });
  auto b = g.node([] { x = 2; });
  g.precede(a, b);
  g.run();
  g.run();
}
CASE("pipeline: a serial stage adds", determinacy) {
  int i = 0;
  heist::pipeline(4, [&]() -> std::optional<int> { return i < 20 ? std::optional(i++) : std::nullopt; },
                  heist::parallel([](int k) { return k * 2; }), heist::serial([](int k) { x += k; }));
}
CASE("when_all, when_any", clean) {
  auto f = heist::async([] { return x + 1; });
  auto g = heist::async([] { return x + 2; });
  auto [a, b] = heist::when_all(std::move(f), std::move(g)).get();
  y = a + b;
}
CASE("when_all: before and after", race) {
  auto f = heist::async([] { x = 1; return 1; });
  auto g = heist::async([] { return 2; });
  auto both = heist::when_all(std::move(f), std::move(g));
  y = x;
  static_cast<void>(both.get());
}
CASE("detach: and wait_idle", clean) {
  heist::detach([] { x = 1; });
  heist::default_pool().wait_idle();
  x = 2;
}
CASE("detach: without waiting", race) {
  heist::detach([] { x = 1; });
  x = 2;
}
CASE("suspend: resumed at once", clean) {
  x = 1;
  heist::suspend([](heist::resumption r) { r.resume(); });
  heist::blocking([] { x = 2; });
  x = 3;
}

// What belongs to workers.
CASE("worker_index: one worker, the first", clean) {
  if (heist::worker_index() != heist::no_worker) std::abort();
  heist::pool p({.workers = 2});
  p.run([] { if (heist::worker_index() != 0) std::abort(); });
  heist::join([] { if (heist::worker_index() != 0) std::abort(); }, [] { if (heist::worker_index() != 0) std::abort(); });
  heist::for_each_index(0, 5, [](int) { if (heist::worker_index() != 0) std::abort(); });
  heist::with_scope([](heist::scope& s) { s.spawn([] { if (heist::worker_index() != 0) std::abort(); }); });
  if (heist::async([] { return heist::worker_index(); }).get() != 0) std::abort();
  if (heist::worker_index() != heist::no_worker) std::abort();
}
CASE("per_worker: each uses its own", determinacy) {
  heist::per_worker<std::vector<int>> scratch;
  heist::for_each_index(0, 200, [&](int i) { auto mine = scratch.local(); mine->assign(10, i); });
  scratch.for_each([](std::vector<int>& v) { x += static_cast<int>(v.size()); });
}
CASE("per_worker: and one for all", race) {
  heist::per_worker<int> scratch;
  heist::for_each_index(0, 200, [&](int i) { *scratch.local() += i; x += i; });
}
CASE("affinity", clean) {
  heist::affinity a;
  std::vector<int> v(1000);
  for (int k = 0; k < 3; ++k) heist::for_each(v, [](int& i) { ++i; }, a);
}
CASE("affinity: one sum", race) {
  heist::affinity a;
  std::vector<int> v(1000);
  heist::for_each(v, [](int& i) { x += i; }, a);
}
CASE("progress", determinacy) {
  std::vector<int> v(1000);
  heist::progress p(v.size(), [](std::size_t done, std::size_t) { y = static_cast<int>(done); });
  heist::for_each(v, [](int& i) { ++i; }, p);
}
CASE("measure", clean) {
  auto v = numbers();
  const heist::measurement m = heist::measure([&] { heist::sort(v); });
  x = static_cast<int>(m.forks);
}
CASE("chunks", clean) {
  auto v = numbers();
  heist::for_each_chunk(v, 100, [](auto part) { for (int& i : part) i = 1; });
  heist::for_each_index_2d(0, 30, 0, 40, [&](int i, int k) { v[static_cast<std::size_t>(i * 40 + k)] = i; });
}
CASE("chunks: two dimensions, the wrong stride", race) {
  auto v = numbers();
  heist::for_each_index_2d(0, 30, 0, 40, [&](int i, int k) { v[static_cast<std::size_t>(i * 39 + k)] = i; });
}

// Threading Building Blocks' names.
CASE("tbb: parallel_for, parallel_reduce", clean) {
  namespace tbb = heist::tbb;
  auto v = numbers();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, v.size()), [&](const tbb::blocked_range<std::size_t>& r) {
    for (std::size_t i = r.begin(); i < r.end(); ++i) v[i] = 1;
  });
  x = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, v.size()), 0,
      [&](const tbb::blocked_range<std::size_t>& r, int sum) {
        for (std::size_t i = r.begin(); i < r.end(); ++i) sum += v[i];
        return sum;
      },
      [](int a, int b) { return a + b; });
}
CASE("tbb: parallel_for, one sum", race) {
  namespace tbb = heist::tbb;
  tbb::parallel_for(0, 1000, [](int i) { x += i; });
}
CASE("tbb: blocks that overlap by one", race) {
  namespace tbb = heist::tbb;
  std::vector<int> v(1001);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, 1000), [&](const tbb::blocked_range<std::size_t>& r) {
    for (std::size_t i = r.begin(); i <= r.end(); ++i) v[i] = 1;
  });
}
CASE("tbb: task_group", race) {
  heist::tbb::task_group g;
  g.run([] { x = 1; });
  g.run([] { x = 2; });
  g.wait();
}
CASE("tbb: task_group, then the parent", clean) {
  heist::tbb::task_group g;
  g.run([] { x = 1; });
  g.wait();
  x = 2;
}
CASE("tbb: parallel_invoke", race) { heist::tbb::parallel_invoke([] { x = 1; }, [] { x = 2; }); }
CASE("tbb: parallel_sort, parallel_scan", clean) {
  auto v = numbers();
  heist::tbb::parallel_sort(v.begin(), v.end());
  x = v[0];
}

// Algorithms: what they write, and what they call.
CASE("algorithm: overlapping outputs of two copies", race) {
  const auto v = numbers(100);
  std::vector<int> to(150);
  heist::join([&] { heist::copy(v, to.begin()); }, [&] { heist::copy(v, to.begin() + 50); });
}
CASE("algorithm: outputs of two copies side by side", clean) {
  const auto v = numbers(100);
  std::vector<int> to(200);
  heist::join([&] { heist::copy(v, to.begin()); }, [&] { heist::copy(v, to.begin() + 100); });
}
CASE("algorithm: overlapping fills", race) {
  std::vector<int> to(150);
  heist::join([&] { heist::fill(to.begin(), to.begin() + 80, 1); }, [&] { heist::fill(to.begin() + 79, to.end(), 2); });
}
CASE("algorithm: a merge onto one of its inputs", race) {
  auto v = numbers(100), w = numbers(100);
  heist::sort(v), heist::sort(w);
  std::vector<int> to(200);
  heist::join([&] { heist::merge(v, w, to.begin()); }, [&] { heist::fill(w, 1); });
}
CASE("algorithm: copy onto itself, shifted", race) {
  auto v = numbers(3000);
  heist::copy(v.begin(), v.end() - 1, v.begin() + 1);
}
CASE("algorithm: a scan in place, and twice", clean) {
  auto v = numbers(3000);
  heist::inclusive_scan(v, v.begin());
  heist::exclusive_scan(v, v.begin(), 0);
}
CASE("algorithm: an operation that counts", race) {
  const auto v = numbers(3000);
  y = heist::reduce(v, 0, [](int a, int b) { return ++x, a + b; });
}
CASE("algorithm: filters and partitions", clean) {
  auto v = numbers(), w = numbers();
  std::vector<int> to(v.size());
  heist::copy_if(v, to.begin(), [](int i) { return i % 3 == 0; });
  heist::partition(v, [](int i) { return i % 2 == 0; });
  heist::stable_partition(w, [](int i) { return i % 2 == 0; });
  v.erase(heist::remove_if(v.begin(), v.end(), [](int i) { return i % 5 == 0; }), v.end());
  heist::sort(w);
  w.erase(heist::unique(w.begin(), w.end()), w.end());
  heist::reverse(w);
  heist::nth_element(v, v.begin() + 10);
  heist::stable_sort(v, std::greater<>());
}
CASE("algorithm: strings sorted, compared, merged", clean) {
  std::vector<std::string> v;
  for (int i = 0; i < 3000; ++i) v.push_back(std::to_string((i * 7919) % 1009) + std::string(20, 'x'));
  auto w = v;
  heist::sort(v);
  heist::stable_sort(w);
  x = heist::equal(v, w) ? 1 : 0;
  std::vector<std::string> both(v.size() + w.size());
  heist::merge(v, w, both.begin());
}
CASE("algorithm: searches", clean) {
  const auto v = numbers();
  x = static_cast<int>(heist::find(v, 8) - v.begin()) + static_cast<int>(heist::count(v, 9)) +
      *heist::max_element(v) + *heist::min_element(v) + (heist::all_of(v, [](int i) { return i >= 0; }) ? 1 : 0);
  const auto [at, other] = heist::mismatch(v, v);
  y = at == v.end() && other == v.end();
}
CASE("algorithm: generate, replace, transform_reduce", clean) {
  auto v = numbers();
  heist::generate(v, [](std::size_t k) { return static_cast<int>(k); });
  heist::replace(v, 3, 4);
  x = heist::transform_reduce(v, 0, std::plus<>(), [](int i) { return i * 2; });
}
CASE("algorithm: generate from one counter", race) {
  auto v = numbers();
  heist::generate(v, [] { return x++; });
}
CASE("algorithm: max_element with a comparison that counts", race) {
  struct counted { int value; mutable int times; };
  std::vector<counted> v;
  for (int i = 0; i < 3000; ++i) v.push_back({(i * 7919) % 1009, 0});
  y = heist::max_element(v, [](const counted& a, const counted& b) { ++x; return a.value < b.value; })->value;
}

}  // namespace cases_of_parts

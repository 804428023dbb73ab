// What is parallel: joins, scopes, loops, algorithms, futures, reducers.

#include "cases.hpp"

#include <array>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace cases_of_forks {

int x, y, z, many[64];
void nothing() {}
[[gnu::noinline]] void set(int& to, int value) { to = value; }
[[gnu::noinline]] int get(const int& from) { return from; }
[[gnu::noinline]] int local_sum(int n) {
  volatile int room[16];
  for (int i = 0; i < 16; ++i) room[i] = n + i;
  return room[3];
}

CASE("join: both write", race) { heist::join([] { x = 1; }, [] { x = 2; }); }
CASE("join: one writes, one reads", race) { heist::join([] { x = 1; }, [] { y = x; }); }
CASE("join: one reads, one writes", race) { heist::join([] { y = x; }, [] { x = 1; }); }
CASE("join: both read", clean) { heist::join([] { y = get(x); }, [] { z = get(x); }); }
CASE("join: different variables", clean) { heist::join([] { x = 1; }, [] { y = 2; }); }
CASE("join: before and after", clean) {
  x = 1;
  heist::join([] { y = x; }, [] { z = x; });
  x = 2;
}
CASE("join: one after the other", clean) {
  heist::join([] { x = 1; }, nothing);
  heist::join(nothing, [] { x = 2; });
}
CASE("join: three branches", race) { heist::join([] { x = 1; }, nothing, [] { x = 2; }); }
CASE("join: four branches, all apart", clean) {
  heist::join([] { many[0] = 1; }, [] { many[1] = 1; }, [] { many[2] = 1; }, [] { many[3] = 1; });
}
CASE("join: values", clean) {
  auto [a, b] = heist::join([] { return std::string(100, 'a'); }, [] { return std::vector<int>(100); });
  x = static_cast<int>(a.size() + b.size());
}
CASE("join: inner branches of different outer ones", race) {
  heist::join([] { heist::join(nothing, [] { x = 1; }); }, [] { heist::join([] { y = x; }, nothing); });
}
CASE("join: inner, joined, then the outer's second reads", race) {
  heist::join([] { heist::join([] { x = 1; }, nothing); }, [] { y = x; });
}
CASE("join: a reader that is kept finds a writer further out", race) {
  heist::join([] { y = get(x); }, [] {
    heist::join([] { z = get(x); }, nothing);
    x = 1;
  });
}
CASE("join: the first reader is in series, the second is not", race) {
  y = get(x);
  heist::join([] { z = get(x); }, [] { x = 1; });
}
CASE("join: captured by reference", race) {
  int local = 0;
  heist::join([&] { set(local, 1); }, [&] { set(local, 2); });
}
CASE("join: captured by value", clean) {
  int local = 3;
  heist::join([local]() mutable { set(local, 1); }, [local]() mutable { set(local, 2); });
}
CASE("join: recursive sum", clean) {
  struct tree {
    static long sum(const int* a, int n) {
      if (n == 1) return *a;
      auto [l, r] = heist::join([=] { return sum(a, n / 2); }, [=] { return sum(a + n / 2, n - n / 2); });
      return l + r;
    }
  };
  x = static_cast<int>(tree::sum(many, 64));
}
CASE("join: recursive, with an overlap of one", race) {
  struct tree {
    static void fill(int* a, int n) {
      if (n == 1) {
        a[0] = n;
        return;
      }
      heist::join([=] { fill(a, n / 2 + 1 < n ? n / 2 + 1 : n / 2); }, [=] { fill(a + n / 2, n - n / 2); });
    }
  };
  tree::fill(many, 16);
}
CASE("join: the first branch throws", clean) {
  try {
    heist::join([] { x = 1, throw 1; }, [] { x = 2; });
  } catch (int) {
  }
  x = 3;
}
CASE("join: the second branch throws, after a race", race) {
  try {
    heist::join([] { x = 1; }, [] { x = 2, throw 1; });
  } catch (int) {
  }
}
CASE("join: after an exception the strand is in series", clean) {
  heist::join([] {
    try {
      heist::join([] { x = 1; }, [] { throw std::runtime_error("no"); });
    } catch (const std::exception&) {
      x = 2;
    }
  }, nothing);
  x = 3;
}
CASE("join: the stack is used again", clean) {
  heist::join([] { y = local_sum(1); }, [] { z = local_sum(2); });
}
CASE("join: a frame below, and what it gives to its branches", race) {
  heist::join([] { y = local_sum(1); }, [] {
    volatile int room[16] = {};
    heist::join([&] { room[3] = 1; }, [&] { room[3] = 2; });
  });
}
CASE("join: a frame below, read and then written", race) {
  heist::join([] { y = local_sum(1); }, [] {
    int room[16] = {};
    heist::join([&] { y = get(room[3]); }, [&] { set(room[3], 2); });
  });
}

CASE("scope: children write", race) {
  heist::with_scope([](heist::scope& s) {
    s.spawn([] { x = 1; });
    s.spawn([] { x = 2; });
  });
}
CASE("scope: a child and its parent", race) {
  heist::with_scope([](heist::scope& s) {
    s.spawn([] { x = 1; });
    y = x;
  });
}
CASE("scope: the parent before the child", clean) {
  heist::with_scope([](heist::scope& s) {
    x = 1;
    s.spawn([] { y = x; });
  });
}
CASE("scope: the parent after sync", clean) {
  heist::scope s;
  s.spawn([] { x = 1; });
  s.sync();
  y = x;
  s.spawn([] { x = 2; });
  s.sync();
}
CASE("scope: children apart", clean) {
  heist::with_scope([](heist::scope& s) {
    for (int i = 0; i < 16; ++i) s.spawn([i] { many[i] = i; });
  });
}
CASE("scope: the loop's variable by reference", race) {
  heist::with_scope([](heist::scope& s) {
    for (int i = 0; i < 4; ++i) s.spawn([&i] { many[0] = i; });
  });
}
CASE("scope: a grandchild and the parent", race) {
  heist::with_scope([](heist::scope& s) {
    s.spawn([&s] { s.spawn([] { x = 1; }); });
    y = x;
  });
}
CASE("scope: a child spawned into the outer scope outlives its join", race) {
  heist::with_scope([](heist::scope& s) {
    heist::join([&] { s.spawn([] { x = 1; }); }, nothing);
    y = x;
  });
}
CASE("scope: the same after sync", clean) {
  heist::scope s;
  heist::join([&] { s.spawn([] { x = 1; }); }, nothing);
  s.sync();
  y = x;
}
CASE("scope: two readers, of which one leaves from the middle", race) {
  heist::scope outer;
  heist::scope inner;
  inner.spawn([] { y = get(x); });
  outer.spawn([] { z = get(x); });
  inner.sync();
  x = 1;
  outer.sync();
}
CASE("scope: two readers in a join, of which one outlives it", race) {
  heist::scope s;
  heist::join([] { y = get(x); }, [&] { s.spawn([] { z = get(x); }); });
  x = 1;
  s.sync();
}
CASE("scope: an inner scope's child, synced", clean) {
  heist::with_scope([](heist::scope& outer) {
    outer.spawn([] {
      heist::with_scope([](heist::scope& inner) { inner.spawn([] { x = 1; }); });
      x = 2;
    });
  });
  x = 3;
}
CASE("scope: a child that throws", clean) {
  try {
    heist::with_scope([](heist::scope& s) {
      s.spawn([] { throw 1; });
      s.spawn([] { x = 1; });
    });
  } catch (int) {
  }
  x = 2;
}
CASE("scope: one child at a time", determinacy) {
  heist::scope s(heist::limit{1});
  s.spawn([] { ++x; });
  s.spawn([] { ++x; });
  s.sync();
}
CASE("scope: one child at a time, and the parent", race) {
  heist::scope s(heist::limit{1});
  s.spawn([] { ++x; });
  ++x;
  s.sync();
}
CASE("scope: two children at a time", race) {
  heist::scope s(heist::limit{2});
  s.spawn([] { ++x; });
  s.spawn([] { ++x; });
  s.sync();
}
CASE("scope: spawn_later", race) {
  heist::with_scope([](heist::scope& s) {
    s.spawn_later([] { x = 1; });
    s.spawn_later([] { x = 2; });
  });
}

CASE("loop: every iteration writes the same", race) { heist::for_each_index(0, 8, [](int) { x = 1; }); }
CASE("loop: two iterations far apart", race) { heist::for_each_index(0, 64, [](int i) { if (i == 0 || i == 63) x = i; }); }
CASE("loop: two neighbours", race) { heist::for_each_index(0, 64, [](int i) { if (i == 30 || i == 31) x = i; }); }
CASE("loop: one each", clean) { heist::for_each_index(0, 64, [](int i) { many[i] = i; }); }
CASE("loop: the neighbour's", race) { heist::for_each_index(0, 63, [](int i) { many[i] = many[i + 1]; }); }
CASE("loop: with a grain", race) { heist::for_each_index(0, 63, [](int i) { many[i] = many[i + 1]; }, heist::grain{64}); }
CASE("loop: empty, and of one", clean) {
  heist::for_each_index(0, 0, [](int) { x = 1; });
  heist::for_each_index(0, 1, [](int) { x = 1; });
}
CASE("loop: two loops in a row", clean) {
  heist::for_each_index(0, 64, [](int i) { many[i] = i; });
  heist::for_each_index(0, 64, [](int i) { many[63 - i] += i; });
}
CASE("loop: nested", clean) {
  heist::for_each_index(0, 8, [](int i) { heist::for_each_index(0, 8, [i](int j) { many[8 * i + j] = 1; }); });
}
CASE("loop: nested, wrong stride", race) {
  heist::for_each_index(0, 8, [](int i) { heist::for_each_index(0, 8, [i](int j) { many[7 * i + j] = 1; }); });
}
CASE("loop: for_each over a vector", clean) {
  std::vector<int> v(100, 1);
  heist::for_each(v, [](int& e) { e += 1; });
  x = v[3];
}
CASE("loop: for_each adds to one", race) {
  std::vector<int> v(100, 1);
  heist::for_each(v, [](int e) { x += e; });
}
CASE("loop: locals of the iterations", clean) { heist::for_each_index(0, 16, [](int i) { many[i] = local_sum(i); }); }
CASE("loop: after it, in series", clean) {
  heist::for_each_index(0, 16, [](int i) { many[i] = i; });
  for (int i = 0; i < 16; ++i) x += many[i];
}
CASE("algorithm: transform", clean) {
  std::vector<int> a(100, 1), b(100);
  heist::transform(a, b.begin(), [](int e) { return e + 1; });
  x = b[5];
}
CASE("algorithm: transform onto itself, shifted", race) {
  std::vector<int> a(100, 1);
  heist::transform(a.begin(), a.end() - 1, a.begin() + 1, [](int e) { return e + 1; });
}
CASE("algorithm: transform in place", clean) {
  std::vector<int> a(100, 1);
  heist::transform(a, a.begin(), [](int e) { return e + 1; });
}
CASE("algorithm: reduce", clean) {
  std::vector<int> a(5000, 1);
  x = heist::reduce(a);
}
CASE("algorithm: sort numbers", clean) {
  std::vector<int> a(3000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i * 7919 % 3001);
  heist::sort(a);
  x = a[0];
}
CASE("algorithm: sort with a comparison", clean) {
  std::vector<std::string> a;
  for (int i = 0; i < 2000; ++i) a.push_back(std::to_string(i * 7919 % 3001));
  heist::sort(a, [](const std::string& l, const std::string& r) { return l.size() != r.size() ? l.size() < r.size() : l < r; });
  x = static_cast<int>(a[0].size());
}
CASE("algorithm: a comparison that counts", race) {
  std::vector<int> a{5, 3, 9, 1, 7};
  heist::sort(a, [](int l, int r) { return ++x, l < r; });
}
CASE("algorithm: two sorts of overlapping ranges", race) {
  std::vector<int> a(3000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i * 7919 % 3001);
  heist::join([&] { heist::sort(a.begin(), a.begin() + 2000); }, [&] { heist::sort(a.begin() + 1999, a.end()); });
}
CASE("algorithm: two sorts side by side", clean) {
  std::vector<int> a(3000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i * 7919 % 3001);
  heist::join([&] { heist::sort(a.begin(), a.begin() + 1500); }, [&] { heist::sort(a.begin() + 1500, a.end()); });
}
CASE("algorithm: scan", clean) {
  std::vector<long> a(5000, 1), b(5000);
  heist::inclusive_scan(a, b.begin());
  x = static_cast<int>(b[4999]);
}
CASE("algorithm: count_if, with a count of its own", race) {
  std::vector<int> a(100, 1);
  y = static_cast<int>(heist::count_if(a, [](int e) { return ++x, e > 0; }));
}
CASE("algorithm: find_if", clean) {
  std::vector<int> a(1000);
  std::iota(a.begin(), a.end(), 0);
  x = *heist::find_if(a, [](int e) { return e == 700; });
}
CASE("algorithm: copy_if", clean) {
  std::vector<int> a(3000), b(3000);
  std::iota(a.begin(), a.end(), 0);
  x = static_cast<int>(heist::copy_if(a.begin(), a.end(), b.begin(), [](int e) { return e % 3 == 0; }) - b.begin());
}

CASE("pool: run", race) {
  heist::pool p({.workers = 2});
  p.run([] { heist::join([] { x = 1; }, [] { x = 2; }); });
}
CASE("pool: one run after the other", clean) {
  heist::pool p({.workers = 2});
  p.run([] { x = 1; });
  p.run([] { x = 2; });
}

CASE("future: a value, asked", clean) {
  auto f = heist::async([] { return x = 1; });
  y = f.get();
  z = x;
}
CASE("future: used before it is asked", race) {
  auto f = heist::async([] { return x = 1; });
  z = x;
  y = f.get();
}
CASE("future: asked by one branch, parallel to the other", race) {
  auto f = heist::async([] { x = 1; });
  heist::join([&] { f.get(); }, [] { y = x; });
}
CASE("future: asked by one branch, in series after the join", clean) {
  auto f = heist::async([] { x = 1; });
  heist::join([&] { f.get(); }, nothing);
  y = x;
}
CASE("future: two that write", race) {
  auto f = heist::async([] { x = 1; });
  auto g = heist::async([] { x = 2; });
  f.get(), g.get();
}
CASE("future: one asks the other", clean) {
  auto f = heist::async([] { x = 1; }).shared();
  auto g = heist::async([f] { f.get(), x = 2; });
  g.get();
  x = 3;
}
CASE("future: asked through another", clean) {
  auto f = heist::async([] { x = 1; }).shared();
  auto g = heist::async([f] { f.get(); });
  g.get();
  y = x;
}
CASE("future: made in a branch, asked after the join", clean) {
  heist::future<void> f;
  heist::join([&] { f = heist::async([] { x = 1; }); }, nothing);
  f.get();
  y = x;
}
CASE("future: made in a branch, not asked after the join", race) {
  heist::future<void> f;
  heist::join([&] { f = heist::async([] { x = 1; }); }, nothing);
  y = x;
  f.get();
}
CASE("future: two readers, of which one is asked", race) {
  auto f = heist::async([] { y = get(x); });
  auto g = heist::async([] { z = get(x); });
  f.get();
  x = 1;
  g.get();
}
CASE("future: a child of a scope asked, and the scope is synced", clean) {
  heist::scope s;
  s.spawn(nothing);
  auto f = heist::async([] { x = 1; }).shared();
  s.spawn([f] { f.get(); });
  s.sync();
  heist::join(nothing, [] { x = 2; });
}
CASE("future: a child of a scope asked, and the scope is not synced", race) {
  heist::scope s;
  s.spawn(nothing);
  auto f = heist::async([] { x = 1; }).shared();
  s.spawn([f] { f.get(); });
  heist::join(nothing, [] { x = 2; });
}
CASE("future: of a first branch, asked by a child of the second, and synced", clean) {
  heist::scope s;
  std::optional<heist::shared_future<void>> f;
  heist::join([&] { f = heist::async([] { x = 1; }).shared(); }, nothing);
  heist::join(nothing, [&] { s.spawn([&] { f->get(); }); });
  s.sync();
  heist::join(nothing, [] { x = 2; });
}
CASE("future: a grandchild asked, and the scope is synced", clean) {
  heist::scope s;
  auto f = heist::async([] { x = 1; }).shared();
  s.spawn([&s, f] { s.spawn([f] { f.get(); }); });
  s.sync();
  x = 2;
}
CASE("future: then", clean) {
  auto f = heist::async([] { return x = 1; }).then([](int v) { return x += v; });
  y = f.get() + x;
}
CASE("future: then, and then again", clean) {
  auto f = heist::async([] { return x = 1; }).then([](int v) { return x += v; }).then([](int v) { return x += v; });
  y = f.get() + x;
}
CASE("future: a promise", clean) {
  heist::promise<int> p;
  auto f = p.get_future();
  heist::join([&] { x = 1, p.set_value(1); }, [&] { y = f.get() + x; });
}
CASE("future: a promise, and what is written after", race) {
  heist::promise<int> p;
  auto f = p.get_future();
  heist::join([&] { p.set_value(1), x = 1; }, [&] { y = f.get() + x; });
}
CASE("future: dropped", determinacy) {
  {
    auto f = heist::async([] { return std::string(200, 'a'); });
  }
  x = 1;
}

CASE("reducer: sum over a loop", clean) {
  heist::reducer<long> sum;
  heist::for_each_index(0, 100, [&](int i) { *sum += i; });
  x = static_cast<int>(*sum);
  if (x != 4950) std::abort();
}
CASE("reducer: over joins", clean) {
  heist::reducer<long> sum;
  heist::join([&] { *sum += 1; }, [&] { heist::join([&] { *sum += 2; }, [&] { *sum += 3; }); });
  if (*sum != 6) std::abort();
}
CASE("reducer: in a scope", clean) {
  heist::reducer<long> sum;
  heist::with_scope([&](heist::scope& s) {
    for (int i = 0; i < 10; ++i) s.spawn([&sum, i] { *sum += i; });
    *sum += 100;
  });
  if (*sum != 145) std::abort();
}
CASE("reducer: taken before the sync; backwards there is nothing yet", race) {
  heist::reducer<long> sum;
  heist::with_scope([&](heist::scope& s) {
    s.spawn([&] { *sum += 1; });
    x = static_cast<int>(sum.take());
  });
}
CASE("reducer: read before the sync; backwards there is nothing yet", race) {
  heist::reducer<int> sum;
  heist::scope s;
  s.spawn([&] { *sum += 1; });
  y = *sum;
  s.sync();
}
CASE("reducer: read after the sync", clean) {
  heist::reducer<int> sum;
  heist::scope s;
  s.spawn([&] { *sum += 1; });
  s.sync();
  y = *sum;
}
CASE("reducer: read by the second branch; backwards it is the first", race) {
  heist::reducer<int> sum;
  heist::join([&] { *sum += 1; }, [&] { y = *sum; });
}
CASE("reducer: updated and looked at by the second branch", clean) {
  heist::reducer<int, heist::op::max<int>> most;
  heist::join([&] { if (*most < 3) *most = 3; }, [&] { if (*most < 5) *most = 5; });
  y = *most;
}
CASE("reducer: read by the continuation of an inner join", clean) {
  heist::reducer<int> sum;
  heist::join([&] { *sum += 1; }, [&] { *sum += 2; });
  y = *sum;
  heist::join([&] { *sum += 1; }, [&] { *sum += 2; });
  z = *sum;
}
CASE("reducer: a vector that is counted into", clean) {
  struct add {
    std::vector<int> identity() const { return std::vector<int>(8); }
    void operator()(std::vector<int>& a, std::vector<int>&& b) const { for (std::size_t i = 0; i < 8; ++i) a[i] += b[i]; }
  };
  heist::reducer<std::vector<int>, add> bins;
  heist::join([&] { (*bins)[3] += 1; }, [&] { (*bins)[4] += 1; });
  y = (*bins)[3];
}
CASE("reducer: taken after the sync", clean) {
  heist::reducer<long> sum;
  heist::with_scope([&](heist::scope& s) { s.spawn([&] { *sum += 1; }); });
  if (sum.take() != 1) std::abort();
}
CASE("graph: nodes that an edge orders", clean) {
  heist::graph g;
  auto a = g.node([] { x = 1; }), b = g.node([] { y = x; }), c = g.node([] { z = x; });
  g.precede(a, b);
  g.precede(a, c);
  g.run();
  x = y + z;
}
CASE("graph: nodes without an edge", race) {
  heist::graph g;
  auto a = g.node([] { x = 1; }), b = g.node([] { y = 1; });
  auto c = g.node([] { z = x; });
  g.precede(a, b);
  static_cast<void>(c);
  g.run();
}
CASE("pipeline: a parallel stage", race) {
  int next = 0;
  heist::pipeline(4, [&]() -> std::optional<int> { return next < 8 ? std::optional(next++) : std::nullopt; },
                  heist::parallel([](int i) { x = i; return i; }), heist::ordered([](int i) { many[i] = i; }));
}
CASE("pipeline: an ordered stage", clean) {
  int next = 0;
  heist::pipeline(4, [&]() -> std::optional<int> { return next < 8 ? std::optional(next++) : std::nullopt; },
                  heist::parallel([](int i) { many[i] = i; return i; }), heist::ordered([](int i) { y += many[i]; }));
}
CASE("channel: a value handed over", determinacy) {
  heist::channel<std::string> c(4);
  heist::join([&] { c.push(std::string(100, 'a')); }, [&] { y = static_cast<int>(c.pop()->size()); });
}
CASE("latch", clean) {
  heist::latch l(1);
  heist::join([&] { x = 1, l.count_down(); }, [&] { l.wait(), y = x; });
}
CASE("reducer: a kept reference to a view", race) {
  heist::reducer<long> sum;
  long& view = *sum;
  heist::join([&] { view += 1; }, [&] { view += 2; });
}

}  // namespace cases_of_forks

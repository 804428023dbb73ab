// Cases of loops over arrays, which are judged together when they end, and of stacks that are used again.

#include "cases.hpp"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <regex>

namespace cases_of_sweeps {

int x;
constexpr std::size_t n = 4096;
double v[n], w[n];
int ints[n];

[[gnu::noinline]] void fill(double* from, double* to) {
  for (; from != to; ++from) *from = 1;
}
[[gnu::noinline]] double sum(const double* from, const double* to) {
  double s = 0;
  for (; from != to; ++from) s += *from;
  return s;
}

CASE("sweeps: that meet in one element", race) {
  heist::join([] { fill(v, v + 1001); }, [] { fill(v + 1000, v + n); });
}
CASE("sweeps: that touch each other", clean) {
  heist::join([] { fill(v, v + 1001); }, [] { fill(v + 1001, v + n); });
  heist::join([] { fill(v, v + 1003); }, [] { fill(v + 1003, v + n); });
}
CASE("sweeps: a write in the middle of a read one", race) {
  heist::join([] { x = static_cast<int>(sum(v, v + n)); }, [] { v[2001] = 2; });
}
CASE("sweeps: a read in the middle of a written one", race) {
  heist::join([] { fill(v, v + n); }, [] { x = static_cast<int>(v[3001]); });
}
CASE("sweeps: two that read, and a third after both", clean) {
  heist::join([] { x = static_cast<int>(sum(v, v + n)); }, [] { if (sum(v, v + n) < 0) std::abort(); });
  fill(v, v + n);
  heist::join([] { v[70] = 1; }, [] { if (sum(v + 71, v + n) < 0) std::abort(); });
}
CASE("sweeps: two that read, and one parallel to the first", race) {
  heist::scope s;
  s.spawn([] { if (sum(v, v + n) < 0) std::abort(); });
  heist::join([] { if (sum(v, v + n) < 0) std::abort(); }, [] { if (sum(w, w + n) < 0) std::abort(); });
  v[n - 1] = 3;
  s.sync();
}
CASE("sweeps: the same one again and again", clean) {
  heist::for_each_index(0, 4, [](int i) {
    for (int k = 0; k < 5; ++k) fill(v + 1000 * i, v + 1000 * (i + 1));
  });
}
CASE("sweeps: the same one, and later one element more", race) {
  heist::for_each_index(0, 4, [](int i) {
    for (int k = 0; k < 5; ++k) fill(v + 1000 * i, v + 1000 * (i + 1) + k / 4);
  });
}
CASE("sweeps: one before a fork, the other in its branch", clean) {
  fill(v, v + n);
  heist::join([] { fill(v, v + n / 2); }, [] { fill(v + n / 2, v + n); });
  fill(v, v + n);
}
CASE("sweeps: one that goes on after a fork, at the same place of the code", race) {
  const auto read = [](std::size_t i) { return static_cast<int>(v[i]); };
  int s = 0;
  heist::scope c;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 2000) c.spawn([] { v[2001] = 1; });
    s += read(i);
  }
  c.sync();
  x = s;
}
CASE("sweeps: one that goes on after a sync, at the same place of the code", clean) {
  int s = 0;
  heist::scope c;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 1000) c.spawn([] { fill(v + 1500, v + n); });
    if (i == 1500) c.sync();
    s += static_cast<int>(v[i]);
  }
  x = s;
}
CASE("sweeps: of which a part holds a lock", race) {
  static std::mutex m;
  const auto add = [](std::size_t unlocked) {
    std::unique_lock<std::mutex> lock(m);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == unlocked) lock.unlock();
      v[i] += 1;
      if (i == unlocked) lock.lock();
    }
  };
  heist::join([=] { add(n); }, [=] { add(n / 2 + 1); });
}
// Takes the lock when it comes to that element.
[[gnu::noinline]] void fill_locking(std::size_t locks_at) {
  static std::mutex m;
  std::unique_lock<std::mutex> lock(m, std::defer_lock);
  for (std::size_t i = locks_at == 0 ? 2000 : 0; i < n; ++i) {
    if (i == locks_at || (locks_at == 0 && i == 2000)) lock.lock();
    v[i] += 1;
  }
}
CASE("sweeps: that go on under a lock", determinacy) {
  heist::join([] { fill_locking(2000); }, [] { fill_locking(0); });
}
CASE("sweeps: that go on under a lock, taken too late", race) {
  heist::join([] { fill_locking(2200); }, [] { fill_locking(0); });
}
CASE("sweeps: all under a lock", determinacy) {
  static std::mutex m;
  const auto add = [] {
    const std::lock_guard<std::mutex> lock(m);
    for (double& d : v) d += 1;
  };
  heist::join(add, add);
}
CASE("sweeps: over memory that is given back and out again", clean) {
  heist::for_each_index(0, 20, [](int i) {
    const auto room = std::make_unique<double[]>(n);
    fill(room.get(), room.get() + n);
    if (sum(room.get(), room.get() + n) < i) std::abort();
  });
}
CASE("sweeps: over memory that another strand gives back", race) {
  double* const room = new double[n]();
  heist::join([=] { x = static_cast<int>(sum(room, room + n)); }, [=] { delete[] room; });
}
CASE("sweeps: over a large block that another strand gives back", race) {
  constexpr std::size_t many = 12000;  // not so large that it is mapped, as the reversed run reads it later
  double* const room = new double[many]();
  heist::join([=] { x = static_cast<int>(sum(room + many / 2, room + many / 2 + 200)); }, [=] { delete[] room; });
}
CASE("sweeps: over a block, and the next block's first element", clean) {
  heist::for_each_index(0, 8, [](int i) {
    auto a = std::make_unique<int[]>(static_cast<std::size_t>(37 + i)), b = std::make_unique<int[]>(61);
    for (int k = 0; k < 37 + i; ++k) a[static_cast<std::size_t>(k)] = k;
    a.reset();
    for (std::size_t k = 0; k < 61; ++k) b[k] = 1;
    const auto c = std::make_unique<int[]>(37);
    for (std::size_t k = 0; k < 37; ++k) c[k] = 1;
  });
}
CASE("sweeps: every other element", clean) {
  heist::join([] { for (std::size_t i = 0; i < n; i += 2) ints[i] = 1; }, [] { for (std::size_t i = 1; i < n; i += 2) ints[i] = 2; });
}
CASE("sweeps: every other element, and once two of them", race) {
  heist::join([] { for (std::size_t i = 0; i < n; i += 2) ints[i] = 1; },
              [] { for (std::size_t i = 1; i < n; i += 2) ints[i + (i == 2001 ? 1 : 0)] = 2; });
}
CASE("sweeps: downwards", race) {
  heist::join([] { for (std::size_t i = n; i-- > 1000;) ints[i] = 1; }, [] { for (std::size_t i = 0; i <= 1000; ++i) ints[i] = 2; });
}
CASE("sweeps: a byte of a word that another one reads", race) {
  heist::join([] { int s = 0; for (const int i : ints) s += i; x = s; }, [] { reinterpret_cast<char*>(ints)[4 * 777 + 3] = 1; });
}
CASE("sweeps: bytes beside a swept array", clean) {
  static struct { int before[100]; char byte; char other; short pad; int after[99]; } room;
  heist::join([] { for (int& i : room.before) i = 1; for (int& i : room.after) i = 1; }, [] { room.byte = 1; });
  heist::join([] { room.byte = 2; }, [] { room.other = 2; });
}
CASE("sweeps: in an algorithm's calls", clean) {
  heist::for_each_index(0, 64, [](int i) { fill(v + 64 * i, v + 64 * (i + 1)); });
  x = static_cast<int>(heist::reduce(v));
}
CASE("sweeps: on the stack of each", clean) {
  heist::for_each_index(0, 20, [](int i) {
    double room[200];
    fill(room, room + 200);
    if (sum(room, room + 200) < i) std::abort();
  });
}
CASE("sweeps: on the stack of the caller", race) {
  double room[200];
  heist::join([&] { fill(room, room + 101); }, [&] { fill(room + 100, room + 200); });
}

// What is quickly known to be new on the stack, and what is not.
CASE("stack: a local variable, locked on one side", race) {
  std::mutex m;
  int local = 0;
  heist::join([&] { const std::lock_guard<std::mutex> l(m); ++local; }, [&] { ++local; });
  x = local;
}
CASE("stack: a local variable, locked on both sides", determinacy) {
  std::mutex m;
  int local = 0;
  const auto add = [&] { const std::lock_guard<std::mutex> l(m); ++local; };
  heist::join(add, add);
  x = local;
}
// The first time, a place in the code goes the long way; later the short one.
[[gnu::noinline]] double get(const double* from) { return *from; }
[[gnu::noinline]] void increment(int* to) { ++*to; }
CASE("sweeps: a read in the middle of a written one, the short way", race) {
  x = static_cast<int>(get(w));
  heist::join([] { fill(v, v + n); }, [] { x = static_cast<int>(get(v + 3001)); });
}
CASE("stack: locked on one side, the short way", race) {
  std::mutex m;
  int local = 0, other = 0;
  increment(&other);
  heist::join([&] { increment(&local); }, [&] { const std::lock_guard<std::mutex> l(m); increment(&local); });
  x = local;
}
CASE("stack: a local variable and a future", race) {
  int local = 0;
  auto f = heist::async([&] { local = 1; });
  heist::join([&] { f.get(); }, [&] { local = 2; });
  x = local;
}

CASE("counts: the parent gives up its part before the children are joined", determinacy) {
  auto p = std::make_shared<const std::vector<int>>(100, 1);
  heist::scope s;
  for (int i = 0; i < 8; ++i) s.spawn([p] { if ((*p)[7] != 1) std::abort(); });
  p.reset();
  s.sync();
}
CASE("locale: a regular expression for each, that ignores case", clean) {
  heist::for_each_index(0, 4, [](int i) {
    const std::regex r("x[" + std::to_string(i) + "-9]*", std::regex::icase);
    if (!std::regex_search("ax99", r)) std::abort();
  });
}

}  // namespace cases_of_sweeps

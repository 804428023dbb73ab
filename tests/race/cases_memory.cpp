// What is the same memory, and what keeps accesses apart: locks, atomics, counts, the heap, the C library.

#include "cases.hpp"

#include <heist/race.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <functional>
#include <cstring>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <string_view>

namespace cases_of_memory {

int x, y, z;
int* shared_block;
std::mutex m, n;
heist::mutex own;
std::shared_mutex readers;
heist::shared_mutex own_readers;
std::atomic<int> counter;
thread_local int mine;
char text[64], other[64];
struct bits {
  unsigned a : 3, b : 5;
} packed;
struct pair_of_bytes {
  char a, b;
} bytes;
std::once_flag once;
void nothing() {}
[[gnu::noinline]] void set(int& to, int value) { to = value; }
[[gnu::noinline]] void drop(auto& owner) { owner.reset(); }
[[gnu::noinline]] int local_value() { return 7; }
[[gnu::noinline]] int& lazy() {
  static int value = local_value();
  return value;
}

CASE("lock: std::mutex", determinacy) {
  auto add = [] { const std::lock_guard hold(m); ++x; };
  heist::join(add, add);
}
CASE("lock: heist::mutex", determinacy) {
  auto add = [] { const std::lock_guard hold(own); ++x; };
  heist::join(add, add);
}
CASE("lock: different mutexes", race) {
  heist::join([] { const std::lock_guard hold(m); ++x; }, [] { const std::lock_guard hold(n); ++x; });
}
CASE("lock: only one of them", race) {
  heist::join([] { const std::lock_guard hold(m); ++x; }, [] { ++x; });
}
CASE("lock: released too early", race) {
  auto add = [] { { const std::lock_guard hold(m); } ++x; };
  heist::join(add, add);
}
CASE("lock: held across the join", race) {
  const std::lock_guard hold(own);
  heist::join([] { ++x; }, [] { ++x; });
}
CASE("lock: held across the join, and taken by another", determinacy) {
  heist::join([] { const std::lock_guard hold(own); x = 1; }, [] {
    const std::lock_guard hold(own);
    heist::join([] { x = 2; }, nothing);
  });
}
CASE("lock: held across a join inside, after another had it", race) {
  heist::join([] { const std::lock_guard hold(own); x = 1; }, [] {
    const std::lock_guard hold(own);
    heist::join([] { x = 2; }, [] { x = 3; });
  });
}
CASE("lock: two, of which one is common", determinacy) {
  heist::join([] { const std::scoped_lock hold(m, n); ++x; }, [] { const std::lock_guard hold(n); ++x; });
}
CASE("lock: three strands, no lock common to all", determinacy) {
  static std::mutex third;
  heist::join([] { const std::scoped_lock hold(m, n); ++x; }, [] { const std::scoped_lock hold(n, third); ++x; },
              [] { const std::scoped_lock hold(m, third); ++x; });
}
CASE("lock: unique_lock, unlocked", race) {
  auto add = [] { std::unique_lock hold(m); hold.unlock(); ++x; };
  heist::join(add, add);
}
CASE("lock: try_lock", determinacy) {
  auto add = [] { if (m.try_lock()) { ++x; m.unlock(); } };
  heist::join(add, add);
}
CASE("lock: recursive", determinacy) {
  static std::recursive_mutex r;
  auto add = [] { const std::lock_guard a(r); { const std::lock_guard b(r); } ++x; };
  heist::join(add, add);
}
CASE("lock: shared, both read", clean) {
  heist::join([] { const std::shared_lock hold(readers); y = x; }, [] { const std::shared_lock hold(readers); z = x; });
}
CASE("lock: shared, one writes", race) {
  heist::join([] { const std::shared_lock hold(readers); y = x; }, [] { const std::shared_lock hold(readers); x = 1; });
}
CASE("lock: shared and alone", determinacy) {
  heist::join([] { const std::shared_lock hold(readers); y = x; }, [] { const std::lock_guard hold(readers); x = 1; });
}
CASE("lock: heist::shared_mutex", determinacy) {
  heist::join([] { const std::shared_lock hold(own_readers); y = x; }, [] { const std::lock_guard hold(own_readers); x = 1; });
}
CASE("lock: heist::shared_mutex, both shared", race) {
  heist::join([] { const std::shared_lock hold(own_readers); y = x; }, [] { const std::shared_lock hold(own_readers); x = 1; });
}
CASE("lock: one on each strand's stack", race) {
  auto add = [] { std::mutex local; const std::lock_guard hold(local); ++x; };
  heist::join(add, add);
}
CASE("lock: one on the heap at the same address", race) {
  auto add = [] { auto local = std::make_unique<heist::mutex>(); local->lock(); ++x; local->unlock(); };
  heist::join(add, add);
}
CASE("lock: a loop", determinacy) {
  heist::for_each_index(0, 200, [](int) { const std::lock_guard hold(m); ++x; });
}
CASE("lock: a loop, and one iteration without", race) {
  heist::for_each_index(0, 200, [](int i) { std::unique_lock hold(m, std::defer_lock); if (i != 150) hold.lock(); ++x; });
}

CASE("atomic: adds", determinacy) { heist::join([] { ++counter; }, [] { ++counter; }); }
CASE("atomic: loads", clean) { heist::join([] { y = counter; }, [] { z = counter; }); }
CASE("atomic: and a plain access", race) {
  heist::join([] { ++counter; }, [] { y = *reinterpret_cast<volatile int*>(&counter); });
}
CASE("atomic: made before, used in parallel, read after", determinacy) {
  std::atomic<long> sum{0};
  heist::for_each_index(0, 100, [&](int i) { sum += i; });
  x = static_cast<int>(sum);
}
CASE("atomic: compare and exchange", determinacy) {
  auto up = [] { int seen = counter; while (!counter.compare_exchange_weak(seen, seen + 1)) {} };
  heist::join(up, up);
}
CASE("atomic: a flag is not understood", race) {
  static std::atomic<bool> ready;
  heist::join([] { x = 1, ready = true; }, [] { if (ready) y = x; });
}
CASE("atomic: a flag with annotations", determinacy) {
  static std::atomic<bool> ready;
  heist::join([] { x = 1, heist::race_release(&ready), ready = true; }, [] { if (ready) heist::race_acquire(&ready), y = x; });
}
CASE("counts: shared_ptr copies", clean) {
  auto p = std::make_shared<int>(3);
  heist::join([p] { y = *p; }, [p] { z = *p; });
}
CASE("counts: the last one destroys", determinacy) {
  auto p = std::make_shared<std::vector<int>>(100, 1);
  auto q = p;
  heist::join([p = std::move(p)]() mutable { y = (*p)[3]; p.reset(); }, [q = std::move(q)]() mutable { z = (*q)[3]; q.reset(); });
}
CASE("counts: both write through it", race) {
  auto p = std::make_shared<int>(3);
  heist::join([p] { *p = 1; }, [p] { *p = 2; });
}
CASE("once: call_once", clean) {
  auto first = [] { std::call_once(once, [] { x = 1; }); return x; };
  heist::join([&] { y = first(); }, [&] { z = first(); });
}
CASE("once: and what was done before it", race) {
  static std::once_flag flag;
  auto first = [] { std::call_once(flag, [] { y = 1; }); };
  heist::join([&] { x = 1; first(); }, [&] { first(); x = 2; });
}
CASE("once: a function's static", clean) {
  heist::join([] { y = lazy(); }, [] { z = lazy(); });
}
CASE("once: a function's static that is changed", race) {
  heist::join([] { y = lazy(); }, [] { lazy() = 2; });
}
CASE("once: a reader beside it, and a writer after it", race) {
  static std::once_flag flag;
  heist::scope s;
  s.spawn([] { std::call_once(flag, [] { y = x; }); });
  s.spawn([] { z = x; });  // the first one's reading does not stand for this one's
  s.spawn([] { std::call_once(flag, nothing); x = 1; });
  s.sync();
}
CASE("once: a reader beside a function's static, and a writer after it", race) {
  static int& (*const first)() = [] () -> int& { static int value = x; return value; };
  heist::scope s;
  s.spawn([] { y = first(); });
  s.spawn([] { z = x; });
  s.spawn([] { x = first(); });
  s.sync();
}
CASE("once: what was done before it, and touched again in it", race) {
  static std::once_flag flag;
  heist::join([] { y = x; std::call_once(flag, [] { z = x; }); }, [] { std::call_once(flag, nothing); x = 1; });
}
CASE("once: a flag released in it, and by another strand after it", clean) {
  static std::once_flag flag;
  static int sign;
  heist::scope s;
  s.spawn([] { y = x; std::call_once(flag, [] { heist::race_release(&sign); }); });
  s.spawn([] { std::call_once(flag, nothing); heist::race_release(&sign); });
  s.spawn([] { heist::race_acquire(&sign); x = 1; });
  s.sync();
}
CASE("counts: a flag released by the last owner's destructor, and again after it", determinacy) {
  static int sign;
  struct owned { ~owned() { heist::race_release(&sign); } };
  auto p = std::make_shared<owned>();
  auto q = p;
  heist::scope s;
  s.spawn([p = std::move(p)]() mutable { y = x; p.reset(); });
  s.spawn([q = std::move(q)]() mutable { drop(q); heist::race_release(&sign); });
  s.spawn([] { heist::race_acquire(&sign); x = 1; });
  s.sync();
}
CASE("once: it throws, and is done again", clean) {
  static std::once_flag flag;
  static bool failed = false;
  auto first = [] {
    try {
      std::call_once(flag, [] { if (!std::exchange(failed, true)) throw 1; x = 1; });
    } catch (int) {
      std::call_once(flag, [] { x = 1; });
    }
    return x;
  };
  heist::join([&] { y = first(); }, [&] { z = first(); });
}
CASE("once: only readers before the writer", clean) {
  static std::once_flag flag;
  heist::scope s;
  s.spawn([] { std::call_once(flag, [] { y = x; }); });
  s.spawn([] { std::call_once(flag, nothing); x = 1; });
  s.sync();
}
CASE("once: another variable at the address of a flag that is gone", race) {
  heist::scope s;
  s.spawn([] {
    const auto flag = std::make_unique<std::once_flag>();
    std::call_once(*flag, [] { x = 1; });
  });
  s.spawn([] {
    const auto gone = std::make_unique<std::atomic<char>>('a');
    y = gone->load();
    x = 2;
  });
  s.sync();
}
CASE("thread_local", clean) { heist::join([] { mine = 1; }, [] { mine = 2; }); }

CASE("bytes: two neighbours", clean) { heist::join([] { bytes.a = 1; }, [] { bytes.b = 2; }); }
CASE("bytes: the same", race) { heist::join([] { bytes.a = 1; }, [] { bytes.a = 2; }); }
CASE("bytes: a word over one of them", race) {
  heist::join([] { text[2] = 1; }, [] { *reinterpret_cast<volatile int*>(text) = 2; });
}
CASE("bytes: an unaligned word", race) {
  heist::join([] { text[5] = 1; }, [] { int v = 7; std::memcpy(text + 3, &v, sizeof v); });
}
CASE("bytes: each its own, in a loop", clean) { heist::for_each_index(0, 64, [](int i) { text[i] = 1; }); }
CASE("bytes: again, in series", clean) {
  heist::for_each_index(0, 64, [](int i) { text[i] = 1; });
  heist::for_each_index(0, 64, [](int i) { text[63 - i] = 2; });
}
CASE("bit fields", race) { heist::join([] { packed.a = 1; }, [] { packed.b = 2; }); }
CASE("vector<bool>", race) {
  std::vector<bool> v(64);
  heist::for_each_index(0, 64, [&](int i) { v[static_cast<std::size_t>(i)] = true; });
}
CASE("memset", race) { heist::join([] { std::memset(text, 1, 8); }, [] { text[7] = 2; }); }
CASE("memset: apart", clean) { heist::join([] { std::memset(text, 1, 8); }, [] { text[8] = 2; }); }
CASE("memcpy: small", race) { heist::join([] { std::memcpy(text, other, 4); }, [] { text[3] = 2; }); }
CASE("memcpy: reads", race) { heist::join([] { std::memcpy(text, other, 32); }, [] { other[31] = 2; }); }
CASE("memmove", race) { heist::join([] { std::memmove(text + 1, text, 32); }, [] { text[32] = 2; }); }
CASE("strcpy", race) { heist::join([] { std::strcpy(text, "abc"); }, [] { text[3] = 2; }); }
CASE("strlen", race) {
  std::strcpy(text, "abcdef");
  heist::join([] { y = static_cast<int>(std::strlen(text)); }, [] { text[3] = 'x'; });
}
CASE("snprintf", race) { heist::join([] { std::snprintf(text, sizeof text, "%d", 100); }, [] { text[1] = 2; }); }
CASE("strings: one for each", clean) {
  heist::join([] { std::string s(100, 'a'); s += "b"; y = s[3]; }, [] { std::string s(100, 'a'); s += "b"; z = s[3]; });
}
CASE("strings: one for both", race) {
  std::string s(100, 'a');
  heist::join([&] { s[3] = 'b'; }, [&] { s[3] = 'c'; });
}
CASE("vectors: push_back from both", race) {
  std::vector<int> v;
  v.reserve(10);
  heist::join([&] { v.push_back(1); }, [&] { v.push_back(2); });
}
struct large { int a[20]; } large_from, large_to;  // not in the function: compilers drop what nobody reads
// What g++ would do in line, as the library's headers ask for it by name.
CASE("in line: std::fill of bytes", race) {
  static char room[200];
  heist::join([] { std::fill(room, room + 100, 'x'); }, [] { room[99] = 1; });
  x = room[5];
}
CASE("in line: std::array of bytes, filled", race) {
  static std::array<char, 24> room;
  heist::join([] { room.fill('x'); }, [] { room[23] = 1; });
  x = room[5];
}
CASE("in line: std::copy of bytes", race) {
  static char from[200], to[200];
  heist::join([] { std::copy(from, from + 100, to); }, [] { from[99] = 1; });
  x = to[5];
}
CASE("in line: std::equal of bytes", race) {
  static char one[200], two[200];
  heist::join([] { x = std::equal(one, one + 8, two); }, [] { two[0] = 1; });
}
CASE("in line: a string of a few bytes", race) {
  static char from[200];
  std::string s;
  heist::join([&] { s = std::string(from, 30); }, [] { from[29] = 1; });
  x = s[5];
}
CASE("in line: a vector of bytes, assigned", race) {
  std::vector<char> v(100, 'x');
  heist::join([&] { v.assign(50, 'y'); }, [&] { v[49] = 1; });
  x = v[5];
}
CASE("in line: by the builtins' own names, and behind them", clean) {
  static char from[200], to[200];
  heist::join([] { __builtin_memcpy(to, from, 24); __builtin_memset(to, 0, 24); x = __builtin_memcmp(from, to, 8); },
              [] { to[24] = 1; from[24] = 1; });
}
CASE("in line: text that the compiler knows", clean) {
  static_assert(std::string_view("abc") == "abc" && std::string_view("abc").substr(1) < "c");
  heist::join([] { x = std::string("abc") == "abd"; }, [] { y = std::string_view("abc") == "abc"; });
}
CASE("struct copies", race) {
  heist::join([] { large_to = large_from; }, [] { large_from.a[19] = 1; });
}

CASE("heap: a block for each", clean) {
  auto use = [] { auto p = std::make_unique<int>(1); set(*p, 2); };
  heist::join(use, use);
}
CASE("heap: freed while it is used", race) {
  shared_block = new int(1);
  heist::join([] { y = *shared_block; }, [] { delete shared_block; });
}
CASE("heap: freed, then used", race) {
  shared_block = new int(1);
  heist::join([] { delete shared_block; }, [] { y = 1; if (y == 0) z = *shared_block; });
  shared_block = new int(1);
  heist::join([] { z = *shared_block; }, [] { delete shared_block; });
}
CASE("heap: given out again", clean) {
  heist::for_each_index(0, 50, [](int i) { std::vector<int> v(100, i); v[3] = 1; });
}
CASE("heap: realloc", race) {
  shared_block = static_cast<int*>(std::malloc(16));
  shared_block[0] = 1;
  heist::join([] { y = shared_block[0]; }, [] { shared_block = static_cast<int*>(std::realloc(shared_block, 4096)); });
}
CASE("heap: calloc", race) {
  auto* p = static_cast<int*>(std::calloc(16, 4));
  heist::join([=] { p[3] = 1; }, [=] { p[3] = 2; });
  std::free(p);
}
CASE("virtual calls", clean) {
  struct base { virtual ~base() = default; virtual int f() { return 1; } };
  struct derived : base { int f() override { return 2; } };
  std::unique_ptr<base> b = std::make_unique<derived>();
  heist::join([&] { y = b->f(); }, [&] { z = b->f(); });
}
CASE("virtual: destroyed while it is called", race) {
  struct base { virtual ~base() = default; virtual int f() { return x; } };
  struct derived : base { int f() override { return x + 1; } };
  base* b = std::getenv("HEIST_RACE") != nullptr ? new derived : new base;  // so that the call stays a virtual one
  heist::join([=] { y = b->f(); }, [=] { delete b; });
}
CASE("exceptions: one in each strand", clean) {
  auto fail = [] { try { throw std::string("no"); } catch (const std::string& s) { static_cast<void>(s.size()); } };
  heist::join(fail, fail);
}
CASE("iostreams: one for each", clean) {
  auto write = [] { std::ostringstream s; s << 1 << "abc" << 2.5; return s.str(); };
  heist::join(write, write);
}
CASE("iostreams: std::printf from both", clean) {
  heist::join([] { std::printf("%s", ""); }, [] { std::printf("%s", ""); });
}
CASE("functions: std::function", clean) {
  std::function<int()> f = [k = std::string(100, 'a')] { return static_cast<int>(k.size()); };
  heist::join([f] { y = f(); }, [f] { z = f(); });
}
CASE("volatile", race) {
  static volatile int v = 0;
  heist::join([] { v = 1; }, [] { v = 2; });
}

}  // namespace cases_of_memory

// What programs use besides heist: the C++ library, the C library, mapped memory, things done once, atomics.

#include "cases.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <shared_mutex>
#include <span>
#include <sstream>
#include <string>
#include <unordered_map>

namespace cases_of_libraries {

int x, y, z;
char text[64], other[64];
struct padded { char c; long l; } padded_from, padded_to;
struct two { long a, b; } two_from, two_to;
[[gnu::noinline]] int get(const int& from) { return from; }
[[gnu::noinline]] void set(int& to, int value) { to = value; }

// Locks and their forms.
std::mutex a, b;
std::timed_mutex timed;
std::shared_timed_mutex shared_timed;
heist::mutex own;

CASE("lock: scoped_lock of two", determinacy) {
  auto add = [] { const std::scoped_lock hold(a, b); ++x; };
  heist::join(add, add);
}
CASE("lock: scoped_lock of two, and one of them", determinacy) {
  heist::join([] { const std::scoped_lock hold(a, b); ++x; }, [] { const std::scoped_lock hold(b); ++x; });
}
CASE("lock: timed_mutex", determinacy) {
  auto add = [] { if (timed.try_lock_for(std::chrono::seconds(1))) { ++x; timed.unlock(); } };
  heist::join(add, add);
}
CASE("lock: shared_timed_mutex", determinacy) {
  heist::join([] { const std::shared_lock hold(shared_timed); y = x; }, [] { const std::unique_lock hold(shared_timed); x = 1; });
}
CASE("lock: heist::mutex, try_lock_for", determinacy) {
  auto add = [] { if (own.try_lock_for(std::chrono::seconds(1))) { ++x; own.unlock(); } };
  heist::join(add, add);
}
CASE("lock: adopted and deferred", determinacy) {
  heist::join([] { a.lock(); const std::lock_guard hold(a, std::adopt_lock); ++x; },
              [] { std::unique_lock hold(a, std::defer_lock); hold.lock(); ++x; });
}
CASE("lock: moved to another holder", determinacy) {
  auto add = [] { std::unique_lock hold(a); const std::unique_lock moved(std::move(hold)); ++x; };
  heist::join(add, add);
}
CASE("lock: one of an array", race) {
  static std::mutex many[2];
  heist::for_each_index(0, 4, [](int i) { const std::lock_guard hold(many[i % 2]); ++x; });
}
CASE("lock: one of an array, each for its own", determinacy) {
  static std::mutex many[2];
  static int counts[2];
  heist::for_each_index(0, 4, [](int i) { const std::lock_guard hold(many[i % 2]); ++counts[i % 2]; });
}
CASE("lock: in an object, by a member function", determinacy) {
  struct account {
    std::mutex m;
    long balance = 0;
    void add(long n) { const std::lock_guard hold(m); balance += n; }
    long read() { const std::lock_guard hold(m); return balance; }
  };
  account one;
  heist::for_each_index(0, 100, [&](int i) { one.add(i); });
  x = static_cast<int>(one.read());
}
CASE("lock: the reader forgets it", race) {
  struct account {
    std::mutex m;
    long balance = 0;
    void add(long n) { const std::lock_guard hold(m); balance += n; }
    long read() const { return balance; }
  };
  account one;
  heist::join([&] { one.add(1); }, [&] { y = static_cast<int>(one.read()); });
}
CASE("lock: before the lock is taken", race) {
  heist::join([] { x = 1; const std::lock_guard hold(a); }, [] { const std::lock_guard hold(a); x = 2; });
}
CASE("lock: a lock for writers, none for readers", race) {
  heist::for_each_index(0, 8, [](int i) {
    if (i % 4 == 0) { const std::lock_guard hold(a); ++x; } else { y = get(x); }
  });
}
CASE("lock: released in between", determinacy) {
  auto add = [] { { const std::lock_guard hold(a); ++x; } { const std::lock_guard hold(a); ++x; } };
  heist::join(add, add);
}
CASE("lock: an exception releases it", race) {
  auto fail = [] { try { const std::lock_guard hold(a); throw 1; } catch (int) { ++x; } };
  heist::join(fail, fail);
}
CASE("lock: destroyed and made again at the same place", race) {
  alignas(std::mutex) static unsigned char room[sizeof(std::mutex)];
  auto add = [] {
    auto* const m = ::new (room) std::mutex;
    m->lock();
    ++x;
    m->unlock();
    m->~mutex();
  };
  heist::join(add, add);
}

// Atomics.
CASE("atomic: atomic_ref", determinacy) {
  heist::join([] { std::atomic_ref(x).fetch_add(1); }, [] { std::atomic_ref(x).fetch_add(1); });
}
CASE("atomic: atomic_ref and a plain read", race) {
  heist::join([] { std::atomic_ref(x).fetch_add(1); }, [] { y = get(x); });
}
CASE("atomic: one store, one load", determinacy) {
  static std::atomic<int> n;
  heist::join([] { n.store(1, std::memory_order_release); }, [] { y = n.load(std::memory_order_acquire); });
}
CASE("atomic: of every size", determinacy) {
  static std::atomic<char> c;
  static std::atomic<short> s;
  static std::atomic<long> l;
  auto add = [] { ++c, ++s, ++l; c |= 1, s ^= 1, l &= 7; l.exchange(3); };
  heist::join(add, add);
}
CASE("atomic: a pointer", determinacy) {
  static std::atomic<int*> p;
  heist::join([] { p = &y; }, [] { if (p.load() == nullptr) z = 1; });
}
CASE("atomic: double by compare and exchange", determinacy) {
  static std::atomic<double> sum;
  heist::for_each_index(0, 50, [](int i) {
    double seen = sum.load();
    while (!sum.compare_exchange_weak(seen, seen + i)) {}
  });
}
CASE("atomic: flag", determinacy) {
  static std::atomic_flag seen;
  heist::join([] { seen.test_and_set(); }, [] { seen.test_and_set(); });
}
CASE("atomic: next to a plain member", clean) {
  static struct { std::atomic<int> n; int plain; } both;
  heist::join([] { both.plain = 1; }, [] { y = both.n.load(); });
}

// Things done once, and what belongs to the thread.
struct settings {
  settings() : v(100, 1), name("settings") {}
  std::vector<int> v;
  std::string name;
};
settings& lazily() {
  static settings one;
  return one;
}
thread_local std::vector<int> scratch;
thread_local int last_error = 0;
CASE("once: a static with constructors, in a loop", clean) {
  heist::for_each_index(0, 50, [](int i) { if (lazily().v[static_cast<std::size_t>(i)] != 1) std::abort(); });
}
CASE("once: call_once in a loop", clean) {
  static std::once_flag flag;
  static std::vector<int> table;
  heist::for_each_index(0, 50, [](int i) {
    std::call_once(flag, [] { table.assign(50, 3); });
    if (table[static_cast<std::size_t>(i)] != 3) std::abort();
  });
}
CASE("once: not by call_once but by a test", race) {
  static std::vector<int>* table;
  heist::for_each_index(0, 2, [](int) {
    if (table == nullptr) table = new std::vector<int>(50, 3);
    if ((*table)[0] != 3) std::abort();
  });
}
CASE("thread_local: with constructors, in a loop", clean) {
  heist::for_each_index(0, 100, [](int i) {
    scratch.clear();
    for (int k = 0; k < i; ++k) scratch.push_back(k);
    last_error = i;
  });
}

// Counts of owners.
CASE("counts: shared_ptr in a loop", determinacy) {
  auto p = std::make_shared<const std::vector<int>>(100, 1);
  heist::for_each_index(0, 100, [p](int i) { auto q = p; if ((*q)[static_cast<std::size_t>(i)] != 1) std::abort(); });
}
CASE("counts: a list of shared nodes, released in parallel", determinacy) {
  struct node { int value = 0; std::shared_ptr<node> next; };
  auto tail = std::make_shared<node>();
  std::vector<std::shared_ptr<node>> heads(20);
  for (auto& h : heads) h = std::make_shared<node>(node{1, tail});
  tail.reset();
  heist::for_each(heads, [](std::shared_ptr<node>& h) { if (h->next->value != 0) std::abort(); h.reset(); });
}
CASE("counts: weak_ptr", determinacy) {
  auto p = std::make_shared<int>(1);
  std::weak_ptr<int> w = p;
  heist::join([w] { if (auto q = w.lock()) y = *q; }, [w] { if (auto q = w.lock()) z = *q; });
}
CASE("counts: one shared_ptr that both assign", race) {
  auto p = std::make_shared<int>(1);
  heist::join([&] { p = std::make_shared<int>(2); }, [&] { p = std::make_shared<int>(3); });
}

// Containers and streams.
CASE("containers: one for each", clean) {
  heist::for_each_index(0, 20, [](int i) {
    std::map<int, std::string> m;
    std::unordered_map<int, int> u;
    std::deque<int> d;
    for (int k = 0; k < 20; ++k) m[k] = std::to_string(i), u[k] = i, d.push_front(k);
    std::sort(d.begin(), d.end());
  });
}
CASE("containers: a map that all read", clean) {
  std::map<int, int> m;
  for (int i = 0; i < 100; ++i) m[i] = i;
  heist::for_each_index(0, 100, [&m = std::as_const(m)](int i) { if (m.at(i) != i) std::abort(); });
}
CASE("containers: a map that all write", race) {
  std::map<int, int> m;
  heist::for_each_index(0, 10, [&](int i) { m[i] = i; });
}
CASE("containers: an unordered_map filled before, changed by key", clean) {
  std::unordered_map<int, int> m;
  for (int i = 0; i < 100; ++i) m[i] = 0;
  heist::for_each_index(0, 100, [&](int i) { m.find(i)->second = i; });
}
CASE("containers: a vector that grows in one branch", race) {
  std::vector<int> v(4, 1);
  heist::join([&] { for (int i = 0; i < 100; ++i) v.push_back(i); }, [&] { y = v[0]; });
}
CASE("containers: std::sort of halves", clean) {
  std::vector<int> v(1000);
  for (int i = 0; i < 1000; ++i) v[static_cast<std::size_t>(i)] = (i * 7919) % 1009;
  heist::join([&] { std::sort(v.begin(), v.begin() + 500); }, [&] { std::sort(v.begin() + 500, v.end()); });
}
CASE("containers: std::sort of halves that overlap", race) {
  std::vector<int> v(1000);
  for (int i = 0; i < 1000; ++i) v[static_cast<std::size_t>(i)] = (i * 7919) % 1009;
  heist::join([&] { std::sort(v.begin(), v.begin() + 501); }, [&] { std::sort(v.begin() + 500, v.end()); });
}
CASE("streams: std::cout from both", clean) {
  heist::for_each_index(0, 20, [](int i) { std::cout << "line " << i << ' ' << 2.5 << std::endl; });
}
CASE("streams: std::clog, numbers and characters", clean) {
  heist::join([] { std::clog << 17 << ' ' << 1.5 << '\n'; }, [] { std::clog << "3" << std::string("x") << '\n'; });
}
CASE("streams: the flags of std::clog", race) {
  heist::join([] { std::clog << std::hex << 17 << '\n'; }, [] { std::clog << std::dec << 17 << '\n'; });
}
CASE("streams: one ostringstream for both", race) {
  std::ostringstream s;
  heist::join([&] { s << 1 << "abcdefgh"; }, [&] { s << 2 << "abcdefgh"; });
}
CASE("streams: fprintf to one file", clean) {
  std::FILE* const f = std::tmpfile();
  heist::for_each_index(0, 20, [f](int i) { std::fprintf(f, "%d\n", i); });
  std::fclose(f);
}
CASE("random: a generator for each", clean) {
  heist::for_each_index(0, 20, [](int i) { std::mt19937 dice(static_cast<unsigned>(i)); if (dice() == 0) std::abort(); });
}
CASE("random: a generator for all", race) {
  static std::mt19937 dice(1);
  heist::for_each_index(0, 20, [](int) { if (dice() == 0) std::abort(); });
}
CASE("functions: a std::function that all call", clean) {
  const std::function<int(int)> f = [k = 3](int i) { return i * k; };
  heist::for_each_index(0, 20, [&](int i) { if (f(i) != 3 * i) std::abort(); });
}
CASE("exceptions: one object that both handle", clean) {
  std::exception_ptr e = std::make_exception_ptr(std::runtime_error("no"));
  auto look = [e] { try { std::rethrow_exception(e); } catch (const std::exception& s) { if (s.what()[0] != 'n') std::abort(); } };
  heist::join(look, look);
}
CASE("exceptions: from a loop, with a race before", race) {
  try {
    heist::for_each_index(0, 10, [](int i) { x = i; if (i == 5) throw std::runtime_error("no"); });
  } catch (const std::exception&) {
  }
}

// The C library.
CASE("C: strncpy, strcat, strcmp, strchr", race) {
  heist::join([] { std::strncpy(text, "abc", 8); }, [] { text[7] = 1; });
}
CASE("C: strcat", race) {
  std::strcpy(text, "ab");
  heist::join([] { std::strcat(text, "cd"); }, [] { text[4] = 1; });
}
CASE("C: strcmp reads", race) {
  std::strcpy(text, "abcd"), std::strcpy(other, "abcd");
  heist::join([] { y = std::strcmp(text, other); }, [] { other[2] = 'x'; });
}
CASE("C: memcmp reads", race) {
  heist::join([] { y = std::memcmp(text, other, 16); }, [] { other[0] = 'x'; });
}
CASE("C: memchr and strchr read", race) {
  std::strcpy(text, "abcd");
  heist::join([] { y = std::strchr(text, 'd') != nullptr; }, [] { text[3] = 'x'; });
}
CASE("C: strdup reads", race) {
  std::strcpy(text, "abcd");
  heist::join([] { std::free(::strdup(text)); }, [] { text[3] = 'x'; });
}
CASE("C: sprintf writes", race) { heist::join([] { std::sprintf(text, "%d", 12345); }, [] { text[4] = 1; }); }
CASE("C: sscanf writes", race) {
  static int to;
  heist::join([] { y = std::sscanf("17", "%d", &to); }, [] { to = 1; });
}
CASE("C: read writes", race) {
  const int from = ::open("/dev/zero", O_RDONLY);
  heist::join([=] { y = static_cast<int>(::read(from, text, 8)); }, [] { text[5] = 1; });
  ::close(from);
}
CASE("C: write reads", race) {
  const int to = ::open("/dev/null", O_WRONLY);
  heist::join([=] { y = static_cast<int>(::write(to, text, 8)); }, [] { text[5] = 1; });
  ::close(to);
}
CASE("C: fread and fwrite", race) {
  std::FILE* const to = std::fopen("/dev/null", "w");
  heist::join([=] { y = static_cast<int>(std::fwrite(text, 1, 8, to)); }, [] { text[5] = 1; });
  std::fclose(to);
}
CASE("C: qsort writes", race) {
  static int v[8] = {3, 1, 2, 5, 4, 7, 6, 0};
  heist::join([] { std::qsort(v, 8, sizeof(int), [](const void* p, const void* q) { return *static_cast<const int*>(p) - *static_cast<const int*>(q); }); },
              [] { v[0] = 9; });
}
CASE("C: localtime_r writes", race) {
  static std::tm to;
  heist::join([] { const std::time_t t = 0; ::localtime_r(&t, &to); }, [] { to.tm_year = 1; });
}
CASE("C: strtol, atoi, getenv, time", clean) {
  heist::for_each_index(0, 10, [](int) {
    char* end = nullptr;
    if (std::strtol("17", &end, 10) != 17 || std::atoi("3") != 3) std::abort();
    static_cast<void>(std::getenv("HOME"));
    static_cast<void>(std::time(nullptr));
  });
}
CASE("C: strtol writes the end", race) {
  static char* end;
  heist::join([] { y = static_cast<int>(std::strtol("17", &end, 10)); }, [] { end = nullptr; });
}
CASE("C: gettimeofday and clock_gettime write", race) {
  static timespec t;
  heist::join([] { ::clock_gettime(CLOCK_MONOTONIC, &t); }, [] { t.tv_sec = 1; });
}
CASE("C: errno", clean) {
  heist::join([] { ::close(-1); y = errno; }, [] { ::close(-1); z = errno; });
}

// Memory.
CASE("memory: mapped for each, at the same place", clean) {
  heist::for_each_index(0, 10, [](int i) {
    auto* const p = static_cast<int*>(::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    p[0] = i;
    p[1500] = i;
    ::munmap(p, 8192);
  });
}
CASE("memory: mapped, and written by both", race) {
  auto* const p = static_cast<int*>(::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  heist::join([=] { p[1500] = 1; }, [=] { p[1500] = 2; });
  ::munmap(p, 8192);
}
CASE("memory: unmapped while it is read", race) {
  auto* const p = static_cast<int*>(::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  heist::join([=] { y = p[3]; }, [=] { ::munmap(p, 8192); });
}
CASE("memory: large blocks, given out again", clean) {
  heist::for_each_index(0, 10, [](int i) { std::vector<char> v(1 << 20, static_cast<char>(i)); v[77] = 1; });
}
CASE("memory: aligned new and delete", clean) {
  struct alignas(64) wide { int a[16]; };
  heist::for_each_index(0, 20, [](int i) { auto p = std::make_unique<wide>(); p->a[3] = i; });
}
CASE("memory: freed twice over by two strands' vectors", clean) {
  std::vector<std::vector<int>> v(20, std::vector<int>(100));
  heist::for_each(v, [](std::vector<int>& w) { w = std::vector<int>(50, 1); });
}
CASE("stack: alloca and recursion", clean) {
  struct deep {
    [[gnu::noinline]] static int sum(int n) {
      volatile char room[100];
      room[n % 100] = 1;
      return n == 0 ? room[0] : sum(n - 1) + room[n % 100];
    }
  };
  heist::for_each_index(0, 20, [](int i) { if (deep::sum(i * 5) < 0) std::abort(); });
}
CASE("stack: an array of the caller, by pieces", clean) {
  int room[64] = {};
  heist::for_each_index(0, 64, [&](int i) { room[i] = i; });
  x = room[3];
}
CASE("stack: an array of the caller, all of it", race) {
  int room[64] = {};
  heist::for_each_index(0, 4, [&](int i) { for (int& r : room) r = i; });
  x = room[3];
}
CASE("stack: a std::span of the caller's", race) {
  std::vector<int> v(100);
  const std::span<int> all(v);
  heist::join([=] { for (int& i : all.first(51)) i = 1; }, [=] { for (int& i : all.last(50)) i = 2; });
}
CASE("bytes: shorts that share a word", clean) {
  static short pair[2];
  heist::join([] { pair[0] = 1; }, [] { pair[1] = 2; });
  heist::join([] { pair[1] = 1; }, [] { pair[0] = 2; });
}
CASE("bytes: a struct with padding, copied and its member written", race) {
  heist::join([] { padded_to = padded_from; }, [] { padded_from.l = 1; });
}
CASE("bytes: 16 at once", race) {
  heist::join([] { two_to = two_from; }, [] { two_to.b = 1; });
}
CASE("bytes: doubles and vectors of them", clean) {
  static double v[128];
  heist::for_each_index(0, 16, [](int i) { for (int k = 0; k < 8; ++k) v[8 * i + k] = 2.0 * v[8 * i + k] + 1; });
}
CASE("bit fields: in two words", clean) {
  static struct { unsigned first : 8; unsigned : 0; unsigned second : 8; } fields;
  heist::join([] { fields.first = 1; }, [] { fields.second = 1; });
}

}  // namespace cases_of_libraries

// A loop that makes n children of 256 bytes: the one that steals continuations runs each child at once, the one that steals children
// queues them all.

#include "contrasts.hpp"

#include <bench/common/memory.hpp>

#include <heist/deque.hpp>
#include <heist/heist.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <thread>

namespace contrasts {

namespace {

using payload = std::array<char, 256>;

std::atomic<long> live{0}, most{0}, ran{0};

class child {
 public:
  child() {
    const long now = ++live;
    for (long seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
  }
  ~child() { --live; }
  void run() {
    bytes_.fill(1);
    ++ran;
  }

 private:
  payload bytes_;
};

struct figures {
  long most;
  double kib;
};

template <class F>
figures measured(long n, F&& f) {
  live = most = ran = 0;
  const bench::rss_peak peak;
  f();
  bench::expect(ran == n && live == 0, "a child did not run once");
  return {most, peak.added_kib()};
}

figures continuations(heist::pool& pool, long n) {
  return measured(n, [&] {
    pool.run([=] {
      heist::scope s;
      for (long i = 0; i < n; ++i)
        s.spawn([] {
          child c;
          c.run();
        });
    });
  });
}

// The loop's thread pushes; a thief helps; at the end the loop's thread runs what is left.
figures children(long n) {
  return measured(n, [&] {
    heist::deque<child*> tasks;
    std::atomic<bool> over{false};
    auto run = [](child* c) {
      c->run();
      delete c;
    };
    std::thread thief([&] {
      while (!over)
        if (const auto c = tasks.steal()) run(*c);
    });
    for (long i = 0; i < n; ++i) tasks.push(new child);
    while (const auto c = tasks.pop()) run(*c);
    over = true;
    thief.join();
  });
}

}  // namespace

void space(const size& s) {
  std::printf("A loop that makes n children, with one thief\n\n");
  heist::pool pool({.workers = 2});
  bench::table t({"n", "children alive at once: continuations stolen", "children stolen", "KiB more resident: continuations stolen",
                  "children stolen"});
  for (const long n : {1'000L, 100'000L, 1'000'000L}) {
    if (s.small && n > 1'000) break;
    const figures a = continuations(pool, n), b = children(n);
    t.add({bench::text("%ld", n), bench::text("%ld", a.most), bench::text("%ld", b.most), bench::text("%.0f", a.kib),
           bench::text("%.0f", b.kib)});
  }
  t.print();
}

}  // namespace contrasts

// A program to be profiled as a whole: roots, a scope outside, two pools, one of which ends, and a region.
// In another language, if wanted; or strands that wait; or something fine, of which nothing but forks is to be measured; or
// something coarse.

#include <heist/heist.hpp>

#include <chrono>
#include <clocale>
#include <cstdio>
#include <ctime>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>

namespace {

void balanced(int depth) {
  if (depth > 0) heist::join([=] { balanced(depth - 1); }, [=] { balanced(depth - 1); });
}

// Leaves of a millisecond of its thread's own time.
void coarse(int depth) {
  if (depth > 0) return heist::join([=] { coarse(depth - 1); }, [=] { coarse(depth - 1); });
  auto own_time = [] {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1'000'000'000L + t.tv_nsec;
  };
  for (const long end = own_time() + 1'000'000; own_time() < end;) {
  }
}

// Futures, asked at once and later, and strands that wait in branches and children.
void waits() {
  using namespace std::chrono_literals;
  heist::default_pool().run([] {
    heist::future<void> later = heist::async([] { balanced(2); });
    heist::async([] { heist::sleep_for(1ms), balanced(1); }).get();
    heist::join([] { heist::sleep_for(1ms), balanced(2); },
                [] { heist::suspend([](heist::resumption r) { r.resume(); }), balanced(1); });
    heist::channel<int> c(1);
    heist::scope s;
    s.spawn([&] { balanced(*c.pop()); });
    s.spawn([&] { heist::sleep_for(1ms), c.push(3); });
    s.sync();
    later.get();
  });
}

// Children of one scope: three of its strand, of which one is in a branch, and seven that its children spawn.
void others() {
  heist::default_pool().run([] {
    heist::scope s;
    const auto tree = [&s](auto self, int depth) -> void {
      balanced(1);
      if (depth == 0) return;
      s.spawn([self, depth] { self(self, depth - 1); });
      s.spawn_later([self, depth] { self(self, depth - 1); });
    };
    s.spawn([&] { tree(tree, 2); });
    heist::join([&] { s.spawn([] { balanced(1); }); }, [] { balanced(2); });
    s.spawn_later([&] { s.spawn([] { balanced(1); }); });
    s.sync();
  });
}

// Futures of a thread outside every pool, of which one is asked, and those that nobody asks, outside and in a pool.
void outside() {
  heist::future<void> asked = heist::async([] { balanced(3); });
  static_cast<void>(heist::async([] { balanced(2); }));
  heist::default_pool().wait_idle();
  heist::default_pool().run([] { static_cast<void>(heist::async([] { balanced(1); })); });
  asked.get();
  balanced(4);
}

// As in much of Europe, for streams: 1.234,5.
struct commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

// The environment's language for C, commas for streams; says how both write a number.
void speak() {
  std::setlocale(LC_ALL, "");
  std::locale::global(std::locale(std::locale::classic(), new commas));
  std::printf("%.1f ", 1234.5);
  std::ostringstream s;
  s << 1234.5;
  std::puts(s.str().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "everything";
  if (wanted == "nothing") return 0;
  if (wanted == "fine") return balanced(17), 0;
  if (wanted == "coarse") return coarse(6), 0;
  if (wanted == "waits") return waits(), 0;
  if (wanted == "others") return others(), 0;
  if (wanted == "outside") return outside(), 0;
  if (wanted == "commas") speak();
  balanced(6);  // 3 * 64 − 2 strands, span 13
  if (wanted == "one root") return 0;
  {
    heist::pool own({.workers = 2});
    own.run([] {
      const heist::region r{"in a \"pool\""};
      balanced(4);  // 3 * 16 − 2, span 9
    });
  }
  heist::scope s;  // two children, side by side: 3 * 2 − 2 and 1, span 3
  s.spawn([] { balanced(1); });
  s.spawn([] {});
  s.sync();
}

// What the tests run on several machines: program name arguments… Prints the value of the root, and how much was lent.

#include <heist/cluster.hpp>
#include <heist/heist.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace hc = heist::cluster;

// Queens: a type of the user's, sent by cereal; hc::sum. ------------------------------------------------------------

struct board {
  int size = 0, row = 0;
  std::uint32_t columns = 0, rising = 0, falling = 0;

  template <class Archive>
  void serialize(Archive& a) {
    a(size, row, columns, rising, falling);
  }
  std::uint32_t free() const { return ~(columns | rising | falling) & ((1u << size) - 1); }
  board with(std::uint32_t place) const {
    return {size, row + 1, columns | place, (rising | place) << 1, (falling | place) >> 1};
  }
};

long queens_here(board b) {
  if (b.row == b.size) return 1;
  long all = 0;
  for (std::uint32_t open = b.free(); open != 0; open &= open - 1) all += queens_here(b.with(open & -open));
  return all;
}

long queens(board b) {
  if (b.row == b.size) return 1;
  if (b.row >= 4) return queens_here(b);
  std::vector<hc::call<&queens>> next;
  for (std::uint32_t open = b.free(); open != 0; open &= open - 1) next.push_back(hc::task<&queens>(b.with(open & -open)));
  return hc::sum(next);
}
HEIST_CLUSTER_TASK(queens)

// Fib: a join of tasks. ---------------------------------------------------------------------------------------------

long fib_here(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib_here(n - 1); }, [=] { return fib_here(n - 2); });
  return a + b;
}
long fib(int n) {
  if (n < 22) return fib_here(n);
  auto [a, b] = heist::join(hc::task<&fib>(n - 1), hc::task<&fib>(n - 2));
  return a + b;
}
HEIST_CLUSTER_TASK(fib)

// The same under a plain join, which stays: what is below it must be lent all the same.
long plain(int n) {
  auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}
HEIST_CLUSTER_TASK(plain)

// An unbalanced tree, as UTS's: children by a hash. -------------------------------------------------------------------

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdu;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}
unsigned children(std::uint64_t node, int depth) {
  if (depth == 0) return 200;
  return mix(node) % 1000 < 248 ? 4 : 0;
}
long tree_here(std::uint64_t node, int depth) {
  long all = 1;
  for (unsigned i = 0; i < children(node, depth); ++i) all += tree_here(mix(node + i + 1), depth + 1);
  return all;
}
long tree(std::uint64_t node, int depth) {
  std::vector<hc::call<&tree>> next;
  for (unsigned i = 0; i < children(node, depth); ++i) next.push_back(hc::task<&tree>(mix(node + i + 1), depth + 1));
  return 1 + hc::sum(next);
}
HEIST_CLUSTER_TASK(tree)

// Loops, children of scopes, results in order. -----------------------------------------------------------------------

double point(int i, double scale) {
  double x = scale * i;
  for (int k = 0; k < 2000; ++k) x = x * 0.999 + 1e-6 * i;
  return x;
}
HEIST_CLUSTER_TASK(point)

std::string text_of(int i, std::vector<std::string> words) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return words.at(static_cast<std::size_t>(i) % words.size()) + std::to_string(i);
}
HEIST_CLUSTER_TASK(text_of)

double weight(std::string name, double scale) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return scale / static_cast<double>(name.size() + 1);
}
HEIST_CLUSTER_TASK(weight)
void look_at(double x) {
  if (!(x >= 0)) throw std::logic_error("an element is another one");
}
HEIST_CLUSTER_TASK(look_at)

void count_to(std::size_t i, std::size_t n) {
  if (i >= n) throw std::logic_error("an index is out of range");
}
HEIST_CLUSTER_TASK(count_to)

double loops(int n) {
  double all = hc::transform_reduce<&point>(0, n, 0.0, 0.5);
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back(std::string(static_cast<std::size_t>(i) % 7, 'x'));
  all += hc::transform_reduce<&weight>(names, 0.0, 0.1);
  hc::for_each<&look_at>(std::vector<double>(5000, 0.25));
  hc::for_each<&weight>(names, 0.1);  // what they return is dropped
  hc::for_each_index<&point>(0, 10, 1.0);
  hc::for_each_index<&count_to>(0, names.size(), names.size());
  std::vector<hc::call<&text_of>> calls;
  for (int i = 0; i < 64; ++i) calls.push_back(hc::task<&text_of>(i, std::vector<std::string>{"a", "bc", ""}));
  const std::vector<std::string> texts = hc::all(calls);
  for (int i = 0; i < 64; ++i)
    if (texts[static_cast<std::size_t>(i)] != text_of(i, {"a", "bc", ""})) throw std::logic_error("a text is at the wrong place");
  heist::scope s;
  for (int i = 0; i < 16; ++i) s.spawn(hc::task<&point>(i, 1.0));
  s.sync();
  return all;
}
HEIST_CLUSTER_TASK(loops)

// What goes wrong. ---------------------------------------------------------------------------------------------------

int busy(int milliseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (std::chrono::steady_clock::now() < end) {
  }
  return milliseconds;
}

struct odd_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int thrower(int what) {
  busy(30);
  if (what == 1) throw std::out_of_range("one is out of range");
  if (what == 2) throw std::runtime_error("two runs");
  if (what == 3) throw odd_error("three is odd");
  return what;
}
HEIST_CLUSTER_TASK(thrower)

int throws(int n) {
  std::vector<hc::call<&thrower>> calls;
  for (int i = 0; i < 40; ++i) calls.push_back(hc::task<&thrower>(i == 7 ? n : i == 30 ? 2 : 0));
  return hc::sum(calls);
}
HEIST_CLUSTER_TASK(throws)

long length(std::vector<char> many) {
  busy(20);
  return static_cast<long>(many.size());
}
HEIST_CLUSTER_TASK(length)

long large(long bytes) {
  std::vector<hc::call<&length>> calls;
  for (int i = 0; i < 4; ++i) calls.push_back(hc::task<&length>(std::vector<char>(static_cast<std::size_t>(bytes), 'x')));
  return hc::sum(calls);
}
HEIST_CLUSTER_TASK(large)

std::vector<char> blow_up(long bytes) {
  busy(20);
  return std::vector<char>(static_cast<std::size_t>(bytes), 'y');
}
HEIST_CLUSTER_TASK(blow_up)

long large_results(long bytes) {
  std::vector<hc::call<&blow_up>> calls;
  for (int i = 0; i < 8; ++i) calls.push_back(hc::task<&blow_up>(bytes));
  long all = 0;
  for (const auto& v : hc::all(calls)) all += static_cast<long>(v.size());
  return all;
}
HEIST_CLUSTER_TASK(large_results)

// Its bytes are fine where they are made, and not where they are read.
struct crooked {
  int value = 0;
  template <class Archive>
  void save(Archive& a) const {
    a(value, value);
  }
  template <class Archive>
  void load(Archive& a) {
    a(value);
  }
  crooked operator+(const crooked& other) const { return {value + other.value}; }
};
crooked bend(int n) {
  busy(20);
  return {n};
}
HEIST_CLUSTER_TASK(bend)
int bent(int n) {
  std::vector<hc::call<&bend>> calls;
  for (int i = 0; i < n; ++i) calls.push_back(hc::task<&bend>(i));
  return hc::sum(calls).value;
}
HEIST_CLUSTER_TASK(bent)

// One that can be packed, and throws when it is read; and the other way round.
struct shy {
  int value = 0;
  template <class Archive>
  void save(Archive& a) const {
    if (value < 0) throw std::runtime_error("not to be packed");
    a(value);
  }
  template <class Archive>
  void load(Archive& a) {
    a(value);
    throw std::runtime_error("not to be read");
  }
};
int look_at_shy(shy s) {
  busy(20);
  return s.value;
}
HEIST_CLUSTER_TASK(look_at_shy)
shy make_shy(int n) {
  busy(20);
  return {-n};
}
HEIST_CLUSTER_TASK(make_shy)
int shies(int n) {
  std::vector<hc::call<&look_at_shy>> looks;
  std::vector<hc::call<&make_shy>> made;
  for (int i = 0; i < n; ++i) {
    looks.push_back(hc::task<&look_at_shy>(shy{i}));
    made.push_back(hc::task<&make_shy>(i + 1));
  }
  int all = hc::sum(looks);
  for (const shy& s : hc::all(made)) all += s.value;
  return all;
}
HEIST_CLUSTER_TASK(shies)

int naps(int milliseconds) {
  std::vector<hc::call<&busy>> calls;
  for (int i = 0; i < 50; ++i) calls.push_back(hc::task<&busy>(milliseconds / 50));
  return hc::sum(calls);
}
HEIST_CLUSTER_TASK(busy)
HEIST_CLUSTER_TASK(naps)
// There is more to do when its branches have come back.
int goes_on(int milliseconds) {
  auto [a, b] = heist::join(hc::task<&busy>(milliseconds), hc::task<&busy>(milliseconds));
  return a + b + busy(milliseconds);
}
HEIST_CLUSTER_TASK(goes_on)
int all_go_on(int milliseconds) {
  auto [a, b] = heist::join(hc::task<&busy>(milliseconds), hc::task<&goes_on>(milliseconds));
  return a + b;
}
HEIST_CLUSTER_TASK(all_go_on)
// At first there is nothing to lend.
int later(int milliseconds) {
  busy(milliseconds);
  return naps(milliseconds);
}
HEIST_CLUSTER_TASK(later)
// Again and again, until that file is there. 0 if all sums were right.
int naps_until(std::string file) {
  int wrong = 0;
  while (!std::filesystem::exists(file)) wrong += naps(400) != 400;
  return wrong;
}
HEIST_CLUSTER_TASK(naps_until)

// The driver lends `middle`, whose borrower lends `last` on. Each says when it begins.
int last(int milliseconds) {
  std::fprintf(stderr, "last begins\n");
  return busy(milliseconds);
}
HEIST_CLUSTER_TASK(last)
int middle(int milliseconds) {
  std::fprintf(stderr, "middle begins\n");
  auto [a, b] = heist::join(hc::task<&busy>(milliseconds), hc::task<&last>(milliseconds));
  return a + b;
}
HEIST_CLUSTER_TASK(middle)
int chain(int milliseconds) {
  auto [a, b] = heist::join(hc::task<&busy>(milliseconds), hc::task<&middle>(milliseconds));
  return a + b;
}
HEIST_CLUSTER_TASK(chain)

// Long enough each to be noted.
int stretch(int n) {
  std::fprintf(stderr, "stretch %d begins\n", n);
  busy(300);
  return n;
}
HEIST_CLUSTER_TASK(stretch)
int stretches(int n) {
  std::vector<hc::call<&stretch>> calls;
  for (int i = 1; i <= n; ++i) calls.push_back(hc::task<&stretch>(i));
  return hc::sum(calls);
}
HEIST_CLUSTER_TASK(stretches)
// Each travels on its own.
int stretches_apart(int n) {
  if (n == 0) return 0;
  auto [a, b] = heist::join([=] { return stretches_apart(n - 1); }, hc::task<&stretch>(n));
  return a + b;
}
HEIST_CLUSTER_TASK(stretches_apart)

int fails(int n) {
  stretch(n);
  throw std::runtime_error("the root fails");
}
HEIST_CLUSTER_TASK(fails)

// The first branch asks both to stop. -1: the join did.
int stopped(int milliseconds) {
  std::stop_source both;
  const auto first = [&] {
    busy(milliseconds);
    both.request_stop();
    return 0;
  };
  try {
    auto [a, b] = heist::join(first, hc::task<&busy>(milliseconds), both.get_token());
    return a + b;
  } catch (const heist::cancelled&) {
    return -1;
  }
}
HEIST_CLUSTER_TASK(stopped)

// Something to do, and meanwhile somebody asks for this much.
long huge(long bytes) {
  auto [a, b] = heist::join(hc::task<&busy>(1000), hc::task<&length>(std::vector<char>(static_cast<std::size_t>(bytes), 'x')));
  return a + b;
}
HEIST_CLUSTER_TASK(huge)

// Branch and bound: the largest value of 1000 pieces, each of which looks only above the best that it knows.
struct find {
  int value = 0, where = -1;
  template <class Archive>
  void serialize(Archive& a) {
    a(value, where);
  }
};
struct larger {
  bool operator()(const find& a, const find& b) const { return a.value > b.value; }
};
hc::best<find, larger> largest("largest", find{});

int look(int where) {
  busy(1);
  const int value = static_cast<int>(mix(static_cast<std::uint64_t>(where)) % 1'000'000);
  if (value > largest.get().value) largest.offer({value, where});
  return 1;
}
HEIST_CLUSTER_TASK_NO_NOTES(look)
int look_everywhere(int n) { return hc::transform_reduce<&look>(0, n, 0); }
HEIST_CLUSTER_TASK(look_everywhere)

// Better and better, faster than the others are told; the last one is there just before the result.
int rush(int n) {
  for (int i = 1; i <= n; ++i) largest.offer({i, i});
  return n;
}
HEIST_CLUSTER_TASK_NO_NOTES(rush)
int rush_elsewhere(int milliseconds) {
  auto [a, b] = heist::join(hc::task<&busy>(milliseconds), hc::task<&rush>(1000));
  return a + b;
}
HEIST_CLUSTER_TASK(rush_elsewhere)

// Problems one after the other: what is best of the first would prune all of the second. The third one is stopped while another
// machine is about to offer something.
int seek(int i, int problem) {
  busy(4);
  const find here{problem == 1 ? 1'000'000 + i : 1 + i, i};
  if (here.value > largest.get().value) largest.offer(here);
  return 1;
}
HEIST_CLUSTER_TASK_NO_NOTES(seek)
int seek_all(int problem) { return hc::transform_reduce<&seek>(0, 200, 0, problem); }
int offer_late(int value) {
  largest.offer({value - 1, 0});  // so that the driver knows it has begun
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  largest.offer({value, 0});
  return 1;
}
HEIST_CLUSTER_TASK_NO_NOTES(offer_late)
int stop_early(int value) {
  std::stop_source stop;
  const auto begun = [&] { return largest.get().value == value - 1; };
  try {
    heist::join(
        [&] {
          for (int i = 0; i < 5000 && !begun(); ++i) busy(1);
          stop.request_stop();
        },
        hc::task<&offer_late>(value), stop.get_token());
  } catch (const heist::cancelled&) {
    return 0;
  }
  return 1;
}
void problems(hc::node& node) {
  for (const int problem : {1, 2, 3, 2}) {
    largest.reset();
    if (problem == 3)
      node.run<&stop_early>(2'000'000);
    else
      node.run<&seek_all>(problem);
    if (problem != 3) std::printf("%d ", largest.get().value);
  }
  std::printf("\n");
}

// The first one finds the best, and is noted.
int climb(int n) {
  std::fprintf(stderr, "climb %d begins\n", n);
  busy(300);
  largest.offer({1000 - n, n});
  return 1;
}
HEIST_CLUSTER_TASK(climb)
int climbs(int n) {
  std::vector<hc::call<&climb>> calls;
  for (int i = 1; i <= n; ++i) calls.push_back(hc::task<&climb>(i));
  return hc::sum(calls);
}
HEIST_CLUSTER_TASK(climbs)

// Known work and span: a balanced tree whose leaves cost 100 strands more, and take a moment. Once with joins, once with sums.
int dag_leaf() {
  const heist::region here("leaf");
  heist::charge(100);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return 1;
}
int dag(int levels) {
  if (levels == 0) return dag_leaf();
  auto [a, b] = heist::join(hc::task<&dag>(levels - 1), hc::task<&dag>(levels - 1));
  return a + b;
}
HEIST_CLUSTER_TASK(dag)
int dag_of_sums(int levels) {
  if (levels == 0) return dag_leaf();
  return hc::sum(std::vector<hc::call<&dag_of_sums>>(2, hc::task<&dag_of_sums>(levels - 1)));
}
HEIST_CLUSTER_TASK(dag_of_sums)
// Children of a scope.
int dag_of_spawns(int children) {
  heist::scope s;
  for (int i = 0; i < children; ++i) s.spawn(hc::task<&dag>(3));
  s.sync();
  return children;
}
HEIST_CLUSTER_TASK(dag_of_spawns)

// Space: each task touches all of a large frame at every level. At a helper its leaves wait, so that it borrows many at once.
bool leaves_wait = false;

void say_space() {
  const heist::statistics s = heist::default_pool().stats();
  std::fprintf(stderr, "space of %zu seats: waiting_peak %zu stacks_peak %zu stack_bytes_peak %zu\n", s.workers.size(),
               s.waiting_peak, s.stacks_peak, s.stack_bytes_peak);
}

[[gnu::noinline]] long down(int levels) {
  volatile char frame[64 * 1024];
  for (std::size_t i = 0; i < sizeof frame; i += 512) frame[i] = 1;
  if (levels > 0) return down(levels - 1) + frame[512] - 1;
  if (leaves_wait)
    heist::sleep_for(std::chrono::milliseconds(400));
  else
    busy(20);
  return frame[1024];
}
long deep(int levels) {
  const long leaf = down(levels);
  say_space();
  return leaf;
}
HEIST_CLUSTER_TASK(deep)
// Branches that travel one by one.
long wide(int n) {
  if (n == 0) return 0;
  auto [a, b] = heist::join([=] { return wide(n - 1); }, hc::task<&deep>(7));
  return a + b;
}
HEIST_CLUSTER_TASK(wide)

int main(int argc, char** argv) try {
  hc::node node(hc::options::from(argc, argv));
  leaves_wait = node.as() == hc::role::helper;
  const std::string name = argc > 1 ? argv[1] : "";
  auto number = [&](int i) { return argc > i ? std::atoi(argv[i]) : 0; };
  if (const char* const peers = std::getenv("TEST_WAIT_FOR_PEERS"); peers != nullptr && node.as() == hc::role::driver) {
    while (node.so_far().peers < static_cast<std::size_t>(std::atoi(peers))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::fprintf(stderr, "the root begins\n");
  }
  const std::map<std::string, std::function<void()>> roots{
      {"queens", [&] { std::printf("%ld\n", node.run<&queens>(board{number(2)})); }},
      {"fib", [&] { std::printf("%ld\n", node.run<&fib>(number(2))); }},
      {"plain", [&] { std::printf("%ld\n", node.run<&plain>(number(2))); }},
      {"tree", [&] { std::printf("%ld\n", node.run<&tree>(std::uint64_t(number(2)), 0)); }},
      {"tree_here", [&] { std::printf("%ld\n", tree_here(std::uint64_t(number(2)), 0)); }},
      {"loops", [&] { std::printf("%.17g\n", node.run<&loops>(number(2))); }},
      {"throws", [&] { std::printf("%d\n", node.run<&throws>(number(2))); }},
      {"large", [&] { std::printf("%ld\n", node.run<&large>(long(number(2)))); }},
      {"large_results", [&] { std::printf("%ld\n", node.run<&large_results>(long(number(2)))); }},
      {"shies", [&] { std::printf("%d\n", node.run<&shies>(number(2))); }},
      {"all_go_on", [&] { std::printf("%d\n", node.run<&all_go_on>(number(2))); }},
      {"rush_elsewhere", [&] { std::printf("%d\n", node.run<&rush_elsewhere>(number(2))); }},
      {"bent", [&] { std::printf("%d\n", node.run<&bent>(number(2))); }},
      {"chain", [&] { std::printf("%d\n", node.run<&chain>(number(2))); }},
      {"middle", [&] { std::printf("%d\n", node.run<&middle>(number(2))); }},
      {"stretches", [&] { std::printf("%d\n", node.run<&stretches>(number(2))); }},
      {"stretches_apart", [&] { std::printf("%d\n", node.run<&stretches_apart>(number(2))); }},
      {"fails", [&] { std::printf("%d\n", node.run<&fails>(number(2))); }},
      {"wide", [&] { std::printf("%ld\n", node.run<&wide>(number(2))); }},
      {"stopped", [&] { std::printf("%d\n", node.run<&stopped>(number(2))); }},
      {"huge", [&] { std::printf("%ld\n", node.run<&huge>(long(number(2)))); }},
      {"best",
       [&] {
         const int looks = node.run<&look_everywhere>(number(2));
         std::printf("%d %d %d\n", looks, largest.get().value, largest.get().where);
       }},
      {"problems", [&] { problems(node); }},
      {"climbs",
       [&] {
         const int n = node.run<&climbs>(number(2));
         std::printf("%d %d %d\n", n, largest.get().value, largest.get().where);
       }},
      {"dag", [&] { std::printf("%d\n", node.run<&dag>(number(2))); }},
      {"dag_of_sums", [&] { std::printf("%d\n", node.run<&dag_of_sums>(number(2))); }},
      {"dag_of_spawns", [&] { std::printf("%d\n", node.run<&dag_of_spawns>(number(2))); }},
      {"later", [&] { std::printf("%d\n", node.run<&later>(number(2))); }},
      {"naps_until", [&] { std::printf("%d\n", node.run<&naps_until>(std::string(argc > 2 ? argv[2] : ""))); }},
      {"naps", [&] { std::printf("%d\n", node.run<&naps>(number(2))); }},
  };
  const auto what = roots.find(name);
  if (what == roots.end()) throw std::invalid_argument("program: no root of this name: " + name);
  what->second();
  const hc::figures f = node.so_far();
  std::printf("lent %llu returned %llu home %llu borrowed %llu adopted %llu sent %llu\n", static_cast<unsigned long long>(f.lent),
              static_cast<unsigned long long>(f.returned), static_cast<unsigned long long>(f.came_home),
              static_cast<unsigned long long>(f.borrowed), static_cast<unsigned long long>(f.adopted), static_cast<unsigned long long>(f.messages_sent));
} catch (const std::exception& e) {
  std::printf("%s\n", e.what());
  return 3;
}

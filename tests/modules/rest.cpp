// The rest of heist in a module, as module.cpp has its core: waits, futures, channels, graphs, lazy ranges, the other
// algorithms, oneTBB's names, and heist::io and heist::cluster where they are built (WITH_IO, WITH_CLUSTER).

#include <heist/coroutine.hpp>
#include <heist/execution.hpp>
#include <heist/heist.hpp>
#include <heist/sender.hpp>
#include <heist/tbb.hpp>
#if defined(WITH_IO)
#include <heist/io.hpp>
#endif
#if defined(WITH_CLUSTER)
#include <heist/cluster.hpp>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#if !defined(MODULE)
#define MODULE module
#endif

// A library's own interface, as in module.cpp.
namespace MODULE {
struct completion {
  std::string why;
  void operator()() noexcept {}
};
struct engine {
  heist::per_worker<std::vector<int>> scratch;
  heist::channel<std::string> words{4};
  heist::graph plan;
  heist::future<long> later;
  heist::promise<int> asked;
  heist::shared_mutex lock;
  heist::condition_variable changed;
  heist::counting_semaphore<8> seats{8};
  heist::latch start{1};
  heist::affinity places;
  heist::deque<int> jobs;
  heist::padded<std::string> label;
  heist::padded<long> count;
  heist::barrier<completion> meet{1, {}};
  heist::tbb::task_group_context context;
  heist::tbb::mutex tbb_lock;
  heist::tbb::rw_mutex tbb_rw_lock;
  heist::tbb::filter<void, std::string> first;
};
// Classes that other modules see: what heist's templates make of them must stay here all the same.
struct job {
  std::string why;
  void operator()() {}
};
struct adding {
  long identity() const { return 0; }
  void operator()(long& left, long&& right) const { left += right; }
};
struct is_odd {
  bool operator()(int i) const { return i % 2 != 0; }
};
struct choice {
  std::string why;
  int operator()() { return 0; }
};
long run_engine(engine& e, const heist::graph::handle& first, heist::channel<long>& out,
                heist::future<std::string> name);
}  // namespace MODULE

namespace {

using namespace std::chrono_literals;

void must(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void futures() {
  heist::future<int> a = heist::async([] { return 6; });
  heist::future<std::unique_ptr<int>> b = heist::async([] { return std::make_unique<int>(7); });
  must(std::move(a).then([](int x) { return x + 1; }).get() == 7 && *b.get() == 7, "futures");
  heist::promise<std::string> p;
  heist::shared_future<std::string> s = p.get_future().shared();
  p.set_value("kept");
  must(s.get() == "kept", "promise");
  must(s.then([](const std::string& v) { return v.size(); }).get() == 4, "then of a shared_future");
  must(heist::when_any(std::vector{s, s}).get() == 0 && std::get<1>(heist::when_all(s, s).get()) == "kept", "shared futures");
  must(std::get<1>(heist::when_all(heist::async([] {}), heist::async([] { return 3L; })).get()) == 3, "when_all");
  std::vector<heist::future<int>> some;
  for (int i = 0; i < 4; ++i) some.push_back(heist::async([i] { return i; }));
  must(heist::when_any(some).get() < 4 && heist::when_all(std::move(some)).get().size() == 4, "a vector of futures");
  heist::promise<int> none;
  heist::future<int> broken = none.get_future();
  none = {};
  try {
    broken.get();
    must(false, "a broken promise is lost");
  } catch (const std::future_error&) {
  }
  std::atomic<int> done{0};
  heist::pool own({.workers = 2});
  own.detach([&] { ++done; });
  own.wait_idle();
  must(done == 1, "detach");
}

#if defined(__cpp_impl_coroutine)
struct fire_and_forget {
  struct promise_type {
    fire_and_forget get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };
};
struct at_once {
  template <class F>
  void execute(F f) {
    f();
  }
};
fire_and_forget coroutine(heist::pool& p, at_once& loop, heist::promise<int>& to) {
  const int a = co_await heist::async([] { return 1; });
  co_await heist::enter(p);
  const int b = co_await heist::resume_on(p, heist::async([] { return 2; }));
  const int c = co_await heist::resume_on(loop, heist::async([] { return 3; }));
  to.set_value(a + b + c);
}
void coroutines() {
  heist::pool p({.workers = 2});
  at_once loop;
  heist::promise<int> to;
  heist::future<int> sum = to.get_future();
  coroutine(p, loop, to);
  must(sum.get() == 6, "coroutine");
}
#else
void coroutines() {}
#endif

struct receiver {
  std::atomic<bool>* done;
  heist::latch* over;
  void set_value() && noexcept { *done = true, over->count_down(); }
  void set_stopped() && noexcept { over->count_down(); }
  template <class E>
  void set_error(E&&) && noexcept {}
};
void senders() {
  heist::pool p({.workers = 2});
  std::atomic<bool> done{false};
  heist::latch over(1);
  auto operation = heist::scheduler_of(p).schedule().connect(receiver{&done, &over});
  operation.start();
  over.wait();
  must(done, "sender");
}

void waits() {
  heist::channel<std::vector<int>> c(2);
  heist::channel<int> handed(0);
  long sum = 0;
  heist::join(
      [&] {
        for (int i = 0; i < 50; ++i) c.push({i});
        c.close();
        handed.push(9);
      },
      [&] {
        for (const std::vector<int>& v : c) sum += v[0];
        must(handed.pop() == 9, "hand over");
      });
  must(sum == 1225, "channel");
  try {
    c.push({1});
    must(false, "a closed channel takes something");
  } catch (const heist::closed_channel&) {
  }
  int next = 0;
  std::vector<long> results;
  heist::pipeline(
      4, [&]() -> std::optional<int> { return next < 30 ? std::optional(next++) : std::nullopt; },
      heist::parallel([](int i) { return 2L * i; }), heist::serial([](long i) { return i; }),
      heist::ordered([&](long i) { results.push_back(i); }));
  must(results.size() == 30 && results.back() == 58, "pipeline");
  heist::shared_mutex m;
  heist::condition_variable changed;
  heist::mutex lock;
  heist::binary_semaphore one(1);
  heist::barrier meet(2, []() noexcept {});
  bool told = false;
  heist::join(
      [&] {
        meet.arrive_and_wait();
        std::unique_lock hold(lock);
        changed.wait(hold, [&] { return told; });
      },
      [&] {
        const std::shared_lock shared(m);
        meet.arrive_and_wait();
        one.acquire();
        const std::lock_guard hold(lock);
        told = true;
        changed.notify_all();
      });
  heist::suspend([](heist::resumption r) { r.resume(); });
  heist::sleep_for(1us);
  must(!m.try_lock_shared_for(0s) == false, "shared_mutex");
  m.unlock_shared();
  must(heist::blocking([] { return 5; }) == 5, "blocking");
  heist::pool({.workers = 2}).broadcast([] {});
  must(heist::pool({.workers = 2}).broadcast([](int k) { return k; }).size() == 2, "broadcast");
}

void graphs() {
  heist::graph g;
  std::atomic<int> sum{0};
  int rounds = 0;
  const std::string large = "a capture that does not fit into the node";
  auto a = g.node("a", [&] { ++sum; });
  auto b = g.node([&, large] { sum += static_cast<int>(large.size()); });
  auto c = g.condition("again", [&] { return ++rounds < 3 ? 0 : 1; });
  auto again = g.node(MODULE::job{});
  auto d = g.node([&](heist::graph& inner) { inner.node([&] { ++sum; }); });
  g.precede(a, b);
  g.precede(b, c);
  g.precede(c, again);
  g.precede(c, d);
  auto back = g.condition(MODULE::choice{});
  g.precede(again, back);
  g.precede(back, c);
  g.run();
  must(sum == 2 + static_cast<int>(large.size()), "graph");
}

struct person {
  std::string name;
  int age = 0;
};

void more_algorithms() {
  std::vector<int> v(4000);
  std::iota(v.begin(), v.end(), 0);
  heist::shuffle(v, 7u);
  heist::stable_sort(v);
  must(std::is_sorted(v.begin(), v.end()), "stable_sort");
  heist::nth_element(v, v.begin() + 9, std::greater<>());
  heist::sort(v, std::greater<>());
  must(v[9] == 3990, "nth_element");
  heist::partition(v, [](int i) { return i % 2 == 0; });
  heist::stable_partition(v, [](int i) { return i % 3 == 0; });
  heist::sort(v);
  std::vector<int> w(8000);
  heist::merge(v, v, w.begin());
  must(heist::unique(w).size() == 4000, "unique");
  must(heist::includes(v, std::vector{1, 2, 3}), "includes");
  must(*heist::find_if(v, [](int i) { return i > 100; }) == 101 && heist::count(v, 5) == 1, "find");
  must(heist::all_of(v, [](int i) { return i >= 0; }) && heist::equal(v, v), "all_of");
  heist::reverse(v);
  heist::rotate(v, v.begin() + 5);
  heist::replace(v, 3, 4);
  heist::fill(w, 8);
  heist::generate(v, [](std::size_t i) { return static_cast<int>(i); });
  must(heist::histogram(v, 2, [](int i) { return i % 2; })[1] == 2000, "histogram");
  std::vector<person> people{{"Ada", 36}, {"Bob", 5}, {"Cy", 5}};
  heist::sort(people, {}, &person::name);
  heist::stable_sort(people, {}, &person::age);
  must(heist::max_element(people, {}, &person::age)->name == "Ada", "max_element");
  std::vector<std::string> texts{"b", "c", "a"};
  heist::sort(texts);
  std::vector<double> numbers(3000, 1.5);
  heist::sort(numbers);
  std::vector<double> sums(3000);
  heist::exclusive_scan(numbers, sums.begin(), 0.0);
  heist::for_each_index_2d(0, 10, 0, 10, [](int, int) {});
  heist::for_each_chunk(v, 10, [](auto&& part) { must(part.size() > 0, "for_each_chunk"); });
  const auto groups = heist::group_by(v, [](int i) { return i % 7; });
  must(groups.size() == 7, "group_by");
  must(heist::count_by(v, [](int i) { return i % 5; }).size() == 5, "count_by");
  const std::list<int> list(v.begin(), v.end());
  must(heist::reduce(list, 0L) == 7'998'000L, "a list");
  must(heist::to_vector(list).size() == 4000, "to_vector");
  heist::progress p(v.size(), [](std::size_t, std::size_t) {});
  heist::affinity places;
  heist::for_each(
      v, [](int&) {}, p);
  heist::for_each(
      v, [](int&) {}, places);
  heist::for_each_index(
      0, 100, [](int) {}, heist::limit{2});
  const heist::region part("part");
  heist::reducer<std::map<int, int>, heist::op::merge_maps<std::map<int, int>>> maps;
  heist::for_each_index(0, 100, [&](int i) { ++(*maps)[i % 3]; });
  must((*maps)[0] == 34, "merge_maps");
}

void named_functions() {
  using MODULE::adding, MODULE::is_odd, MODULE::job;
  heist::join(job{}, job{});
  heist::scope s;
  s.spawn(job{});
  s.spawn_later(job{});
  s.sync();
  heist::pool p({.workers = 2, .on_thread_start = job{}});
  p.run(job{});
  p.detach(job{});
  p.broadcast([](int k) { must(k < 2, "broadcast"); });
  heist::async(job{}).get();
  heist::blocking(job{});
  must(heist::measure(job{}).forks == 0, "measure");
  heist::reducer<long, adding> sum;
  std::vector<int> v(3000, 1);
  heist::for_each(v, [&](int i) { *sum += i; });
  must(sum.take() == 3000 && heist::count_if(v, is_odd{}) == 3000, "functions with names");
  must(heist::transform_reduce(v, adding{}, [](int i) { return long{i}; }) == 3000, "an operation with a name");
  must((heist::par(v) | heist::stage::filter(is_odd{}) | heist::stage::count()) == 3000,
       "a chain of functions with names");
  heist::sort(v, std::greater<>(), [](int i) { return -i; });
  static_cast<void>(heist::remove_if(v, is_odd{}));
}

void lazy() {
  namespace stage = heist::stage;
  std::vector<int> v(3000);
  std::iota(v.begin(), v.end(), 1);
  const std::vector<long> squares = heist::par(v) | stage::filter([](int x) { return x % 2 == 0; }) |
                                    stage::transform([](int x) { return long{x} * x; }) | heist::to<std::vector>();
  must(squares.size() == 1500 && squares[1] == 16, "a chain");
  must((heist::par(v) | stage::zip(v) | stage::transform([](int a, int b) { return long{a} * b; }) | stage::sum()) > 0,
       "zip");
  must((heist::par(0, 1000) | stage::flat_map([](int x) { return std::vector{x, x}; })).count() == 2000, "flat_map");
  must((heist::par(v) | stage::enumerate() | stage::take(9) | stage::chunks(2)).count() == 5, "chunks");
}

void onetbb() {
  namespace tbb = heist::tbb;
  std::vector<int> v(3000, 1);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, v.size()), [&](const tbb::blocked_range<std::size_t>& r) {
    for (std::size_t i = r.begin(); i != r.end(); ++i) v[i] = 2;
  });
  const long sum = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, v.size()), 0L,
      [&](const tbb::blocked_range<std::size_t>& r, long s) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) s += v[i];
        return s;
      },
      std::plus<>());
  must(sum == 6000, "parallel_reduce");
  tbb::task_group g;
  std::atomic<int> n{0};
  g.run([&] { ++n; });
  g.wait();
  tbb::parallel_invoke([&] { ++n; }, [&] { ++n; });
  tbb::enumerable_thread_specific<int> mine;
  g.run(g.defer([&] { ++n; }));
  g.wait();
  --n;
  tbb::combinable<long> parts;
  ++parts.local();
  must(parts.combine(std::plus<>()) == 1, "combinable");
  int next = 0;
  tbb::parallel_pipeline(
      2, tbb::make_filter<void, std::string>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& fc) {
           if (++next > 5) fc.stop();
           return std::to_string(next);
         }) & tbb::make_filter<std::string, void>(tbb::filter_mode::parallel, [](const std::string&) {}));
  const tbb::tick_count then = tbb::tick_count::now();
  must((tbb::tick_count::now() - then).seconds() >= 0, "tick_count");
  tbb::task_arena arena(2);
  arena.execute([&] { ++mine.local(); });
  must(n == 3, "task_group");
}

#if defined(WITH_IO)
void files() {
  heist::io::file f(heist::io::open("/dev/zero", 0));
  char bytes[16] = {1};
  must(heist::io::read(f.fd(), std::as_writable_bytes(std::span(bytes))) == 16 && bytes[0] == 0, "read");
}
#else
void files() {}
#endif

}  // namespace

#if defined(WITH_CLUSTER)
namespace MODULE {
long squared(long x) { return x * x; }
std::string named(std::vector<int> of) { return std::to_string(of.size()); }
long add_up(long a, long b) { return a + b; }
}  // namespace MODULE
HEIST_CLUSTER_TASK(MODULE::squared)
HEIST_CLUSTER_TASK(MODULE::named)

namespace {
void clusters() {
  namespace hc = heist::cluster;
  const hc::options wanted = hc::options::from_environment();
  const hc::options more = wanted;
  static heist::mutex one_at_a_time;  // a process has one node
  const std::lock_guard hold(one_at_a_time);
  hc::node alone(more);
  must(alone.run<&MODULE::squared>(5L) == 25, "a root");
  heist::pool p({.workers = 2});
  p.run([] {
    auto [a, b] = heist::join(hc::task<&MODULE::squared>(3L), hc::task<&MODULE::named>(std::vector{1, 2}));
    must(a == 9 && b == "2", "tasks");
    std::vector<hc::call<&MODULE::squared>> all;
    for (long i = 0; i < 5; ++i) all.push_back(hc::task<&MODULE::squared>(i));
    must(hc::sum(all) == 30, "sum");
  });
}
}  // namespace
#else
namespace {
void clusters() {}
}  // namespace
#endif

long MODULE::run_engine(engine& e, const heist::graph::handle&, heist::channel<long>& out,
                        heist::future<std::string> name) {
  heist::for_each_index(0, 100, [&](int i) { e.scratch.local()->push_back(i); });
  std::size_t all = 0;
  e.scratch.for_each([&](const std::vector<int>& v) { all += v.size(); });
  must(all == 100, "per_worker");
  e.words.push(name.get());
  e.later = heist::async([] { return 1L; });
  e.jobs.push(3);
  heist::deque<std::string> texts;
  texts.push("a text");
  const auto attempt = texts.try_steal();
  must(attempt.item == "a text", "a deque of strings");
  heist::deque<std::unique_ptr<int>> pointers;
  pointers.push(std::make_unique<int>(1));
  must(**pointers.try_steal().item == 1, "a deque of pointers");
  e.meet.arrive_and_wait();
  *e.label = "label";
  const heist::padded<std::string> copy = e.label;
  must(*copy == "label", "padded");
  e.plan.node(MODULE::job{});
  heist::per_worker<int> five([] { return 5; });
  must(five.with([](int& x) { return x; }) == 5, "per_worker by a function");
  heist::per_worker<std::string> copies(std::string("as this"));
  must(*copies.local() == "as this" && copies.size() == 1, "per_worker by a copy");
  e.asked.set_value(*e.jobs.pop());
  out.push(e.later.get() + e.asked.get_future().get());
  e.plan.node([&] { *e.count = out.pop().value(); });
  e.plan.run();
  must(e.words.pop() == "a name", "a channel of strings");
  return *e.count;
}

// 0, or the code of a failure; the caller being in no pool or, `inside` one of its own.
extern "C" int module_work(int inside) {
  try {
    const auto everything = [] {
      futures();
      coroutines();
      senders();
      waits();
      graphs();
      more_algorithms();
      lazy();
      named_functions();
      onetbb();
      files();
      clusters();
    };
    if (inside == 0) {
      everything();
    } else {
      heist::pool({.workers = 3}).run(everything);
      MODULE::engine e;
      heist::channel<long> out(1);
      heist::promise<std::string> name;
      name.set_value("a name");
      must(run_engine(e, {}, out, name.get_future()) == 4, "engine");
    }
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "module: %s\n", e.what());
    return 1;
  }
}

// What one module throws another catches.
extern "C" void module_throw() { throw heist::closed_channel(); }
extern "C" int module_catch(void (*thrower)()) {
  try {
    thrower();
  } catch (const heist::closed_channel& e) {
    return e.what() != nullptr ? 0 : 1;
  } catch (const heist::cancelled&) {  // of a module with the core only
    return 0;
  } catch (...) {
  }
  return 1;
}

// The calls of docs/guides/choosing_a_call.md. script/docs cuts its tables from here: a comment is the left column, the
// lines under it are the right one. Each function checks what its calls gave.

#include <heist/heist.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

int wrong = 0;

#define CHECK(that)                                                \
  do {                                                             \
    if (!(that)) {                                                 \
      std::printf("wishes.cpp:%d: not so: %s\n", __LINE__, #that); \
      ++wrong;                                                     \
    }                                                              \
  } while (false)

struct person {
  std::string name;
  int age;
};

bool even(int i) { return i % 2 == 0; }

void functions() {
  std::atomic<int> calls = 0;
  auto f = [&] { return ++calls, 1; };
  auto g = [&] { return ++calls, std::string("two"); };
  auto h = [&] { ++calls; };
  std::vector<int> work{1, 2, 3};
  auto visit = [&](int) { ++calls; };

  // region: functions
  // run two functions at the same time and get both results
  const auto [a, b] = heist::join(f, g);

  // … three or more functions
  heist::join(f, g, h);

  // start any number of children and wait for all
  heist::with_scope([&](heist::scope& s) {
    for (int& w : work) s.spawn([&visit, w] { visit(w); });
  });

  // … from a cheap loop that goes on at once; what no thief has taken runs at the end
  heist::with_scope([&](heist::scope& s) { s.spawn_later(h); });
  // end
  CHECK(a == 1 && b == "two" && calls == 2 + 3 + 3 + 1);

  auto fails = [] { throw std::runtime_error("no"); };
  auto report = [&](const std::exception&) { calls = 0; };
  // region: errors
  // catch what a branch, a child or a loop body threw (the first in serial order)
  try {
    heist::join(f, fails);
  } catch (const std::exception& e) {
    report(e);
  }
  // end
  CHECK(calls == 0);
}

void loops() {
  const std::size_t n = 1000;
  std::vector<int> v(n), w(n), out(n);
  auto f = [](int x) { return 2 * x; };
  // region: loops
  // run a body for every index from 0 to n − 1
  heist::for_each_index(0ul, n, [&](std::size_t i) { v[i] = static_cast<int>(i); });

  // read or change every element
  heist::for_each(v, [](int& x) { ++x; });

  // … of the next ten only
  heist::for_each_n(v.begin(), 10, [](int& x) { --x; });

  // write f(x) for every x
  heist::transform(v, out.begin(), f);

  // … or f(x, y), from two ranges
  heist::transform(v, w, out.begin(), std::plus<>());

  // set all elements to a value
  heist::fill(w, 7);

  // … each to a value computed from its index
  heist::generate(w, [](std::size_t i) { return static_cast<int>(i * i); });

  // copy, or reverse
  heist::copy(w, out.begin());
  heist::reverse(out);

  // set the grain of a loop myself
  heist::for_each_index(
      0ul, n, [&](std::size_t i) { v[i] = f(v[i]); }, heist::grain{100});
  // end
  CHECK(out[0] == 999 * 999 && v[0] == 0 && v[999] == 2000 && w[3] == 9);
}

void folds() {
  const std::vector<double> v{3, 1, 4, 1, 5}, w{1, 1, 1, 1, 2};
  const std::vector<person> people{{"Ada", 36}, {"Kurt", 71}, {"Emmy", 53}};
  const std::vector<std::string> words{"a", "b", "c"};
  std::vector<double> sums(v.size());
  // region: folds
  // add numbers (the type of the initial value is the type of the sum)
  const double sum = heist::reduce(v, 0.0);

  // combine by any associative operation, in order: here strings
  const std::string text = heist::reduce(words, std::string(), std::plus<>());

  // … of a value computed from each element
  const int ages = heist::transform_reduce(people, 0, std::plus<>(), &person::age);

  // compute the inner product of two ranges
  const double product = heist::transform_reduce(v.begin(), v.end(), w.begin(), 0.0);

  // count the elements that equal a value or satisfy a predicate
  const auto ones = heist::count(v, 1.0);
  const auto small = heist::count_if(v, [](double x) { return x < 4; });

  // find the smallest element, the largest, or both, also by a member
  const auto oldest = heist::max_element(people, std::less<>(), &person::age);
  const auto [least, most] = heist::minmax_element(v);

  // count how many elements fall into each bin
  const std::vector<std::size_t> bins = heist::histogram(people, 10, [](const person& p) { return p.age / 10; });

  // filter and transform in one pass, without an array in between
  const std::vector<std::string> seniors = heist::par(people)
      | heist::stage::filter([](const person& p) { return p.age > 40; })
      | heist::stage::transform(&person::name)
      | heist::to<std::vector>();

  // compute running sums that include the element itself
  heist::inclusive_scan(v, sums.begin());

  // … that exclude it, for example offsets from sizes
  heist::exclusive_scan(v, sums.begin(), 0.0);

  // … of a value computed from each element
  heist::transform_inclusive_scan(people, sums.begin(), std::plus<>(), &person::age);
  // end
  CHECK(sum == 14 && text == "abc" && ages == 160 && product == 19 && ones == 2 && small == 3);
  CHECK(oldest->name == "Kurt" && *least == 1 && *most == 5 && bins[7] == 1 && sums[2] == 160);
  CHECK(seniors == (std::vector<std::string>{"Kurt", "Emmy"}));
}

void searches() {
  const std::vector<int> v{3, 5, 8, 9, 8}, w{3, 5, 7};
  // region: searches
  // find the first element that equals a value
  const auto eight = heist::find(v, 8);

  // … that satisfies a predicate
  const auto first_even = heist::find_if(v, even);

  // ask whether any, all or none satisfy a predicate
  const bool some = heist::any_of(v, even);
  const bool all = heist::all_of(v, even);
  const bool none = heist::none_of(v, even);

  // ask whether two ranges are equal, or where they first differ
  const bool same = heist::equal(v, w);
  const auto [in_v, in_w] = heist::mismatch(v, w);
  // end
  CHECK(eight == v.begin() + 2 && first_even == eight && some && !all && !none && !same && *in_v == 8 && *in_w == 7);
}

void orders() {
  std::vector<int> v{5, 2, 8, 2, 9, 1}, w{3, 4}, out(8);
  std::vector<person> people{{"Ada", 36}, {"Kurt", 71}, {"Emmy", 53}, {"Alan", 41}};
  // region: orders
  // sort
  heist::sort(v);

  // … by a member, in descending order
  heist::sort(people, std::greater<>(), &person::age);

  // … and keep the order of equal elements
  heist::stable_sort(people, std::less<>(), [](const person& p) { return p.name[0]; });

  // merge two sorted ranges
  heist::merge(v, w, out.begin());

  // find the median, or the k smallest elements in any order
  heist::nth_element(v, v.begin() + 3);

  // drop equal neighbours (after a sort: all duplicates)
  const auto [again, last] = heist::unique(v);
  v.erase(again, last);
  // end
  CHECK(people[0].name == "Alan" && people[1].name == "Ada" && people[3].name == "Kurt");
  CHECK(out == std::vector<int>({1, 2, 2, 3, 4, 5, 8, 9}));
  std::sort(v.begin(), v.end());
  CHECK(v == std::vector<int>({1, 2, 5, 8, 9}));

  v = {1, 2, 3, 4, 5, 6};
  out.assign(6, 0);
  // region: choices
  // copy the elements that satisfy a predicate, in order
  out.erase(heist::copy_if(v, out.begin(), even).out, out.end());

  // remove the elements that satisfy a predicate, in place
  v.erase(heist::remove_if(v.begin(), v.end(), even), v.end());

  // move the elements that satisfy a predicate to the front
  const auto others = heist::partition(people, [](const person& p) { return p.age < 50; });

  // … and keep both groups in order
  heist::stable_partition(people, [](const person& p) { return p.age < 50; });
  // end
  CHECK(out == std::vector<int>({2, 4, 6}) && v == std::vector<int>({1, 3, 5}) && others.begin() - people.begin() == 2);
}

void groups() {
  std::vector<person> people{{"Ada", 36}, {"Kurt", 71}, {"Emmy", 53}, {"Alan", 41}};
  std::vector<int> v{5, 2, 8, 2, 9, 1};
  const std::vector<std::vector<int>> parts{{1, 2}, {}, {3}};
  const std::list<int> list{1, 2, 3, 4};
  std::atomic<int> cells = 0;

  // region: groups
  // make a vector of what a function returns for 0, …, n − 1
  const std::vector<std::string> names = heist::tabulate(3, [](int i) { return std::to_string(i); });

  // … or for every element of a range
  const std::vector<int> ages = heist::collect(people, &person::age);

  // put elements with the same key together, in the order in which the keys first appear
  const auto by_letter = heist::group_by(people, [](const person& p) { return p.name[0]; });

  // count how often each value appears, in the order of the values
  const auto counts = heist::count_by(v, {}, heist::group_order::keys);

  // add up the values of each key
  const auto sums = heist::reduce_by_key(people, [](const person& p) { return p.name[0]; }, &person::age);

  // concatenate the ranges of a range
  const std::vector<int> all = heist::flatten(parts);

  // get the k largest elements, or the median
  const std::vector<int> top = heist::top_k(v, 2);
  const int median = heist::kth(v, v.size() / 2);

  // shuffle, in the same way on every machine
  heist::shuffle(v, 42);

  // work on a list, a map, a stream or a generator
  std::vector<int> squares;
  heist::transform(list, std::back_inserter(squares), [](int i) { return i * i; });

  // run a body for every cell of a grid
  heist::for_each_index_2d(20, 30, [&](int, int) { ++cells; });
  // end
  CHECK(names[2] == "2" && ages[1] == 71 && by_letter.size() == 3 && by_letter[0].second.size() == 2);
  CHECK(counts[1] == std::pair(2, std::size_t{2}) && sums[0] == std::pair('A', 77));
  CHECK(all == std::vector<int>({1, 2, 3}) && top == std::vector<int>({9, 8}) && median == 5);
  CHECK(v.size() == 6 && squares == std::vector<int>({1, 4, 9, 16}) && cells == 600);
}

void shared() {
  const int n = 1000;
  auto good = [](int i) { return i % 10 == 3; };
  int guarded = 0;
  std::ostringstream stream;
  // region: shared
  // count or add from all strands without a lock
  heist::reducer<long> hits;
  heist::for_each_index(0, n, [&](int i) { *hits += good(i); });

  // keep the minimum or the maximum
  heist::reducer<double, heist::op::max<double>> most;
  heist::for_each_index(0, n, [&](int i) { *most = std::max(*most, std::sin(i)); });

  // collect into a vector, in serial order
  heist::reducer<std::vector<int>, heist::op::append<std::vector<int>>> found;
  heist::for_each_index(0, n, [&](int i) {
    if (good(i)) found->push_back(i);
  });

  // fill a map and add values that have the same key
  using table = std::map<int, int>;
  heist::reducer<table, heist::op::merge_maps<table>> counts;
  heist::for_each_index(0, n, [&](int i) { ++(*counts)[i % 7]; });

  // write to one stream, in serial order
  heist::ostream_reducer out(stream);
  heist::for_each_index(0, n, [&](int i) {
    if (good(i)) out << i << '\n';
  });

  // hold a lock while I fork
  heist::mutex m;
  {
    std::lock_guard lock(m);
    heist::join([&] { ++guarded; }, [&] { stream.flush(); });
  }
  // end
  CHECK(*hits == 100 && *most == std::sin(699.0) && found->size() == 100 && found->front() == 3);
  CHECK(guarded == 1 && counts->size() == 7 && stream.str().starts_with("3\n13\n"));
}

void pools(std::stop_source& stop) {
  std::vector<int> v(1000, 1);
  auto program = [&] { return heist::reduce(v); };
  // region: pools
  // choose the number of workers (or HEIST_WORKERS=4 in the environment)
  heist::pool four({.workers = 4});
  const int sum = four.run(program);

  // enter a pool once for several calls, from an outside thread
  const int again = heist::default_pool().run([&] {
    heist::sort(v);
    return heist::reduce(v);
  });

  // stop a loop or an algorithm early: it throws heist::cancelled
  heist::for_each(
      v, [](int& x) { ++x; }, stop.get_token());

  // ask how many cores I may use, a container's quota included
  const unsigned cores = heist::available_parallelism();

  // ask how many steals there were
  const std::size_t steals = four.stats().steals;
  // end
  CHECK(sum == 1000 && again == 1000 && v[0] == 2 && cores > 0 && steals < 1'000'000);
}

void later() {
  auto f = [] { return 6; };
  auto g = [] { return 7; };
  std::atomic<int> calls = 0;
  auto h = [&] { ++calls; };
  int sum = 0, count = 0;
  auto next = [&] { return count < 100 ? std::optional(count++) : std::nullopt; };
  auto square = [](int i) { return i * i; };
  std::vector<int> squares;
  // region: later
  // begin something now, and get its result later, perhaps elsewhere
  heist::future<int> later = heist::async(f);
  const int six = later.get();

  // … go on when the result is there, without waiting for it
  heist::future<std::string> text = heist::async(f).then([](int i) { return std::to_string(i); });

  // … wait for several
  const auto [a, b] = heist::when_all(heist::async(f), heist::async(g)).get();

  // start something whose result nobody needs
  heist::detach(h);
  heist::default_pool().wait_idle();  // before the program ends, if it must be done by then

  // run tasks that depend on each other, once or many times
  heist::graph tasks;
  const auto compile = tasks.node("compile", h), link = tasks.node("link", h);
  tasks.precede(compile, link);
  tasks.run();

  // take many items through several stages, some of them one by one
  heist::pipeline(8, next, heist::parallel(square), heist::ordered([&](int i) { squares.push_back(i); }));

  // pass values from some strands to others
  heist::channel<int> numbers(16);
  heist::join(
      [&] {
        for (int i : numbers) sum += i;
      },
      [&] {
        for (int i = 0; i < 100; ++i) numbers.push(i);
        numbers.close();
      });
  // end
  CHECK(six == 6 && text.get() == "6" && a * b == 42 && calls == 3 && sum == 4950 && squares[99] == 9801);
}

void waits(std::stop_source& stop) {
  auto query = [] { return 42; };
  int inside = 0;
  heist::mutex m;
  std::jthread device;
  // region: waits
  // wait for a time
  heist::sleep_for(1ms);

  // call something that blocks its thread: a database, a file, a lock that is not heist's
  const int answer = heist::blocking(query);

  // wait for an event that something else brings
  heist::suspend([&](heist::resumption r) { device = std::jthread([r = std::move(r)]() mutable { r.resume(); }); });

  // let no more than three strands do something at once
  heist::counting_semaphore<> permits(3);
  permits.acquire();
  ++inside;
  permits.release();

  // wait only for so long
  if (m.try_lock_for(10ms)) m.unlock();

  // … or until a stop is requested: then the wait throws heist::cancelled
  heist::sleep_for(1ms, stop.get_token());

  // … the same for all waits and loops of a computation
  heist::default_pool().run([&] { heist::sleep_for(1ms); }, stop.get_token());
  // end
  CHECK(answer == 42 && inside == 1);
}

}  // namespace

int main() {
  functions();
  loops();
  folds();
  searches();
  orders();
  groups();
  shared();
  std::stop_source stop;
  pools(stop);
  later();
  waits(stop);
  std::printf("%s\n", wrong == 0 ? "every wish gives what it says" : "some calls gave something else");
  return wrong;
}

// Programs of the kind that oneTBB's documentation shows, written anew. They compile with oneTBB (ON_ONETBB) and with heist:
// the two lines below are the whole difference.

#if defined(ON_ONETBB)
#include <tbb/tbb.h>
#else
#include <heist/tbb.hpp>
namespace tbb = heist::tbb;
#endif

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

std::vector<float> ramp(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}

// A body that is a class, as programs before lambdas have it.
class add_one {
 public:
  explicit add_one(float* to) : to_(to) {}
  void operator()(const tbb::blocked_range<std::size_t>& r) const {
    float* const a = to_;
    for (std::size_t i = r.begin(); i != r.end(); ++i) a[i] += 1;
  }

 private:
  float* to_;
};

struct running {
  const std::vector<long>& from;
  std::vector<long>& to;
  long sum = 0;
  running(const std::vector<long>& f, std::vector<long>& t) : from(f), to(t) {}
  running(running& b, tbb::split) : from(b.from), to(b.to) {}
  template <class Tag>
  void operator()(const tbb::blocked_range<std::size_t>& r, Tag) {
    for (std::size_t i = r.begin(); i < r.end(); ++i) {
      sum += from[i];
      if (Tag::is_final_scan()) to[i] = sum;
    }
  }
  void reverse_join(running& left) { sum = left.sum + sum; }
  void assign(running& b) { sum = b.sum; }
};

}  // namespace

TEST(parallel_for, takes_ranges_bodies_and_partitioners) {
  std::vector<float> a = ramp(10'000);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, a.size()), add_one(a.data()));
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, a.size(), 100), add_one(a.data()), tbb::simple_partitioner());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, a.size(), 7), add_one(a.data()), tbb::auto_partitioner());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, a.size()), add_one(a.data()), tbb::static_partitioner());
  tbb::affinity_partitioner kept;
  for (int round = 0; round < 3; ++round)
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, a.size()), add_one(a.data()), kept);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], static_cast<float>(i) + 7);
  tbb::parallel_for(tbb::blocked_range<float*>(a.data(), a.data() + a.size()), [](const tbb::blocked_range<float*>& r) {
    for (float& x : r) x = 0;
  });
  EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0.0f), 0.0f);
}

TEST(parallel_for, takes_indices_and_steps) {
  std::vector<int> a(1000);
  tbb::parallel_for(0, 1000, [&](int i) { a[static_cast<std::size_t>(i)] = i; });
  tbb::parallel_for(std::size_t{0}, a.size(), std::size_t{3}, [&](std::size_t i) { a[i] = -1; });
  tbb::parallel_for(0, 1000, 1, [](int) {}, tbb::simple_partitioner());
  tbb::parallel_for(5, 5, [](int) { FAIL(); });
  EXPECT_EQ(a[3], -1);
  EXPECT_EQ(a[4], 4);
  EXPECT_EQ(std::count(a.begin(), a.end(), -1), 334);
}

TEST(parallel_for, multiplies_matrices_over_a_range_of_two_dimensions) {
  constexpr std::size_t m = 60, l = 50, n = 40;
  std::vector<double> a(m * l, 1), b(l * n, 2), c(m * n);
  tbb::parallel_for(tbb::blocked_range2d<std::size_t>(0, m, 16, 0, n, 32), [&](const tbb::blocked_range2d<std::size_t>& r) {
    for (std::size_t i = r.rows().begin(); i != r.rows().end(); ++i)
      for (std::size_t j = r.cols().begin(); j != r.cols().end(); ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < l; ++k) sum += a[i * l + k] * b[k * n + j];
        c[i * n + j] = sum;
      }
  });
  for (const double x : c) ASSERT_EQ(x, 100);
  std::atomic<std::size_t> cells{0};
  tbb::parallel_for(tbb::blocked_range3d<int>(0, 10, 0, 11, 0, 12), [&](const tbb::blocked_range3d<int>& r) {
    cells += r.pages().size() * r.rows().size() * r.cols().size();
  });
  EXPECT_EQ(cells, 1320u);
}

TEST(enumerable_thread_specific, has_const_iterators_copies_and_values_of_wide_alignment) {
  using counters = tbb::enumerable_thread_specific<std::pair<int, int>>;
  counters all(std::make_pair(0, 0));
  tbb::parallel_for(tbb::blocked_range<int>(0, 1000), [&](const tbb::blocked_range<int>& r) {
    counters::reference mine = all.local();
    ++mine.first;
    mine.second += static_cast<int>(r.size());
  });
  int sum = 0;
  for (counters::const_iterator i = all.begin(); i != all.end(); ++i) sum += i->second;
  EXPECT_EQ(sum, 1000);
  all.local().second += 7;

  counters copy = all;
  EXPECT_EQ(copy.size(), all.size());
  EXPECT_EQ(copy.local(), all.local());
  copy.local().second = 0;
  EXPECT_GE(all.local().second, 7);
  counters taken = std::move(all);
  EXPECT_GE(taken.local().second, 7);
  copy = taken;
  EXPECT_EQ(copy.local(), taken.local());
  tbb::combinable<int> ones([] { return 1; });
  ones.local() = 5;
  const tbb::combinable<int> same = ones;
  tbb::combinable<int> again;
  again = same;
  EXPECT_EQ(again.local(), 5);

  struct alignas(256) wide {
    int x = 3;
  };
  tbb::enumerable_thread_specific<wide> apart;
  EXPECT_EQ(apart.local().x, 3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&apart.local()) % 256, 0u);
}

TEST(task_arena, attaches_has_constraints_and_takes_what_a_group_defers) {
  tbb::task_arena same{tbb::attach()};
  EXPECT_EQ(same.execute([] { return 1; }), 1);
  tbb::task_arena also(tbb::task_arena::attach{});
  for (const tbb::numa_node_id node : tbb::info::numa_nodes()) {
    tbb::task_arena near(tbb::task_arena::constraints{}.set_numa_id(node).set_max_concurrency(2));
    EXPECT_EQ(near.execute([] { return tbb::this_task_arena::max_concurrency(); }), 2);
    std::atomic<int> done{0};
    tbb::task_group g;
    for (int i = 0; i < 100; ++i) near.enqueue(g.defer([&] { ++done; }));
    near.execute([&] { g.wait(); });
    EXPECT_EQ(done, 100);
  }
  tbb::task_scheduler_handle handle{tbb::attach{}};
  EXPECT_TRUE(handle);
  handle.release();
  const tbb::tick_count start = tbb::tick_count::now();
  tbb::tick_count::interval_t all;
  all += tbb::tick_count::now() - start;
  EXPECT_GE((all + all).seconds(), 0);
}

#if !defined(ON_ONETBB)  // its newer versions do
TEST(parallel_reduce, hands_values_over) {
  const auto all = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 1000), std::vector<int>(),
      [](const tbb::blocked_range<int>& r, std::vector<int>&& to) {
        for (int i = r.begin(); i != r.end(); ++i) to.push_back(i);
        return std::move(to);
      },
      [](std::vector<int>&& a, std::vector<int>&& b) {
        a.insert(a.end(), b.begin(), b.end());
        return std::move(a);
      });
  ASSERT_EQ(all.size(), 1000u);
  EXPECT_EQ(all[999], 999);
}
#endif

TEST(parallel_for, takes_a_range_of_the_programs_own) {
  struct halves {
    long from, to;
    halves(long a, long b) : from(a), to(b) {}
    halves(halves& r, tbb::split) : from((r.from + r.to) / 2), to(r.to) { r.to = from; }
    bool empty() const { return from >= to; }
    bool is_divisible() const { return to - from > 10; }
  };
  std::atomic<long> sum{0};
  tbb::parallel_for(halves(0, 1000), [&](const halves& r) {
    for (long i = r.from; i < r.to; ++i) sum += i;
  });
  EXPECT_EQ(sum, 499'500);
}

TEST(parallel_for, passes_on_exceptions_and_stops_when_its_context_is_cancelled) {
  EXPECT_THROW(tbb::parallel_for(0, 1000, [](int i) {
    if (i == 500) throw std::out_of_range("500");
  }),
               std::out_of_range);
  tbb::task_group_context context;
  std::atomic<int> ran{0};
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 1'000'000, 1),
      [&](const tbb::blocked_range<int>&) {
        if (++ran == 5) context.cancel_group_execution();
      },
      tbb::simple_partitioner(), context);
  EXPECT_LT(ran, 1'000'000);
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

TEST(parallel_for_each, goes_through_lists_and_feeds_itself) {
  std::list<int> items{1, 2, 3, 4};
  tbb::parallel_for_each(items.begin(), items.end(), [](int& x) { x *= 2; });
  EXPECT_EQ(items, (std::list<int>{2, 4, 6, 8}));
  std::vector<int> v(1000, 1);
  tbb::parallel_for_each(v, [](int& x) { ++x; });
  EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0), 2000);
  // A tree, whose nodes are found on the way.
  std::atomic<int> nodes{0};
  const std::vector<int> roots{10};
  tbb::parallel_for_each(roots.begin(), roots.end(), [&](int depth, tbb::feeder<int>& feeder) {
    ++nodes;
    if (depth == 0) return;
    feeder.add(depth - 1);
    feeder.add(depth - 1);
  });
  EXPECT_EQ(nodes, 2047);
}

TEST(parallel_reduce, sums_with_functions_and_with_a_body) {
  const std::vector<float> a = ramp(1000);
  const float sum = tbb::parallel_reduce(
      tbb::blocked_range<const float*>(a.data(), a.data() + a.size()), 0.f,
      [](const tbb::blocked_range<const float*>& r, float init) { return std::accumulate(r.begin(), r.end(), init); },
      std::plus<float>());
  EXPECT_EQ(sum, 499'500.f);

  struct smallest {
    const float* data;
    float value = 1e30f;
    std::size_t index = ~std::size_t{0};
    explicit smallest(const float* d) : data(d) {}
    smallest(smallest& other, tbb::split) : data(other.data) {}
    void operator()(const tbb::blocked_range<std::size_t>& r) {
      for (std::size_t i = r.begin(); i != r.end(); ++i)
        if (data[i] < value) value = data[i], index = i;
    }
    void join(const smallest& right) {
      if (right.value < value) value = right.value, index = right.index;
    }
  };
  std::vector<float> b = ramp(10'000);
  b[7777] = -1;
  smallest found(b.data());
  tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, b.size()), found);
  EXPECT_EQ(found.index, 7777u);
  smallest again(b.data());
  tbb::parallel_deterministic_reduce(tbb::blocked_range<std::size_t>(0, b.size(), 100), again);
  EXPECT_EQ(again.index, 7777u);
}

// Counts the pieces that it has seen, and cancels the context at the fifth.
struct impatient {
  std::atomic<int>* seen;
  tbb::task_group_context* context;
  impatient(std::atomic<int>& s, tbb::task_group_context& c) : seen(&s), context(&c) {}
  impatient(impatient& other, tbb::split) : seen(other.seen), context(other.context) {}
  void operator()(const tbb::blocked_range<int>&) {
    if (++*seen == 5) context->cancel_group_execution();
  }
  void join(impatient&) {}
};

TEST(parallel_reduce, stops_when_its_context_is_cancelled) {
  const tbb::blocked_range<int> million(0, 1'000'000, 1);
  const auto stops = [](auto&& call) {
    tbb::task_group_context context;
    std::atomic<int> seen{0};
    call(seen, context);
    EXPECT_TRUE(context.is_group_execution_cancelled());
    EXPECT_LT(seen, 1'000'000);
  };
  const auto add = [](std::atomic<int>& seen, tbb::task_group_context& context) {
    return [&](const tbb::blocked_range<int>&, int sum) {
      impatient(seen, context)(tbb::blocked_range<int>(0, 1));
      return sum;
    };
  };
  using counter = std::atomic<int>;
  using context = tbb::task_group_context;
  stops([&](counter& n, context& c) {
    static_cast<void>(tbb::parallel_reduce(million, 0, add(n, c), std::plus<int>(), tbb::simple_partitioner(), c));
  });
  stops([&](counter& n, context& c) {
    static_cast<void>(tbb::parallel_deterministic_reduce(million, 0, add(n, c), std::plus<int>(), c));
  });
  stops([&](counter& n, context& c) {
    impatient body(n, c);
    tbb::parallel_reduce(million, body, tbb::simple_partitioner(), c);
  });
  stops([&](counter& n, context& c) {
    impatient body(n, c);
    tbb::parallel_deterministic_reduce(million, body, tbb::simple_partitioner(), c);
  });
  // Without a partitioner, and cancelled before it begins.
  context over;
  over.cancel_group_execution();
  counter seen{0};
  EXPECT_EQ(tbb::parallel_reduce(million, 0, add(seen, over), std::plus<int>(), over), 0);
  EXPECT_EQ(seen, 0);
}

TEST(parallel_reduce, gives_the_same_bits_if_deterministic) {
  std::vector<double> v(20'000);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::sin(static_cast<double>(i)) * 1e9;
  auto sum = [&] {
    return tbb::parallel_deterministic_reduce(
        tbb::blocked_range<std::size_t>(0, v.size(), 64), 0.0,
        [&](const tbb::blocked_range<std::size_t>& r, double init) {
          for (std::size_t i = r.begin(); i != r.end(); ++i) init += v[i];
          return init;
        },
        std::plus<double>());
  };
  const double first = sum();
  for (int round = 0; round < 10; ++round) EXPECT_EQ(sum(), first);
}

TEST(parallel_scan, makes_prefix_sums_with_functions_and_with_a_body) {
  std::vector<long> x(50'000, 1), y(x.size());
  const long total = tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, x.size()), 0L,
      [&](const tbb::blocked_range<std::size_t>& r, long sum, bool is_final) {
        for (std::size_t i = r.begin(); i < r.end(); ++i) {
          sum += x[i];
          if (is_final) y[i] = sum;
        }
        return sum;
      },
      std::plus<long>());
  EXPECT_EQ(total, 50'000);
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], static_cast<long>(i) + 1);

  std::vector<long> z(x.size());
  running body(x, z);
  tbb::parallel_scan(tbb::blocked_range<std::size_t>(0, x.size()), body);
  EXPECT_EQ(body.sum, 50'000);
  EXPECT_EQ(z, y);
}

TEST(parallel_sort, sorts_by_iterators_ranges_and_comparisons) {
  std::vector<float> a(20'000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<float>(i));
  std::vector<float> b = a;
  tbb::parallel_sort(a.begin(), a.end());
  tbb::parallel_sort(b.begin(), b.end(), std::greater<float>());
  EXPECT_TRUE(std::is_sorted(a.begin(), a.end()));
  EXPECT_TRUE(std::is_sorted(b.rbegin(), b.rend()));
  tbb::parallel_sort(b);
  EXPECT_EQ(a, b);
}

TEST(parallel_invoke, runs_all) {
  std::atomic<int> sum{0};
  tbb::parallel_invoke([&] { sum += 1; }, [&] { sum += 2; }, [&] { sum += 4; }, [&] { sum += 8; });
  EXPECT_EQ(sum, 15);
}

namespace {

int fib(int n) {
  if (n < 2) return n;
  int x = 0, y = 0;
  tbb::task_group g;
  g.run([&] { x = fib(n - 1); });
  g.run([&] { y = fib(n - 2); });
  g.wait();
  return x + y;
}

}  // namespace

TEST(task_group, computes_fibonacci_numbers) { EXPECT_EQ(fib(16), 987); }

TEST(task_group, waits_runs_again_throws_and_cancels) {
  tbb::task_group g;
  std::atomic<int> ran{0};
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 100; ++i) g.run([&] { ++ran; });
    EXPECT_EQ(g.run_and_wait([&] { ++ran; }), tbb::complete);
  }
  EXPECT_EQ(ran, 303);
  g.run([] { throw std::runtime_error("one"); });
  EXPECT_THROW(g.wait(), std::runtime_error);
  g.run([&] { g.cancel(); });
  EXPECT_EQ(g.wait(), tbb::canceled);
  g.run([&] { ++ran; });
  EXPECT_EQ(g.wait(), tbb::complete);
  EXPECT_EQ(ran, 304);
  tbb::task_handle h = g.defer([&] { ++ran; });
  g.run(std::move(h));
  g.wait();
  EXPECT_EQ(ran, 305);
}

TEST(task_arena, has_its_own_concurrency_and_returns_results) {
  tbb::task_arena two(2);
  EXPECT_EQ(two.max_concurrency(), 2);
  const int sum = two.execute([] {
    EXPECT_EQ(tbb::this_task_arena::max_concurrency(), 2);
    EXPECT_GE(tbb::this_task_arena::current_thread_index(), 0);
    return tbb::parallel_reduce(
        tbb::blocked_range<int>(0, 1000), 0,
        [](const tbb::blocked_range<int>& r, int init) {
          for (int i = r.begin(); i != r.end(); ++i) init += i;
          return init;
        },
        std::plus<int>());
  });
  EXPECT_EQ(sum, 499'500);
  tbb::task_group g;
  std::atomic<int> ran{0};
  two.execute([&] { g.run([&] { ++ran; }); });
  two.execute([&] { g.wait(); });
  EXPECT_EQ(ran, 1);
  std::atomic<bool> came{false};
  two.enqueue([&] { came = true; });
  while (!came) std::this_thread::yield();
  EXPECT_EQ(tbb::this_task_arena::isolate([] { return 7; }), 7);
}

TEST(global_control, limits_parallelism) {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  EXPECT_EQ(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism), 1u);
  std::atomic<int> now{0}, most{0};
  tbb::parallel_for(0, 200, [&](int) {
    const int here = ++now;
    if (here > most) most = here;
    std::this_thread::yield();
    --now;
  });
  EXPECT_EQ(most, 1);
}

TEST(enumerable_thread_specific, adds_up_what_each_worker_has) {
  tbb::enumerable_thread_specific<std::pair<int, int>> counters(std::pair(0, 0));
  tbb::parallel_for(tbb::blocked_range<int>(0, 100'000), [&](const tbb::blocked_range<int>& r) {
    auto& mine = counters.local();
    ++mine.first;
    for (int i = r.begin(); i != r.end(); ++i) ++mine.second;
  });
  const auto total = counters.combine([](auto a, auto b) { return std::pair(a.first + b.first, a.second + b.second); });
  EXPECT_EQ(total.second, 100'000);
  int sum = 0;
  for (const auto& [calls, elements] : counters) sum += elements;
  EXPECT_EQ(sum, 100'000);
  EXPECT_GT(counters.size(), 0u);

  tbb::combinable<long> parts([] { return 0L; });
  tbb::parallel_for(0, 1000, [&](int i) { parts.local() += i; });
  EXPECT_EQ(parts.combine(std::plus<long>()), 499'500);
  long each = 0;
  parts.combine_each([&](long x) { each += x; });
  EXPECT_EQ(each, 499'500);
}

TEST(enumerable_thread_specific, is_a_range_for_loops_and_can_be_flattened) {
  tbb::enumerable_thread_specific<std::vector<int>> found;
  tbb::parallel_for(0, 1000, [&](int i) {
    if (i % 3 == 0) found.local().push_back(i);
  });
  const tbb::flattened2d<tbb::enumerable_thread_specific<std::vector<int>>> all = tbb::flatten2d(found);
  EXPECT_EQ(all.size(), 334u);
  EXPECT_EQ(std::accumulate(all.begin(), all.end(), 0), 166'833);
  std::atomic<std::size_t> seen{0};
  tbb::parallel_for(found.range(), [&](const decltype(found)::range_type& r) {
    for (const std::vector<int>& v : r) seen += v.size();
  });
  EXPECT_EQ(seen, 334u);

  tbb::enumerable_thread_specific<std::vector<int>> none;
  const auto nothing = tbb::flatten2d(none);
  EXPECT_TRUE(nothing.begin() == nothing.end());
  none.local();
  EXPECT_EQ(tbb::flatten2d(none).size(), 0u);
  EXPECT_TRUE(nothing.begin() == nothing.end());
}

TEST(collaborative_call_once, calls_once_and_again_after_a_failure) {
  tbb::collaborative_once_flag flag;
  std::atomic<int> calls{0}, failures{0};
  tbb::parallel_for(0, 1000, [&](int) {
    try {
      tbb::collaborative_call_once(
          flag,
          [&](int add) {
            if (calls.fetch_add(add) == 0) throw std::runtime_error("the first time");
            tbb::parallel_for(0, 100, [](int) {});
          },
          1);
    } catch (const std::runtime_error&) {
      ++failures;
    }
  });
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(failures, 1);
}

TEST(parallel_pipeline, keeps_the_order_of_serial_filters) {
  // The root mean square of a sequence: read, square, add up.
  std::vector<float> v = ramp(1000);
  float sum = 0;
  float* next = v.data();
  tbb::parallel_pipeline(16, tbb::make_filter<void, float*>(tbb::filter_mode::serial_in_order,
                                                                  [&](tbb::flow_control& fc) -> float* {
                                                                    if (next < v.data() + v.size()) return next++;
                                                                    fc.stop();
                                                                    return nullptr;
                                                                  }) &
                                 tbb::make_filter<float*, float>(tbb::filter_mode::parallel,
                                                                       [](float* p) { return *p * *p; }) &
                                 tbb::make_filter<float, void>(tbb::filter_mode::serial_in_order, [&](float x) { sum += x; }));
  float serial = 0;
  for (const float x : v) serial += x * x;
  EXPECT_EQ(sum, serial);

  std::vector<std::string> lines;
  int made = 0;
  tbb::filter<void, int> source(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& fc) {
    if (made >= 100) fc.stop();
    return made++;
  });
  tbb::filter<int, std::string> text(tbb::filter_mode::parallel, [](int i) { return std::to_string(i); });
  tbb::filter<std::string, void> keep(tbb::filter_mode::serial_in_order, [&](std::string s) { lines.push_back(std::move(s)); });
  tbb::parallel_pipeline(4, source & text & keep);
  tbb::parallel_pipeline(4, source, text, keep);
  ASSERT_EQ(lines.size(), 100u);
  EXPECT_EQ(lines[42], "42");
}

TEST(mutexes, have_scoped_locks) {
  tbb::spin_mutex m;
  tbb::spin_rw_mutex rw;
  int count = 0, written = 0;
  tbb::parallel_for(0, 1000, [&](int i) {
    {
      const tbb::spin_mutex::scoped_lock lock(m);
      ++count;
    }
    tbb::spin_rw_mutex::scoped_lock lock(rw, i % 10 == 0);
    if (i % 10 == 0) ++written;
  });
  EXPECT_EQ(count, 1000);
  EXPECT_EQ(written, 100);
  tbb::null_rw_mutex nothing;
  const tbb::null_rw_mutex::scoped_lock held(nothing, false);
  EXPECT_GE(tbb::info::default_concurrency(), 1);
  const tbb::tick_count start = tbb::tick_count::now();
  EXPECT_GE((tbb::tick_count::now() - start).seconds(), 0);
}

// Programs whose speed-up is predicted: bench_predict NAME ROUNDS runs one in the default pool and prints its times in
// ms; without a name it lists them. script/predict records each, and compares.

#include <bench/common/bench.hpp>
#include <bench/speedup/matrix.hpp>
#include <examples/fib.hpp>
#include <examples/knapsack.hpp>
#include <examples/lattice_walks.hpp>
#include <examples/merge_sort.hpp>
#include <examples/n_body.hpp>
#include <examples/queens.hpp>
#include <examples/tree_search.hpp>
#include <heist/heist.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace {

struct program {
  const char* name;
  std::function<std::function<void()>()> prepare;  // gives what is timed
};

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> all(n);
  std::generate(all.begin(), all.end(),
                [dice = std::mt19937(1)]() mutable { return static_cast<std::uint32_t>(dice()); });
  return all;
}

// The textbook's: the halves side by side, their merge by one worker.
void serially_merged(examples::keys a, examples::keys buffer) {
  if (a.size() <= examples::merge_sort_leaf) return std::sort(a.begin(), a.end());
  const auto half = static_cast<std::ptrdiff_t>(a.size() / 2);
  const auto h = static_cast<std::size_t>(half);
  heist::join([=] { serially_merged(a.first(h), buffer.first(h)); },
              [=] { serially_merged(a.subspan(h), buffer.subspan(h)); });
  std::merge(a.begin(), a.begin() + half, a.begin() + half, a.end(), buffer.begin());
  std::copy(buffer.begin(), buffer.end(), a.begin());
}

template <class Sort>
std::function<std::function<void()>()> sorted(std::size_t n, Sort sort) {
  return [=] {
    auto a = std::make_shared<std::vector<std::uint32_t>>(), buffer = std::make_shared<std::vector<std::uint32_t>>(n);
    *a = numbers(n);
    return [=] { sort(examples::keys(*a), examples::keys(*buffer)); };
  };
}

std::function<std::function<void()>()> found(long expected, std::function<long()> f) {
  return [=] { return [=] { bench::expect(f() == expected, "the result"); }; };
}

std::function<void()> matrices() {
  constexpr std::size_t n = 1024;
  auto a = std::make_shared<std::vector<double>>(n * n, 1.), c = std::make_shared<std::vector<double>>(n * n, 0.);
  return [=] { speedup::multiply({c->data(), n}, {a->data(), n}, {a->data(), n}, n); };
}

std::function<void()> bodies() {
  auto all = std::make_shared<std::vector<examples::body>>(3000);
  std::mt19937 dice(3);
  auto any = [&dice] { return static_cast<double>(dice()) * 0x1p-31 - 1; };
  for (examples::body& b : *all)
    b = {{any(), any(), any()}, {any(), any(), any()}, 1 / static_cast<double>(all->size())};
  return [=] {
    for (int i = 0; i < 5; ++i) examples::step(*all, 0.01);
  };
}

const program programs[] = {
    {"queens", found(14'200, [] { return examples::queens(examples::board::empty(12)); })},
    {"lattice_walks", found(826'968, [] { return examples::lattice_walks(examples::box(2, 3, 4)); })},
    {"matrix_product", matrices},
    {"n_body", bodies},
    {"merge_sort", sorted(4'000'000, [](auto a, auto b) { examples::merge_sort(a, b); })},
    {"serial_merge", sorted(4'000'000, serially_merged)},
    {"sort", sorted(10'000'000, [](auto a, auto) { heist::sort(a); })},
    {"skewed_loop", found(1'249'975'000,
                          [] {
                            std::atomic<long> sum = 0;
                            heist::for_each_index(0, 50'000, [&](int i) {
                              for (int k = 0; k < i; ++k) asm volatile("");
                              sum.fetch_add(i, std::memory_order_relaxed);
                            });
                            return sum.load();
                          })},
    {"tree_search", found(examples::small_tree_nodes,
                          [] { return examples::tree_search(examples::small_tree, examples::small_tree.root); })},
    {"fib", found(1'346'269, [] { return examples::fib(31); })},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    for (const program& p : programs) std::printf("%s\n", p.name);
    return 0;
  }
  for (const program& p : programs) {
    if (std::strcmp(p.name, argv[1]) != 0) continue;
    heist::pool& pool = heist::default_pool();  // its start is no part of the computation
    for (int i = argc > 2 ? std::atoi(argv[2]) : 1; i > 0; --i) {
      const std::function<void()> run = p.prepare();
      std::printf("%.3f\n", bench::ns_of([&] { pool.run([&] { run(); }); }) / 1e6);
    }
    return 0;
  }
  std::fprintf(stderr, "bench_predict: no program \"%s\"\n", argv[1]);
  return 2;
}

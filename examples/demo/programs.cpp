#include <cli/demo_names.hpp>
#include <examples/demo/programs.hpp>
#include <examples/fib.hpp>
#include <examples/merge_sort.hpp>
#include <examples/queens.hpp>
#include <examples/sum.hpp>
#include <examples/tree_search.hpp>

#include <memory>
#include <random>

namespace demo {

namespace {

// A program that computes one number from nothing.
template <class Serial, class Parallel>
program count(std::string name, long expected, Serial serial, Parallel parallel) {
  auto found = std::make_shared<long>(0);
  return {std::move(name), [=] { *found = -1; }, [=] { *found = serial(); }, [=] { *found = parallel(); },
          [=] { return *found == expected; }};
}

program sum() {
  auto a = std::make_shared<std::vector<std::uint32_t>>(100'000'000);
  std::iota(a->begin(), a->end(), 1u);
  const auto n = static_cast<long>(a->size());
  return count(
      sum_name, n * (n + 1) / 2, [=] { return static_cast<long>(examples::sum_serial(*a)); },
      [=] { return static_cast<long>(examples::sum(*a)); });
}

program merge_sort() {
  struct data {
    std::vector<std::uint32_t> input, a, buffer;
  };
  auto d = std::make_shared<data>();
  d->input.resize(6'000'000);
  std::generate(d->input.begin(), d->input.end(),
                [dice = std::mt19937(1)]() mutable { return static_cast<std::uint32_t>(dice()); });
  d->buffer.resize(d->input.size());
  const std::uint64_t same = examples::sum_serial(d->input);
  return {merge_sort_name, [=] { d->a = d->input; }, [=] { examples::merge_sort_serial(d->a, d->buffer); },
          [=] { examples::merge_sort(d->a, d->buffer); },
          [=] { return std::is_sorted(d->a.begin(), d->a.end()) && examples::sum_serial(d->a) == same; }};
}

program fib() {
  return count(
      fib_name, 39'088'169, [] { return examples::fib_serial(38); }, [] { return examples::fib(38); });
}

program queens() {
  return count(
      queens_name, 73'712, [] { return examples::queens_serial(examples::board::empty(13)); },
      [] { return examples::queens(examples::board::empty(13)); });
}

program tree_search() {
  using examples::small_tree;
  return count(
      tree_search_name, examples::small_tree_nodes,
      [] { return examples::tree_search_serial(small_tree, small_tree.root); },
      [] { return examples::tree_search(small_tree, small_tree.root); });
}

}  // namespace

std::vector<std::function<program()>> programs() { return {sum, merge_sort, fib, queens, tree_search}; }

}  // namespace demo

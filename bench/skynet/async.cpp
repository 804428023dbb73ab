#include <bench/runtimes/async.hpp>

// The sum of the numbers of the leaves below the node that begins with `first`: ten children a node, `leaves` leaves.
static long sum(long first, long leaves);

// The children from i on: the first of them against the rest.
static long sum_from(long i, long first, long leaves) {
  auto child = [=] { return sum(first + i * (leaves / 10), leaves / 10); };
  if (i == 9) return child();
  const auto [a, rest] = bench::fork(child, [=] { return sum_from(i + 1, first, leaves); });
  return a + rest;
}

static long sum(long first, long leaves) { return leaves == 1 ? first : sum_from(0, first, leaves); }

int main(int argc, char** argv) {
  return bench::contestant(
      argc, argv, [](auto& runtime, const bench::task& t) { return runtime.enter([&] { return sum(0, t.size); }); });
}

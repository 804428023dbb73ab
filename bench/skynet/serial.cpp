#include <bench/runtimes/serial.hpp>

// The sum of the numbers of the leaves below the node that begins with `first`: ten children a node, `leaves` leaves.
static long sum(long first, long leaves) {
  if (leaves == 1) return first;
  long all = 0;
  for (long i = 0; i < 10; ++i) all += sum(first + i * (leaves / 10), leaves / 10);
  return all;
}

int main(int argc, char** argv) {
  return bench::contestant(
      argc, argv, [](auto& runtime, const bench::task& t) { return runtime.enter([&] { return sum(0, t.size); }); });
}

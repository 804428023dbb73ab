#include <bench/runtimes/heist.hpp>

// The sum of the numbers of the leaves below the node that begins with `first`: ten children a node, `leaves` leaves.
static long sum(long first, long leaves) {
  if (leaves == 1) return first;
  auto child = [=](long i) { return [=] { return sum(first + i * (leaves / 10), leaves / 10); }; };
  const auto all =
      heist::join(child(0), child(1), child(2), child(3), child(4), child(5), child(6), child(7), child(8), child(9));
  return std::apply([](auto... each) { return (each + ...); }, all);
}

int main(int argc, char** argv) {
  return bench::contestant(
      argc, argv, [](auto& runtime, const bench::task& t) { return runtime.enter([&] { return sum(0, t.size); }); });
}

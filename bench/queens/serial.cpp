#include <bench/queens/board.hpp>
#include <bench/runtimes/serial.hpp>

using queens::board;
using queens::lowest;

static long ways(board b) {
  if (b.full()) return 1;
  long sum = 0;
  for (std::uint32_t places = b.free_places(); places != 0; places &= places - 1) sum += ways(b.with(lowest(places)));
  return sum;
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    return runtime.enter([&] { return ways(queens::empty(t.size)); });
  });
}

#include <bench/queens/board.hpp>
#include <bench/runtimes/heist.hpp>

using queens::board;
using queens::lowest;

static long ways(board b);

// A queen on each of `places`: the first against the rest.
static long ways_on(board b, std::uint32_t places) {
  const std::uint32_t rest = places & (places - 1);
  if (rest == 0) return ways(b.with(lowest(places)));
  const auto [first, others] =
      heist::join([=] { return ways(b.with(lowest(places))); }, [=] { return ways_on(b, rest); });
  return first + others;
}

static long ways(board b) {
  if (b.full()) return 1;
  const std::uint32_t places = b.free_places();
  return places == 0 ? 0 : ways_on(b, places);
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    return runtime.enter([&] { return ways(queens::empty(t.size)); });
  });
}

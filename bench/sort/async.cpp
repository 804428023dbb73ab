#include <bench/runtimes/async.hpp>
#include <bench/sort/numbers.hpp>

using iterator = std::vector<double>::iterator;

// Halves while there may be more threads, then the standard library's sort; a merge of both.
static bool sort_by_halves(iterator first, iterator last, unsigned threads) {
  if (threads <= 1) {
    std::sort(first, last);
    return true;
  }
  const iterator middle = first + (last - first) / 2;
  bench::fork([=] { return sort_by_halves(first, middle, threads / 2); },
              [=] { return sort_by_halves(middle, last, threads - threads / 2); });
  std::inplace_merge(first, middle, last);
  return true;
}

int main(int argc, char** argv) {
  return bench::contestant_on<sort::input>(
      argc, argv, [](auto& runtime, sort::input& in) { sort_by_halves(in.v.begin(), in.v.end(), runtime.workers()); });
}

// A program that does not get faster, and what its profile says: docs/guides/where_is_my_parallelism.md.
// Without an argument: both sorts are right. slow, or fast: one of them, to be looked at.
//
// slow: work Θ(n lg n), span Θ(n). fast: span Θ(lg³ n).

#include <examples/merge_sort.hpp>

#include <cstdio>
#include <random>
#include <string_view>
#include <vector>

namespace {

using numbers = std::span<std::uint32_t>;

// region: slow
void sort(numbers a, numbers buffer) {
  if (a.size() <= 4096) return std::sort(a.begin(), a.end());
  const std::size_t half = a.size() / 2;
  heist::join([=] { sort(a.first(half), buffer.first(half)); }, [=] { sort(a.subspan(half), buffer.subspan(half)); });
  const heist::region merging{"merge"};
  std::ranges::merge(a.first(half), a.subspan(half), buffer.begin());
  std::ranges::copy(buffer, a.begin());
}
// end

// region: fast
void sort_fast(numbers a, numbers buffer) {
  if (a.size() <= 4096) return std::sort(a.begin(), a.end());
  const std::size_t half = a.size() / 2;
  heist::join([=] { sort_fast(a.first(half), buffer.first(half)); },
              [=] { sort_fast(a.subspan(half), buffer.subspan(half)); });
  const heist::region merging{"merge"};
  heist::merge(a.first(half), a.subspan(half), buffer.begin());
  heist::copy(buffer, a.begin());
}
// end

std::vector<std::uint32_t> some(std::size_t n) {
  std::vector<std::uint32_t> v(n);
  std::mt19937 dice(1);
  for (std::uint32_t& x : v) x = static_cast<std::uint32_t>(dice());
  return v;
}

template <class Sort>
bool sorts(std::size_t n, Sort sort) {
  std::vector<std::uint32_t> v = some(n), buffer(n);
  heist::default_pool().run([&] {
    const heist::region sorting{"sort"};
    sort(v, buffer);
  });
  return std::is_sorted(v.begin(), v.end());
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::size_t n = 10'000'000;
  const std::string_view which = argc > 1 ? argv[1] : "";
  bool right = true;
  if (which == "slow" || which == "fast")
    right = which == "slow" ? sorts(n, sort) : sorts(n, sort_fast);
  else
    right = sorts(n / 100, sort) && sorts(n / 100, sort_fast);
  std::printf("%s\n", right ? "sorted" : "NOT sorted");
  return right ? 0 : 1;
}

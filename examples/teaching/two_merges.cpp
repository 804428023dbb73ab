// Merge sort with a serial and with a parallel merge: two_merges serial, two_merges parallel [numbers].
//
// The work is the same, Θ(n lg n). With a serial merge the span is Θ(n): the last merge alone goes over all n numbers,
// and nothing runs beside it. With a parallel merge it is Θ(lg³ n). docs/guides/see_the_span.md draws both.

#include <examples/merge_sort.hpp>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

using examples::keys;
using examples::result_in;

// As examples::merge_sort, but for the merge.
void sort_serial_merge(keys a, keys buffer, result_in where = result_in::place) {
  const keys out = where == result_in::place ? a : buffer;
  if (a.size() <= examples::merge_sort_leaf) return examples::merge_sort(a, buffer, where);
  const std::size_t half = a.size() / 2;
  heist::join([=] { sort_serial_merge(a.first(half), buffer.first(half), other(where)); },
              [=] { sort_serial_merge(a.subspan(half), buffer.subspan(half), other(where)); });
  const keys in = where == result_in::place ? buffer : a;
  std::merge(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(half), in.begin() + static_cast<std::ptrdiff_t>(half),
             in.end(), out.begin());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "parallel";
  const auto n = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 200'000ul;
  if (argc > 3 || n < 1 || (how != "serial" && how != "parallel")) {
    std::fprintf(stderr, "usage: two_merges [serial|parallel] [numbers]\n");
    return 2;
  }
  std::vector<std::uint32_t> a(n), buffer(n);
  std::minstd_rand random(1);
  for (auto& x : a) x = static_cast<std::uint32_t>(random());
  // All of it inside a pool: what runs outside, such as a merge after the outermost join, is not recorded.
  heist::default_pool().run([&] { how == "serial" ? sort_serial_merge(a, buffer) : examples::merge_sort(a, buffer); });
  std::printf("%zu numbers, %s merge: %s\n", a.size(), how.c_str(),
              std::is_sorted(a.begin(), a.end()) ? "sorted" : "NOT SORTED");
  return std::is_sorted(a.begin(), a.end()) ? 0 : 1;
}

#pragma once
// Merge sort with a parallel merge, after Cilk's example: the halves in parallel, then a merge that cuts the longer run
// at its middle. Runs of 2,048 are sorted by the standard library, and so many elements are merged without a fork.

#include <bench/sort/numbers.hpp>

#include <span>

namespace cilksort {

using run = std::span<double>;

constexpr std::size_t leaf = 2048;

template <class Runtime>
void merge(run a, run b, run out) {
  if (a.size() < b.size()) std::swap(a, b);
  if (out.size() <= leaf) {
    std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
    return;
  }
  const std::size_t i = a.size() / 2;
  const auto j = static_cast<std::size_t>(std::lower_bound(b.begin(), b.end(), a[i]) - b.begin());
  Runtime::both([=] { merge<Runtime>(a.first(i), b.first(j), out.first(i + j)); },
                [=] { merge<Runtime>(a.subspan(i), b.subspan(j), out.subspan(i + j)); });
}

// Sorts `from`, and leaves the result there or in `buffer`.
template <class Runtime>
void sort_runs(run from, run buffer, bool into_buffer) {
  if (from.size() <= leaf) {
    std::sort(from.begin(), from.end());
    if (into_buffer) std::copy(from.begin(), from.end(), buffer.begin());
    return;
  }
  const std::size_t half = from.size() / 2;
  Runtime::both([=] { sort_runs<Runtime>(from.first(half), buffer.first(half), !into_buffer); },
                [=] { sort_runs<Runtime>(from.subspan(half), buffer.subspan(half), !into_buffer); });
  const run in = into_buffer ? from : buffer;
  merge<Runtime>(in.first(half), in.subspan(half), into_buffer ? buffer : from);
}

template <class Runtime>
void sort(std::vector<double>& v) {
  std::vector<double> buffer(v.size());
  sort_runs<Runtime>(v, buffer, false);
}

}  // namespace cilksort

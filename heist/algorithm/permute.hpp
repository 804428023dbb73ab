#pragma once
// Brings the elements of a range into another order, through a buffer.

#include <heist/algorithm/buffer.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

HEIST_BEGIN

namespace heist::detail {

// Element from(k) goes to place k; from is a permutation of [0, n). Work n, span lg n and a grain.
template <class How, class I, class From>
void permute(const How& how, const I& first, std::size_t n, const From& from) {
  if (n < 2) return;
  buffer<std::iter_value_t<I>, How> room(how, n);
  const std::size_t piece = how.grain();
  auto start = [n, piece](std::size_t k) { return std::min(n, k * piece); };
  room.fill(0, (n + piece - 1) / piece, start, [&](std::size_t k, auto& add) {
    for (std::size_t i = start(k); i != start(k + 1); ++i) add(std::ranges::iter_move(detail::at(first, from(i))));
  });
  detail::in_pieces(how, n, piece, [&](std::size_t a, std::size_t b) {
    std::move(room.begin() + a, room.begin() + b, detail::at(first, a));
  });
}

}  // namespace heist::detail

HEIST_END

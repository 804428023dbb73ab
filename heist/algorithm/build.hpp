#pragma once
// Vectors whose elements are made in parallel.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/buffer.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/lookout.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// Elements that can be made first and assigned to later; not bits that share a byte.
template <class T>
inline constexpr bool assigned_later =
    std::default_initializable<T> && std::is_move_assignable_v<T> && !std::is_same_v<T, bool>;

// Whether to go on with a piece of a buffer.
template <class How, class Buffer>
struct piece_check {
  const How& how;
  const Buffer& room;
  std::size_t piece;

  void check() const {
    how.check();
    room.check(piece);
  }
};

// A vector of n elements. some(a, b, put) calls put with the values of the elements [a, b), in order.
// If elements cannot be assigned to, they are made in a buffer and moved from there.
template <class T, class Some, option... O>
std::vector<T> build_vector(std::size_t n, const Some& some, const options_of<O...>& options, std::size_t not_worth_it = 1) {
  if constexpr (assigned_later<T>) {
    std::vector<T> all(n);
    auto piece = [&](std::size_t a, std::size_t b) {
      T* to = all.data() + a;
      some(a, b, [&to](auto&& x) { detail::assign(*to++, std::forward<decltype(x)>(x)); });
    };
    detail::for_pieces(n, piece, options, not_worth_it);
    return all;
  } else {
    if (n == 0) return {};
    const forking how(options, std::clamp<std::size_t>(n / 256, not_worth_it, std::max<std::size_t>(1024, not_worth_it)));
    const std::size_t piece = how.grain();
    auto start = [n, piece](std::size_t k) { return std::min(n, k * piece); };
    return how.enter(n, [&] {
      buffer<T, forking<O...>> room(how, n);
      lookout out;
      room.fill(0, n / piece + (n % piece != 0), start, [&](std::size_t k, auto& add) {
        const piece_check<decltype(how), decltype(room)> both{how, room, k};
        out.through(both, start(k), start(k + 1), [&](std::size_t a, std::size_t b) { some(a, b, add); });
      });
      return std::vector<T>(std::make_move_iterator(room.begin()), std::make_move_iterator(room.begin() + n));
    });
  }
}

}  // namespace heist::detail

HEIST_END

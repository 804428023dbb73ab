#pragma once
// Sorting by digits, with one buffer, stable. See README.md, "Sorting by digits".

#include <heist/algorithm/buffer.hpp>
#include <heist/algorithm/descending.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/ties.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// The highest bit that is set in a word that is not 0.
template <class Word>
int top_bit(Word w) noexcept {
  if constexpr (sizeof(w) == 16) {
    const auto high = static_cast<std::uint64_t>(w >> 64);
    return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<std::uint64_t>(w));
  } else {
    return static_cast<int>(8 * sizeof(w)) - 1 - std::countl_zero(w);
  }
}
template <class Word>
Word bits_below(int bit) noexcept {
  return static_cast<Word>((Word{1} << bit) - 1);
}

// A digit is eight bits. Large ranges are divided by their highest digit that differs, in parallel,
// and each part is sorted by itself; by eleven bits if eight would leave a part too large. A part
// that fits the cache is sorted by a few of its high digits, from the lowest to the highest; then the
// few elements that agree in all of them. Work n for each digit that differs, span lg n for each,
// besides a grain.
//
// Elements move between two places, `here` and `there`. When the caller is stopped, they still
// arrive where they are wanted, in some order.
template <class T, class Key, class How>
class digit_sorter {
 public:
  digit_sorter(const Key& key, const How& how) noexcept : key_(key), how_(how) {}

  enum class place : unsigned char { here, there };

  // Sorts the n elements at `here`, at least one; `there` has room for as many.
  [[gnu::noinline]] std::exception_ptr sort(T* here, T* there, std::size_t n, place wanted) noexcept {
    return sort_below(here, there, n, differences(here, n, key_(here[0])), wanted);
  }

 private:
  using word = decltype(std::declval<const Key&>()(std::declval<const T&>()));
  static constexpr std::size_t radix = 256;
  // A large range's first digit may be wider: a part then costs more to begin, and there are fewer left to divide.
  static constexpr int wide = 11;
  static constexpr std::size_t much = std::size_t{1} << 20;
  // Parts up to this size fit a cache of 1 MiB, with their copy.
  static constexpr std::size_t in_cache = std::max<std::size_t>(524288 / sizeof(T), 4096);
  // Up to this size nothing is faster than insertion.
  static constexpr std::size_t few = 24;
  // What is worth a fork here. A caller's grain may be larger: then nothing smaller is in a pool.
  std::size_t piece() const noexcept { return std::max<std::size_t>(32768, how_.grain()); }

  static std::size_t digit(word w, int shift) noexcept { return static_cast<std::size_t>(w >> shift) & (radix - 1); }

  // The bits in which some key differs from `first`.
  [[gnu::noinline]] word differences(const T* at, std::size_t n, word first) const noexcept {
    if (n <= piece()) {
      word all = 0;
      for (std::size_t i = 0; i < n; ++i) all = static_cast<word>(all | (key_(at[i]) ^ first));
      return all;
    }
    const std::size_t half = n / 2;
    const auto [low, high] = how_.fork([=, this] { return differences(at, half, first); },
                                       [=, this] { return differences(at + half, n - half, first); });
    return static_cast<word>(low | high);
  }

  // No bits differ but these, and perhaps not all of them.
  std::exception_ptr sort_below(T* here, T* there, std::size_t n, word differing, place wanted) noexcept {
    if (differing == 0 || n < 2) return bring(here, there, n, wanted), nullptr;
    try {
      how_.check();
    } catch (...) {
      bring(here, there, n, wanted);
      return carry_exception();
    }
    if (n <= few) {
      insert_all(here, n);
      return bring(here, there, n, wanted), nullptr;
    }
    const int bits = detail::top_bit(differing) + 1;
    if (n > much && bits > wide && crowded(here, n, bits - 8)) return divide<1u << wide>(here, there, n, bits - wide, wanted);
    if (n > in_cache) return divide<radix>(here, there, n, std::max(bits - 8, 0), wanted);
    // Enough high digits that hardly two elements have the same.
    const int passes = std::min((static_cast<int>(std::bit_width(n)) + 5) / 8 + 1, (bits + 7) / 8);
    const int low = std::max(bits - 8 * passes, 0);
    from_lowest(here, there, n, low, passes, wanted);
    return low == 0 ? nullptr : finish(wanted == place::here ? here : there, wanted == place::here ? there : here, n, low);
  }

  // By the digits from bit `low` on, the lowest first; all fits the cache. Each pass counts the digits of the next.
  [[gnu::noinline]] void from_lowest(T* here, T* there, std::size_t n, int low, int passes, place wanted) noexcept {
    using table = std::array<std::uint32_t, radix>;
    table starts{}, next;
    for (std::size_t i = 0; i < n; ++i) ++starts[digit(key_(here[i]), low)];
    place now = place::here;
    for (int pass = 0; pass < passes; ++pass, starts = next) {
      const int shift = low + 8 * pass, next_shift = pass + 1 < passes ? shift + 8 : shift;
      next.fill(0);
      if (starts[digit(key_(here[0]), shift)] == n) {  // all have the same digit
        for (std::size_t i = 0; i < n; ++i) ++next[digit(key_(here[i]), next_shift)];
        continue;
      }
      std::uint32_t sum = 0;
      for (std::uint32_t& c : starts) sum += std::exchange(c, sum);
      for (std::size_t i = 0; i < n; ++i) {
        const T element = here[i];
        const word k = key_(element);
        there[starts[digit(k, shift)]++] = element;
        ++next[digit(k, next_shift)];
      }
      std::swap(here, there);
      now = now == place::here ? place::there : place::here;
    }
    if (now != wanted) std::copy_n(here, n, there);
  }

  // Sorted but for the bits below `low`: those who have the rest in common lie together.
  [[gnu::noinline]] std::exception_ptr finish(T* here, T* there, std::size_t n, int low) noexcept {
    for (std::size_t i = 0, end = 1; i + 1 < n; i = end++) {
      const auto high = static_cast<word>(key_(here[i]) >> low);
      while (end < n && static_cast<word>(key_(here[end]) >> low) == high) ++end;
      if (end - i == 1) continue;
      if (end - i <= few) {
        insert_all(here + i, end - i);
      } else {
        if (std::exception_ptr failed = sort_below(here + i, there + i, end - i, detail::bits_below<word>(low), place::here)) return failed;
      }
    }
    return nullptr;
  }

  void insert_all(T* at, std::size_t n) const noexcept {
    for (std::size_t i = 1; i < n; ++i) {
      const T element = at[i];
      const word k = key_(element);
      std::size_t hole = i;
      for (; hole > 0 && k < key_(at[hole - 1]); --hole) at[hole] = at[hole - 1];
      at[hole] = element;
    }
  }

  // True if a sample says that some digit is that of more elements than fit the cache. So it is with
  // floating-point numbers: half of those in [0, 1) have the same exponent.
  bool crowded(const T* at, std::size_t n, int shift) const noexcept {
    constexpr std::size_t looks = 512;
    std::array<std::uint16_t, radix> seen{};
    for (std::size_t i = 0; i < looks; ++i) ++seen[digit(key_(at[i * (n / looks)]), shift)];
    return *std::max_element(seen.begin(), seen.end()) > 2 + 2 * looks * in_cache / n;
  }

  // By one digit into `there`, then part by part.
  template <std::size_t radix>
  [[gnu::noinline]] std::exception_ptr divide(T* here, T* there, std::size_t n, int shift, place wanted) noexcept {
    auto digit = [](word w, int below) { return static_cast<std::size_t>(w >> below) & (radix - 1); };
    std::size_t blocks = std::clamp<std::size_t>(n / piece(), 1, 65536 / radix);
    std::size_t one_block[2 * radix] = {};
    const sole<std::size_t[]> all(new (std::nothrow) std::size_t[(blocks + 1) * radix]());
    if (all == nullptr) blocks = 1;  // no memory: in one piece
    std::size_t* const starts = all != nullptr ? all.get() : one_block;
    const std::size_t each = n / blocks + 1;
    auto row = [starts](std::size_t b) { return starts + b * radix; };
    for_each_block(how_, 0, blocks, [&](std::size_t b) {
      std::size_t* const count = row(b);
      for (std::size_t i = b * each, end = std::min(n, i + each); i < end; ++i) ++count[digit(key_(here[i]), shift)];
    });
    std::size_t sum = 0;
    for (std::size_t d = 0; d < radix; ++d)
      for (std::size_t b = 0; b <= blocks; ++b) sum += std::exchange(row(b)[d], sum);
    // The last row has the ends, and stays as it is.
    for_each_block(how_, 0, blocks, [&](std::size_t b) {
      std::size_t* const next = row(b);
      for (std::size_t i = b * each, end = std::min(n, i + each); i < end; ++i)
        there[next[digit(key_(here[i]), shift)]++] = here[i];
    });
    const std::size_t* const ends = row(blocks);
    const place other = wanted == place::here ? place::there : place::here;
    return parts(here, there, ends, 0, radix, shift, other);
  }

  // Sorts the parts of the digits [lo, hi), which lie in `there`. Returns what stopped the first of them.
  [[gnu::noinline]] std::exception_ptr parts(T* here, T* there, const std::size_t* ends, std::size_t lo, std::size_t hi,
                                             int shift, place wanted) noexcept {
    const std::size_t begin = lo == 0 ? 0 : ends[lo - 1], n = ends[hi - 1] - begin;
    if (n == 0) return nullptr;
    if (hi - lo == 1) {
      const word first = key_(there[begin]);
      const bool perhaps_equal = key_(there[begin + n / 2]) == first && key_(there[begin + n - 1]) == first;
      const word below = n > in_cache || perhaps_equal ? differences(there + begin, n, first) : detail::bits_below<word>(shift);
      return sort_below(there + begin, here + begin, n, below, wanted);
    }
    const std::size_t middle = lo + (hi - lo) / 2;
    auto low = [=, this] { return parts(here, there, ends, lo, middle, shift, wanted); };
    auto high = [=, this] { return parts(here, there, ends, middle, hi, shift, wanted); };
    if (n <= how_.grain()) {
      std::exception_ptr first = low(), second = high();
      return first ? first : second;
    }
    auto [first, second] = how_.fork(low, high);
    return first ? std::move(first) : std::move(second);
  }

  void bring(T* here, T* there, std::size_t n, place wanted) noexcept {
    if (wanted == place::here) return;
    in_pieces(how_, n, piece(), [=](std::size_t from, std::size_t to) { std::copy(here + from, here + to, there + from); });
  }

  const Key key_;
  const How& how_;
};

// Fewer elements are better compared.
inline constexpr std::size_t digits_pay = 256;

// True if n elements at `first`, at least two, are sorted, or descend and have been reversed.
template <class T, class Key, class How>
bool sorted_by_looking(T* first, std::size_t n, const Key& key, const How& how) {
  T* const last = first + n;
  auto in_order = [&key](const T& b, const T& a) { return key(a) <= key(b); };
  if (detail::seems_to_descend(first, last, in_order) && detail::descends(first, last, in_order, how)) return true;
  auto falling = [&key](const T& b, const T& a) { return key(b) < key(a); };
  if (!detail::seems_to_descend(first, last, falling) || !detail::descends(first, last, falling, how)) return false;
  detail::reverse(first, last, how);
  return true;
}

// True if a sample says that comparing is faster: few different keys, or nearly all in order.
template <class T, class Key>
bool better_compared(const T* at, std::size_t n, const Key& key) {
  constexpr std::size_t looks = 128, many = 16384, few_keys = 80, few_falls = 6;
  if (n < many) return false;
  using word = decltype(key(*at));
  std::array<word, looks> seen;
  std::size_t falls = 0;
  for (std::size_t i = 0; i < looks; ++i) {
    const T* const p = at + i * (n / looks);
    seen[i] = key(p[0]);
    falls += key(p[1]) < seen[i] || (i > 0 && seen[i] < seen[i - 1]);
  }
  if (falls <= few_falls) return true;
  std::sort(seen.begin(), seen.end());
  return static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin()) <= few_keys;
}

// False if some element is not a number, which has digits but no place by comparison.
template <class T, class Key, class How>
bool all_numbers(const T* at, std::size_t n, const Key& key, const How& how) {
  if constexpr (!Key::floating) {
    return true;
  } else {
    if (n <= std::max<std::size_t>(32768, how.grain())) return std::all_of(at, at + n, [&](const T& x) { return key.is_number(x); });
    const std::size_t half = n / 2;
    const auto [low, high] = how.fork([&] { return detail::all_numbers(at, half, key, how); },
                                      [&] { return detail::all_numbers(at + half, n - half, key, how); });
    return low && high;
  }
}

// Sorts n elements at `first`, stable. False if comparing is to be preferred, which it never is where
// ties are kept, or if there is no memory: then nothing has changed.
template <class T, class Key, class How>
bool digit_sort(T* first, std::size_t n, const Key& key, const How& how, ties equal) {
  how.check();
  if (detail::sorted_by_looking(first, n, key, how)) return true;
  if (equal == ties::free && detail::better_compared(first, n, key) && detail::all_numbers(first, n, key, how)) return false;
  if (!has_memory_for(n * sizeof(T))) return false;
  std::optional<buffer<T, How>> there;
  try {
    there.emplace(how, n);
  } catch (const std::bad_alloc&) {
    return false;
  }
  using sorter = digit_sorter<T, Key, How>;
  sorter s(key, how);
  if (const std::exception_ptr failed = s.sort(first, there->begin(), n, sorter::place::here)) std::rethrow_exception(failed);
  return true;
}

}  // namespace heist::detail

HEIST_END

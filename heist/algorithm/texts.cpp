#include <heist/algorithm/digit_sort.hpp>
#include <heist/algorithm/texts.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <exception>
#include <utility>

namespace heist::detail {

namespace {

// How many bytes a word has. Its lowest digit says how many of them the string has left, up to this and one more: so words
// compare as the strings do from there on, unless both have more. Zeros stand for those that are missing.
constexpr std::size_t word_bytes = 7;
constexpr std::uint64_t has_more = word_bytes + 1;

std::uint64_t from_big_endian(std::uint64_t w) noexcept {
  return std::endian::native == std::endian::little ? __builtin_bswap64(w) : w;
}

std::uint64_t word_of(const char* p, std::size_t left) noexcept {
  std::uint64_t w = 0;
  if (left > word_bytes) {
    std::memcpy(&w, p, 8);
    return (from_big_endian(w) & ~std::uint64_t{0xff}) | has_more;
  }
  for (std::size_t i = 0; i < left; ++i) w |= std::uint64_t{static_cast<unsigned char>(p[i])} << (56 - 8 * i);
  return w | left;
}

struct key_of_place {
  std::uint64_t operator()(const text_place& p) const noexcept { return p.word; }
};

// Elements that agree in all bytes of a word lie side by side when they are sorted by it. They are sorted by the next one.
class text_sorter {
 public:
  text_sorter(const texts& all, text_place* places, text_place* room, const any_forking& how) noexcept
      : all_(all), places_(places), room_(room), how_(how), digits_({}, how), turned_(all.falling ? ~std::uint64_t{0} : 0) {}

  // Those at [lo, hi) have their first `depth` bytes in common, and none is shorter. Calls itself for at most half of them.
  [[gnu::noinline]] void sort(std::size_t lo, std::size_t hi, std::size_t depth) {
    while (hi - lo > few) {
      how_.check();
      load(lo, hi, depth);
      sort_words(lo, hi);
      const auto [first, last] = like_the_middle(lo, hi);
      if (last - first <= (hi - lo) / 2) return finish(lo, hi, depth);
      finish(lo, first, depth);
      finish(last, hi, depth);
      if (!goes_on(first)) return;
      const bool all = first == lo && last == hi;
      lo = first, hi = last;
      depth = all ? common(lo, hi, depth + word_bytes, all_[places_[lo].from].size()) : depth + word_bytes;
    }
    insert_all(lo, hi, depth);
  }

 private:
  static constexpr std::size_t few = 16;  // up to this many are compared

  std::size_t piece() const noexcept { return std::max<std::size_t>(8192, how_.grain()); }
  bool goes_on(std::size_t i) const noexcept { return ((places_[i].word ^ turned_) & 0xff) == has_more; }

  void load(std::size_t lo, std::size_t hi, std::size_t depth) {
    in_pieces(how_, hi - lo, piece(), [=, this](std::size_t a, std::size_t b) {
      for (std::size_t i = lo + a; i < lo + b; ++i) {
        const std::string_view s = all_[places_[i].from];
        places_[i].word = word_of(s.data() + depth, s.size() - depth) ^ turned_;
      }
    });
  }

  void sort_words(std::size_t lo, std::size_t hi) {
    if (detail::sorted_by_looking(places_ + lo, hi - lo, key_of_place(), how_)) return;
    if (std::exception_ptr failed = digits_.sort(places_ + lo, room_ + lo, hi - lo, sorter::place::here))
      std::rethrow_exception(std::move(failed));
  }

  // Those with the same word as the one in the middle of [lo, hi).
  std::pair<std::size_t, std::size_t> like_the_middle(std::size_t lo, std::size_t hi) const noexcept {
    const text_place middle = places_[lo + (hi - lo) / 2];
    const auto same = std::equal_range(places_ + lo, places_ + hi, middle,
                                       [](const text_place& a, const text_place& b) { return a.word < b.word; });
    return {static_cast<std::size_t>(same.first - places_), static_cast<std::size_t>(same.second - places_)};
  }

  // Sorted by their words: sorts those that have the same one.
  [[gnu::noinline]] void finish(std::size_t lo, std::size_t hi, std::size_t depth) {
    if (hi - lo > piece()) {
      const auto [first, last] = like_the_middle(lo, hi);
      const std::size_t middle = first > lo ? first : last;
      if (middle < hi) {
        how_.fork([=, this] { finish(lo, middle, depth); }, [=, this] { finish(middle, hi, depth); });
        return;
      }
    }
    for (std::size_t i = lo, end; i < hi; i = end) {
      for (end = i + 1; end < hi && places_[end].word == places_[i].word;) ++end;
      if (end - i > 1 && goes_on(i)) sort(i, end, depth + word_bytes);
    }
  }

  // How many bytes [lo, hi) have in common, at most `most`; the first `depth` are.
  [[gnu::noinline]] std::size_t common(std::size_t lo, std::size_t hi, std::size_t depth, std::size_t most) const {
    if (hi - lo > piece()) {
      const std::size_t middle = lo + (hi - lo) / 2;
      const auto [low, high] = how_.fork([=, this] { return common(lo, middle, depth, most); },
                                         [=, this] { return common(middle, hi, depth, most); });
      const std::size_t both = std::min(low, high);
      return both > depth ? common_of_two(lo, middle, depth, both) : both;
    }
    for (std::size_t i = lo + 1; i < hi && most > depth; ++i) most = common_of_two(lo, i, depth, most);
    return std::max(most, depth);
  }
  std::size_t common_of_two(std::size_t i, std::size_t j, std::size_t depth, std::size_t most) const noexcept {
    const std::string_view a = all_[places_[i].from], b = all_[places_[j].from];
    const std::size_t end = std::min({a.size(), b.size(), most});
    return static_cast<std::size_t>(std::mismatch(a.begin() + depth, a.begin() + end, b.begin() + depth).first - a.begin());
  }

  void insert_all(std::size_t lo, std::size_t hi, std::size_t depth) const noexcept {
    for (std::size_t i = lo + 1; i < hi; ++i) {
      const text_place moving = places_[i];
      const std::string_view s = all_[moving.from].substr(depth);
      std::size_t hole = i;
      for (; hole > lo; --hole) {
        const int order = s.compare(all_[places_[hole - 1].from].substr(depth));
        if (all_.falling ? order <= 0 : order >= 0) break;
        places_[hole] = places_[hole - 1];
      }
      places_[hole] = moving;
    }
  }

  using sorter = digit_sorter<text_place, key_of_place, any_forking>;

  const texts& all_;
  text_place* const places_;
  text_place* const room_;
  const any_forking& how_;
  sorter digits_;
  const std::uint64_t turned_;
};

}  // namespace

sole<text_place[]> order_of_texts(const texts& all, std::size_t n, const any_forking& how) {
  if (!has_memory_for(2 * n * sizeof(text_place))) return nullptr;
  sole<text_place[]> places(new (std::nothrow) text_place[n]);
  const sole<text_place[]> room(new (std::nothrow) text_place[n]);
  if (!places || !room) return nullptr;
  in_pieces(how, n, std::max<std::size_t>(how.grain(), 65536), [&places](std::size_t a, std::size_t b) {
    for (std::size_t i = a; i < b; ++i) places[i].from = i;
  });
  text_sorter(all, places.get(), room.get(), how).sort(0, n, 0);
  return places;
}

}  // namespace heist::detail

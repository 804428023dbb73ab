#include <heist/algorithm/digit_sort.hpp>
#include <heist/algorithm/words.hpp>

#include <unistd.h>

namespace heist::detail {

bool has_memory_for(std::size_t bytes) noexcept {
  if (bytes < std::size_t{256} << 20) return true;
  const long pages = ::sysconf(_SC_AVPHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages < 0 || size < 0 || bytes < static_cast<std::size_t>(pages) * static_cast<std::size_t>(size) / 2;
}

namespace {

// The words are a user's numbers of another type.
template <class Word>
struct alias {
  using type [[gnu::may_alias]] = Word;
};

template <class Word>
struct whole_key {
  Word turned;
  Word operator()(Word w) const noexcept { return static_cast<Word>(w ^ turned); }
};

// As digits_of(): of a negative number all bits are turned over, of others the sign; both zeros are one.
template <class Word>
struct floating_key {
  Word turned;
  Word operator()(Word w) const noexcept {
    constexpr auto sign = static_cast<Word>(Word{1} << (8 * sizeof(Word) - 1));
    const Word bits = w == sign ? Word{0} : w;
    return static_cast<Word>(bits ^ ((Word{0} - (bits >> (8 * sizeof(Word) - 1))) | sign) ^ turned);
  }
};

template <class Word, template <class> class Key>
bool sort_as(void* first, std::size_t n, const number_kind& kind, const any_forking& how) {
  return digit_sort(static_cast<typename alias<Word>::type*>(first), n, Key<Word>{static_cast<Word>(kind.turned)}, how);
}

}  // namespace

bool sort_words(void* first, std::size_t n, const number_kind& kind, const any_forking& how) {
  switch (kind.bytes) {
    case 1: return sort_as<std::uint8_t, whole_key>(first, n, kind, how);
    case 2: return sort_as<std::uint16_t, whole_key>(first, n, kind, how);
    case 4:
      return kind.floating ? sort_as<std::uint32_t, floating_key>(first, n, kind, how)
                           : sort_as<std::uint32_t, whole_key>(first, n, kind, how);
    default:
      return kind.floating ? sort_as<std::uint64_t, floating_key>(first, n, kind, how)
                           : sort_as<std::uint64_t, whole_key>(first, n, kind, how);
  }
}

}  // namespace heist::detail

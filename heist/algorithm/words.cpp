#include <heist/algorithm/digit_sort.hpp>
#include <heist/algorithm/words.hpp>

namespace heist::detail {

namespace {

// A user's number of another type.
template <class Word>
struct __attribute__((may_alias)) raw {
  Word bits;
};

template <class Word>
struct whole_key {
  Word turned;
  Word operator()(raw<Word> number) const noexcept { return static_cast<Word>(number.bits ^ turned); }
};

template <class Word>
struct floating_key {
  Word turned;
  Word operator()(raw<Word> number) const noexcept { return floating_digits(number.bits) ^ turned; }
};

template <class Word, template <class> class Key>
bool sort_as(void* first, std::size_t n, const number_kind& kind, const any_forking& how, ties equal) {
  return digit_sort(static_cast<raw<Word>*>(first), n, Key<Word>{static_cast<Word>(kind.turned)}, how, equal);
}

}  // namespace

bool sort_words(void* first, std::size_t n, const number_kind& kind, const any_forking& how, ties equal) {
  switch (kind.bytes) {
    case 1: return sort_as<std::uint8_t, whole_key>(first, n, kind, how, equal);
    case 2: return sort_as<std::uint16_t, whole_key>(first, n, kind, how, equal);
    case 4:
      return kind.floating ? sort_as<std::uint32_t, floating_key>(first, n, kind, how, equal)
                           : sort_as<std::uint32_t, whole_key>(first, n, kind, how, equal);
    default:
      return kind.floating ? sort_as<std::uint64_t, floating_key>(first, n, kind, how, equal)
                           : sort_as<std::uint64_t, whole_key>(first, n, kind, how, equal);
  }
}

}  // namespace heist::detail

#pragma once
// Values to bytes and back. The bytes are canonical: equal values give equal bytes, and no padding is among them.

#include <heist/base/export.hpp>

#include <cereal/cereal.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/bitset.hpp>
#include <cereal/types/chrono.hpp>
#include <cereal/types/complex.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/list.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/unordered_map.hpp>
#include <cereal/types/unordered_set.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

HEIST_BEGIN

namespace heist::cluster {

// A type opts in to be sent as the bytes that it is:
//   template <> inline constexpr bool heist::cluster::plain_bytes<board> = true;
// It is a copyable struct without padding and without pointers.
template <class T>
inline constexpr bool plain_bytes = false;

namespace detail {

using bytes = std::vector<std::byte>;

// Thrown by a reader if the bytes are not what was asked for.
struct undecodable : std::runtime_error {
  undecodable() : std::runtime_error("heist: cluster: bytes that are no such value") {}
};

// Thrown by a writer that has a limit.
struct too_large {};

class writer {
 public:
  explicit writer(bytes& to, std::size_t most = ~std::size_t{0}) noexcept : to_(to), most_(most) {}
  void raw(const void* from, std::size_t n) {
    if (n == 0) return;
    const std::size_t at = to_.size();
    if (n > most_ || at > most_ - n) throw too_large();
    to_.resize(at + n);
    std::memcpy(to_.data() + at, from, n);
  }
  bytes& all() noexcept { return to_; }
  std::size_t left() const noexcept { return most_ - to_.size(); }

 private:
  bytes& to_;
  const std::size_t most_;
};

class reader {
 public:
  explicit reader(std::span<const std::byte> from) noexcept : from_(from) {}
  void raw(void* to, std::size_t n) {
    if (n > from_.size()) throw undecodable();
    if (n > 0) std::memcpy(to, from_.data(), n);
    from_ = from_.subspan(n);
  }
  std::size_t left() const noexcept { return from_.size(); }
  std::span<const std::byte> rest() const noexcept { return from_; }
  void must_be_at_end() const {
    if (!from_.empty()) throw undecodable();
  }

 private:
  std::span<const std::byte> from_;
};

template <class T>
void put(writer& w, const T& value);
template <class T>
T get(reader& r);

// How cereal writes and reads types of the user, by the same writer and reader.
class cereal_writer : public cereal::OutputArchive<cereal_writer, cereal::AllowEmptyClassElision> {
 public:
  explicit cereal_writer(writer& w) : OutputArchive<cereal_writer, cereal::AllowEmptyClassElision>(this), to(w) {}
  writer& to;
};
class cereal_reader : public cereal::InputArchive<cereal_reader, cereal::AllowEmptyClassElision> {
 public:
  explicit cereal_reader(reader& r) : InputArchive<cereal_reader, cereal::AllowEmptyClassElision>(this), from(r) {}
  reader& from;
};

template <class T>
  requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_writer& a, const T& value) {
  put(a.to, value);
}
template <class T>
  requires std::is_arithmetic_v<T>
void CEREAL_LOAD_FUNCTION_NAME(cereal_reader& a, T& value) {
  value = get<T>(a.from);
}
// Inside of types that cereal writes.
template <class T>
concept only_plain_bytes = plain_bytes<T> && !cereal::traits::has_member_serialize<T, cereal_writer>::value &&
                           !cereal::traits::has_non_member_serialize<T, cereal_writer>::value;
template <only_plain_bytes T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_writer& a, const T& value) {
  put(a.to, value);
}
template <only_plain_bytes T>
void CEREAL_LOAD_FUNCTION_NAME(cereal_reader& a, T& value) {
  value = get<T>(a.from);
}
template <class Archive, class T>
  requires(std::is_same_v<Archive, cereal_writer> || std::is_same_v<Archive, cereal_reader>)
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& a, cereal::NameValuePair<T>& pair) {
  a(pair.value);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_writer& a, const cereal::SizeTag<T>& tag) {
  put(a.to, static_cast<std::uint64_t>(tag.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(cereal_reader& a, cereal::SizeTag<T>& tag) {
  const auto size = get<std::uint64_t>(a.from);
  if (size > a.from.left()) throw undecodable();  // an element takes a byte at least
  tag.size = static_cast<std::remove_reference_t<decltype(tag.size)>>(size);
}
// Containers without an order: by their elements' bytes, so that equal ones give equal bytes.
template <class Container>
void put_sorted(cereal_writer& a, const Container& all) {
  std::vector<bytes> each;
  std::size_t left = a.to.left();
  for (const auto& element : all) {
    writer w(each.emplace_back(), left);
    put(w, element);
    left -= each.back().size();
  }
  std::sort(each.begin(), each.end(), [](const bytes& one, const bytes& other) {
    if (one.size() != other.size()) return one.size() < other.size();
    return !one.empty() && std::memcmp(one.data(), other.data(), one.size()) < 0;
  });
  put(a.to, static_cast<std::uint64_t>(each.size()));
  for (const bytes& one : each) a.to.raw(one.data(), one.size());
}
template <class... T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_writer& a, const std::unordered_map<T...>& all) {
  put_sorted(a, all);
}
template <class... T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_writer& a, const std::unordered_multimap<T...>& all) {
  put_sorted(a, all);
}
template <class K, class H, class E, class A>
void CEREAL_SAVE_FUNCTION_NAME(cereal_writer& a, const std::unordered_set<K, H, E, A>& all) {
  put_sorted(a, all);
}
template <class K, class H, class E, class A>
void CEREAL_SAVE_FUNCTION_NAME(cereal_writer& a, const std::unordered_multiset<K, H, E, A>& all) {
  put_sorted(a, all);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_writer& a, const cereal::BinaryData<T>& data) {
  a.to.raw(data.data, static_cast<std::size_t>(data.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(cereal_reader& a, cereal::BinaryData<T>& data) {
  a.from.raw(data.data, static_cast<std::size_t>(data.size));
}

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;
template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class C>
inline constexpr bool is_vector<std::basic_string<C>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

// Its value is its bytes, whatever they are.
template <class T>
inline constexpr bool is_bits =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, long double>) || std::is_same_v<T, std::byte> ||
    plain_bytes<T>;

// Numbers with a fraction have several representations of one value, so the standard's trait says no to all that have such
// members. Padding cannot be read when a program is compiled.
template <class T>
constexpr bool reads_every_byte() {
  unsigned all = 0;
  for (const unsigned char b : std::bit_cast<std::array<unsigned char, sizeof(T)>>(T{})) all |= b;
  return all < 256;
}
template <class T>
concept without_padding = std::has_unique_object_representations_v<T> ||
                          (std::is_default_constructible_v<T> && requires { typename std::bool_constant<reads_every_byte<T>()>; });

template <class T>
void put(writer& w, const T& value) {
  if constexpr (is_bits<T>) {
    if constexpr (plain_bytes<T>) {
      static_assert(std::is_trivially_copyable_v<T>, "heist::cluster: a type with plain_bytes is trivially copyable");
      static_assert(without_padding<T>,
                    "heist::cluster: a type with plain_bytes has no padding. If it has none: heist can see that of types of "
                    "integers, and of those with a constexpr default constructor");
    }
    w.raw(&value, sizeof(T));
  } else if constexpr (std::is_same_v<T, bool>) {
    put(w, static_cast<std::uint8_t>(value));
  } else if constexpr (std::is_same_v<T, long double>) {
    w.raw(&value, sizeof(T) == 16 && __LDBL_MANT_DIG__ == 64 ? 10 : sizeof(T));  // the rest is padding
  } else if constexpr (std::is_enum_v<T>) {
    put(w, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_same_v<T, std::monostate>) {
  } else if constexpr (is_array<T>) {
    for (const auto& v : value) put(w, v);
  } else if constexpr (is_tuple<T>) {
    std::apply([&](const auto&... v) { (put(w, v), ...); }, value);
  } else if constexpr (is_vector<T>) {
    put(w, static_cast<std::uint64_t>(value.size()));
    using element = typename T::value_type;
    if constexpr (is_bits<element>)
      w.raw(value.data(), value.size() * sizeof(element));
    else
      for (const element& v : value) put(w, v);
  } else if constexpr (is_optional<T>) {
    put(w, value.has_value());
    if (value) put(w, *value);
  } else {
    cereal_writer a(w);
    a(value);
  }
}

template <class T>
T get(reader& r) {
  if constexpr (is_bits<T>) {
    std::array<std::byte, sizeof(T)> here;
    r.raw(here.data(), sizeof(T));
    return std::bit_cast<T>(here);
  } else if constexpr (std::is_same_v<T, bool>) {
    const auto b = get<std::uint8_t>(r);
    if (b > 1) throw undecodable();
    return b == 1;
  } else if constexpr (std::is_same_v<T, long double>) {
    long double value = 0;
    r.raw(&value, sizeof(T) == 16 && __LDBL_MANT_DIG__ == 64 ? 10 : sizeof(T));
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(get<std::underlying_type_t<T>>(r));
  } else if constexpr (std::is_same_v<T, std::monostate>) {
    return {};
  } else if constexpr (is_array<T>) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return T{(static_cast<void>(i), get<typename T::value_type>(r))...};
    }(std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (is_tuple<T>) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return T{get<std::remove_cv_t<std::tuple_element_t<i, T>>>(r)...};
    }(std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (is_vector<T>) {
    using element = typename T::value_type;
    const auto size = get<std::uint64_t>(r);
    T value;
    if constexpr (is_bits<element>) {
      if (size > r.left() / sizeof(element)) throw undecodable();
      value.resize(size);
      r.raw(value.data(), size * sizeof(element));
    } else {
      // Elements may be empty, and take no byte: then the number is bounded by what a message may hold.
      if (size > r.left() && !(std::is_empty_v<element> && size < (std::uint64_t{1} << 24))) throw undecodable();
      value.reserve(size);
      for (std::uint64_t i = 0; i < size; ++i) value.push_back(get<element>(r));
    }
    return value;
  } else if constexpr (is_optional<T>) {
    if (!get<bool>(r)) return std::nullopt;
    return get<typename T::value_type>(r);
  } else {
    T value{};
    cereal_reader a(r);
    a(value);
    return value;
  }
}

}  // namespace detail

}  // namespace heist::cluster

CEREAL_SETUP_ARCHIVE_TRAITS(heist::cluster::detail::cereal_reader, heist::cluster::detail::cereal_writer)

HEIST_END

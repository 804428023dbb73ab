#pragma once
// Which functions and values may travel to another machine, and the sentences for those that may not.

#include <heist/base/export.hpp>
#include <heist/cluster/pack.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

HEIST_BEGIN

namespace heist::cluster::detail {

template <class T>
inline constexpr bool is_view = false;
template <class C, class T>
inline constexpr bool is_view<std::basic_string_view<C, T>> = true;
template <class T, std::size_t n>
inline constexpr bool is_view<std::span<T, n>> = true;

// Whether one of these is inside.
template <class T>
consteval bool has_pointer() {
  return std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_null_pointer_v<T>;
}

template <class T, template <class> class Has>
struct inside : std::bool_constant<Has<T>::value> {};
template <class T, std::size_t n, template <class> class Has>
struct inside<std::array<T, n>, Has> : inside<T, Has> {};
template <class... T, template <class> class Has>
struct inside<std::tuple<T...>, Has> : std::bool_constant<(inside<std::remove_cv_t<T>, Has>::value || ...)> {};
template <class A, class B, template <class> class Has>
struct inside<std::pair<A, B>, Has>
    : std::bool_constant<inside<std::remove_cv_t<A>, Has>::value || inside<std::remove_cv_t<B>, Has>::value> {};
template <class T, template <class> class Has>
struct inside<std::optional<T>, Has> : inside<T, Has> {};
template <class... T, template <class> class Has>
struct inside<std::variant<T...>, Has> : std::bool_constant<(inside<T, Has>::value || ...)> {};
template <class T, class Deleter, template <class> class Has>
struct inside<std::unique_ptr<T, Deleter>, Has> : inside<std::remove_cv_t<T>, Has> {};
template <class T, template <class> class Has>
struct inside<std::shared_ptr<T>, Has> : inside<std::remove_cv_t<T>, Has> {};
// Containers: of what they allocate.
template <class T>
inline constexpr bool is_allocator = false;
template <class T>
inline constexpr bool is_allocator<std::allocator<T>> = true;
template <class T, template <class> class Has>
struct inside<std::allocator<T>, Has> : inside<T, Has> {};
template <template <class...> class Container, class... A, template <class> class Has>
requires(is_allocator<A> || ...) struct inside<Container<A...>, Has>
    : std::bool_constant<((is_allocator<A> && inside<A, Has>::value) || ...)> {
};

template <class T>
struct pointers : std::bool_constant<has_pointer<T>()> {};
template <class T>
struct views : std::bool_constant<is_view<T>> {};
template <class T>
struct references : std::is_reference<T> {};

template <class T>
consteval bool packs_itself() {
  return is_bits<T> || std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::monostate> || std::is_void_v<T>;
}
// Those that put() hands to cereal, and cereal does not know.
template <class T>
consteval bool is_stranger() {
  if constexpr (packs_itself<T>() || is_view<T> || has_pointer<T>() || std::is_reference_v<T> || is_vector<T>)
    return false;
  else
    return !(cereal::traits::is_output_serializable<T, cereal_writer>::value &&
             cereal::traits::is_input_serializable<T, cereal_reader>::value && std::is_default_constructible_v<T>);
}
template <class T>
struct strangers : std::bool_constant<is_stranger<T>()> {};

// Of a result or a parameter. A sentence for what is wrong; false then.
template <class T>
consteval bool fits_on_wire() {
  constexpr bool pointer = inside<T, pointers>::value;
  constexpr bool reference = inside<T, references>::value;
  constexpr bool view = inside<T, views>::value;
  constexpr bool stranger = inside<T, strangers>::value;
  static_assert(!reference,
                "heist::cluster: a task takes and returns values; a reference means nothing on another machine");
  static_assert(!pointer,
                "heist::cluster: a task takes and returns values; a pointer means nothing on another machine");
  static_assert(!view,
                "heist::cluster: a task takes and returns values; a view (string_view, span) means nothing on another "
                "machine: use std::string or std::vector");
  static_assert(!stranger || reference || pointer || view,
                "heist::cluster: heist does not know how to send this type: give it a serialize() as cereal wants it, and a "
                "default constructor, or declare it plain_bytes; for a type of the standard's, include cereal's header for it "
                "(<cereal/types/...>)");
  return !(pointer || reference || view || stranger);
}

template <class F>
struct signature {
  static constexpr bool function = false, throws = true;
};
template <class R, class... A>
struct signature<R (*)(A...)> {
  static constexpr bool function = true, throws = true;
  using result = R;
  template <template <class...> class To>
  using with_parameters = To<A...>;
  static consteval bool fits() { return fits_on_wire<std::remove_cv_t<R>>() && (fits_on_wire<std::remove_cv_t<A>>() && ...); }
};
template <class R, class... A>
struct signature<R (*)(A...) noexcept> : signature<R (*)(A...)> {
  static constexpr bool function = true, throws = false;
};

template <auto f>
consteval bool can_be_task() {
  using s = signature<decltype(f)>;
  static_assert(s::function, "heist::cluster: a task is a function: hc::task<&f>(arguments)");
  static_assert(s::throws,
                "heist::cluster: a task must not be noexcept: when its machine is lost or its result is not wanted, it may "
                "have to end by an exception");
  if constexpr (s::function && s::throws)
    return s::fits();
  else
    return false;
}

}  // namespace heist::cluster::detail

HEIST_END

#include <heist/cancelled.hpp>
#include <heist/cluster/failures.hpp>

#include <cxxabi.h>

#include <any>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <future>
#include <ios>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <typeinfo>

namespace heist::cluster {

remote_error::~remote_error() = default;

namespace detail {
namespace {

// The standard's types: those that have a text, then those that are always the same.
template <class... T>
struct types {};
using with_text =
    types<std::runtime_error, std::logic_error, std::invalid_argument, std::domain_error, std::length_error,
          std::out_of_range, std::range_error, std::overflow_error, std::underflow_error>;
using without_text = types<std::exception, std::bad_exception, std::bad_alloc, std::bad_array_new_length, std::bad_cast,
                           std::bad_any_cast, std::bad_typeid, std::bad_function_call, std::bad_weak_ptr,
                           std::bad_optional_access, std::bad_variant_access, heist::cancelled>;

// Which of the two lists, or what else it is.
enum class kind : std::uint8_t { other, texts, plain, system, ios, files, future };

struct failure {
  kind what = kind::other;
  std::uint8_t which = 0;  // in its list; how many paths
  std::int32_t code = 0;
  std::uint8_t category = 0;
  std::string text;
  std::string first = {}, second = {};  // paths
};

std::string name_of_type(const std::exception& e) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(typeid(e).name(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : typeid(e).name();
}

// Its place in the list; the list's length, if it is not there. Exactly one of these types: a class derived from one is
// another.
template <class... T>
std::uint8_t place_of(const std::type_info& t, types<T...>) {
  std::uint8_t place = 0;
  static_cast<void>(((t == typeid(T) || (++place, false)) || ...));
  return place;
}
template <class... T>
constexpr std::uint8_t length_of(types<T...>) {
  return sizeof...(T);
}

// Categories by number: they are compared by address, which differs between machines.
const std::error_category* category_of(std::uint8_t number) {
  switch (number) {
    case 0:
      return &std::generic_category();
    case 1:
      return &std::system_category();
    case 2:
      return &std::iostream_category();
    case 3:
      return &std::future_category();
    default:
      return nullptr;
  }
}
bool find_category(const std::error_code& code, failure& to) {
  to.code = code.value();
  for (to.category = 0; category_of(to.category) != nullptr; ++to.category)
    if (code.category() == *category_of(to.category)) return true;
  return false;
}

// What was given to the constructor, of what() makes of it: `before`, that, ": " and the code's own message, and
// `behind`.
std::string given(std::string_view text, std::string_view before, const std::error_code& code,
                  std::string_view behind) {
  if (text.starts_with(before)) text.remove_prefix(before.size());
  if (text.ends_with(behind)) text.remove_suffix(behind.size());
  if (const std::string tail = code.message(); text.ends_with(tail)) text.remove_suffix(tail.size());
  if (text.ends_with(": ")) text.remove_suffix(2);
  return std::string(text);
}

bool look_at_system(const std::system_error& e, failure& f) {
  const std::type_info& t = typeid(e);
  if (!find_category(e.code(), f)) return false;
  // What a stream throws is of a class of the library's own, derived from the standard's.
  const bool of_a_stream =
      dynamic_cast<const std::ios_base::failure*>(&e) != nullptr && name_of_type(e).starts_with("std::");
  if (t == typeid(std::system_error) || of_a_stream) {
    f.what = of_a_stream ? kind::ios : kind::system;
    f.text = given(e.what(), "", e.code(), "");
    return true;
  }
  if (t != typeid(std::filesystem::filesystem_error)) return false;
  const auto& files = static_cast<const std::filesystem::filesystem_error&>(e);
  f.what = kind::files;
  f.first = files.path1().string();
  f.second = files.path2().string();
  // Whether it was made with both, one or no path is not asked of it: it is seen by the text.
  const std::string one = " [" + f.first + "]", both = one + " [" + f.second + "]";
  const std::string_view text = e.what();
  f.which = text.ends_with(both) ? 2 : text.ends_with(one) ? 1 : 0;
  const std::string paths = f.which == 2 ? both : f.which == 1 ? one : "";
  f.text = given(text, "filesystem error: ", e.code(), paths);
  return true;
}

failure look_at(const std::exception& e) {
  const std::type_info& t = typeid(e);
  if (const std::uint8_t at = place_of(t, with_text()); at < length_of(with_text()))
    return {kind::texts, at, 0, 0, e.what()};
  if (const std::uint8_t at = place_of(t, without_text()); at < length_of(without_text()))
    return {kind::plain, at, 0, 0, ""};
  if (t == typeid(remote_error)) return {kind::other, 0, 0, 0, e.what()};
  failure f;
  if (const auto* const s = dynamic_cast<const std::system_error*>(&e); s != nullptr && look_at_system(*s, f)) return f;
  if (const auto* const s = dynamic_cast<const std::future_error*>(&e); s != nullptr && t == typeid(std::future_error))
    return {kind::future, 0, s->code().value(), 0, ""};
  return {kind::other, 0, 0, 0, name_of_type(e) + ": " + e.what()};
}

// The one at that place; null if there is none.
template <class... T>
std::exception_ptr make_one(types<T...>, const failure& f) {
  std::exception_ptr made;
  std::uint8_t place = 0;
  auto one = [&]<class E>(std::type_identity<E>) {
    if (place++ != f.which) return;
    if constexpr (std::is_constructible_v<E, const std::string&>)
      made = std::make_exception_ptr(E(f.text));
    else
      made = std::make_exception_ptr(E());
  };
  (one(std::type_identity<T>()), ...);
  return made;
}

std::filesystem::filesystem_error make_files(const failure& f, const std::error_code& code) {
  if (f.which == 0) return {f.text, code};
  if (f.which == 1) return {f.text, f.first, code};
  return {f.text, f.first, f.second, code};
}

std::exception_ptr make(const failure& f) {
  const std::error_category* const category = category_of(f.category);
  if (category == nullptr) return nullptr;
  const std::error_code code(f.code, *category);
  switch (f.what) {
    case kind::texts:
      return make_one(with_text(), f);
    case kind::plain:
      return make_one(without_text(), f);
    case kind::system:
      return std::make_exception_ptr(f.text.empty() ? std::system_error(code) : std::system_error(code, f.text));
    case kind::ios:
      return std::make_exception_ptr(std::ios_base::failure(f.text, code));
    case kind::files:
      return std::make_exception_ptr(make_files(f, code));
    case kind::future:
      return std::make_exception_ptr(std::future_error(static_cast<std::future_errc>(f.code)));
    case kind::other:
      break;
  }
  return std::make_exception_ptr(remote_error(f.text));
}

}  // namespace

bytes pack_failure(const std::exception_ptr& e) {
  failure f;
  try {
    std::rethrow_exception(e);
  } catch (const std::exception& caught) {
    f = look_at(caught);
  } catch (...) {
    const std::type_info* const t = abi::__cxa_current_exception_type();
    f = {kind::other, 0, 0, 0,
         std::string("an exception that is no std::exception, of type ") + (t != nullptr ? t->name() : "unknown")};
  }
  for (std::string* const text : {&f.text, &f.first, &f.second})
    if (text->size() > 65536) text->resize(65536);
  bytes out;
  writer w(out);
  put(w, f.what);
  put(w, f.which);
  put(w, f.code);
  put(w, f.category);
  put(w, f.text);
  put(w, f.first);
  put(w, f.second);
  return out;
}

std::exception_ptr unpack_failure(std::span<const std::byte> from) {
  try {
    reader r(from);
    failure f;
    f.what = get<kind>(r);
    if (f.what > kind::future) return nullptr;
    f.which = get<std::uint8_t>(r);
    f.code = get<std::int32_t>(r);
    f.category = get<std::uint8_t>(r);
    f.text = get<std::string>(r);
    f.first = get<std::string>(r);
    f.second = get<std::string>(r);
    r.must_be_at_end();
    return make(f);
  } catch (const undecodable&) {
    return nullptr;
  }
}

}  // namespace detail
}  // namespace heist::cluster

#include <heist/cancelled.hpp>
#include <heist/cluster/failures.hpp>

#include <cxxabi.h>

#include <cstdlib>
#include <future>
#include <memory>
#include <new>
#include <system_error>
#include <typeinfo>

namespace heist::cluster {

remote_error::~remote_error() = default;

namespace detail {
namespace {

enum class type : std::uint8_t {
  other, runtime_error, logic_error, invalid_argument, domain_error, length_error, out_of_range, range_error,
  overflow_error, underflow_error, bad_alloc, system_error, remote, cancelled, bad_optional, bad_variant,
};

struct failure {
  type what = type::other;
  std::int32_t code = 0;  // of a system_error
  std::uint8_t category = 0;
  std::string text;
};

std::string name_of_type(const std::exception& e) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(typeid(e).name(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : typeid(e).name();
}

// Exactly one of these types: a class derived from one of them is another type.
failure look_at(const std::exception& e) {
  const std::type_info& t = typeid(e);
  auto plain = [&](type as) { return failure{as, 0, 0, e.what()}; };
  if (t == typeid(std::runtime_error)) return plain(type::runtime_error);
  if (t == typeid(std::logic_error)) return plain(type::logic_error);
  if (t == typeid(std::invalid_argument)) return plain(type::invalid_argument);
  if (t == typeid(std::domain_error)) return plain(type::domain_error);
  if (t == typeid(std::length_error)) return plain(type::length_error);
  if (t == typeid(std::out_of_range)) return plain(type::out_of_range);
  if (t == typeid(std::range_error)) return plain(type::range_error);
  if (t == typeid(std::overflow_error)) return plain(type::overflow_error);
  if (t == typeid(std::underflow_error)) return plain(type::underflow_error);
  if (t == typeid(std::bad_alloc) || t == typeid(std::bad_array_new_length)) return plain(type::bad_alloc);
  if (t == typeid(heist::cancelled)) return plain(type::cancelled);
  if (t == typeid(std::bad_optional_access)) return plain(type::bad_optional);
  if (t == typeid(std::bad_variant_access)) return plain(type::bad_variant);
  if (t == typeid(remote_error)) return plain(type::remote);
  if (const auto* const s = dynamic_cast<const std::system_error*>(&e); s != nullptr && t == typeid(std::system_error)) {
    const bool generic = s->code().category() == std::generic_category();
    if (generic || s->code().category() == std::system_category()) {
      // what() is the text given, ": " and the code's own message, which the other side adds again.
      std::string text = e.what();
      const std::string tail = s->code().message();
      if (text.ends_with(tail)) text.resize(text.size() - tail.size());
      if (text.ends_with(": ")) text.resize(text.size() - 2);
      return {type::system_error, s->code().value(), static_cast<std::uint8_t>(generic ? 0 : 1), text};
    }
  }
  return {type::remote, 0, 0, name_of_type(e) + ": " + e.what()};
}

std::exception_ptr make(const failure& f) {
  switch (f.what) {
    case type::runtime_error: return std::make_exception_ptr(std::runtime_error(f.text));
    case type::logic_error: return std::make_exception_ptr(std::logic_error(f.text));
    case type::invalid_argument: return std::make_exception_ptr(std::invalid_argument(f.text));
    case type::domain_error: return std::make_exception_ptr(std::domain_error(f.text));
    case type::length_error: return std::make_exception_ptr(std::length_error(f.text));
    case type::out_of_range: return std::make_exception_ptr(std::out_of_range(f.text));
    case type::range_error: return std::make_exception_ptr(std::range_error(f.text));
    case type::overflow_error: return std::make_exception_ptr(std::overflow_error(f.text));
    case type::underflow_error: return std::make_exception_ptr(std::underflow_error(f.text));
    case type::bad_alloc: return std::make_exception_ptr(std::bad_alloc());
    case type::system_error: {
      const auto& category = f.category == 0 ? std::generic_category() : std::system_category();
      const std::error_code code(f.code, category);
      return std::make_exception_ptr(f.text.empty() ? std::system_error(code) : std::system_error(code, f.text));
    }
    case type::cancelled: return std::make_exception_ptr(heist::cancelled());
    case type::bad_optional: return std::make_exception_ptr(std::bad_optional_access());
    case type::bad_variant: return std::make_exception_ptr(std::bad_variant_access());
    case type::remote:
    case type::other: break;
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
    f = {type::other, 0, 0, std::string("an exception that is no std::exception, of type ") + (t != nullptr ? t->name() : "unknown")};
  }
  if (f.text.size() > 65536) f.text.resize(65536);
  bytes out;
  writer w(out);
  put(w, f.what);
  put(w, f.code);
  put(w, f.category);
  put(w, f.text);
  return out;
}

std::exception_ptr unpack_failure(std::span<const std::byte> from) {
  try {
    reader r(from);
    failure f;
    f.what = get<type>(r);
    if (f.what > type::bad_variant) return nullptr;
    f.code = get<std::int32_t>(r);
    f.category = get<std::uint8_t>(r);
    f.text = get<std::string>(r);
    r.must_be_at_end();
    return make(f);
  } catch (const undecodable&) {
    return nullptr;
  }
}

}  // namespace detail
}  // namespace heist::cluster

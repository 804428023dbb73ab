#include <analysis/dag/spec.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <charconv>

namespace heist::analysis {

spec::spec(std::string text, std::size_t values_at, const std::string& first) : text_(std::move(text)) {
  std::size_t at = values_at;
  while (at < text_.size()) {
    const std::size_t comma = std::min(text_.find(',', at), text_.size());
    std::string item = text_.substr(at, comma - at);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos && at != values_at) fail(fmt::format("\"{}\" is not key=value", item));
    const std::string key = equals == std::string::npos ? first : item.substr(0, equals);
    const std::string value = equals == std::string::npos ? item : item.substr(equals + 1);
    if (!values_.emplace(key, value).second) fail(fmt::format("{} is given twice", key));
    at = comma + 1;
  }
}

// One line, whatever was typed.
void spec::fail(const std::string& what) const {
  std::string message = fmt::format("{:.60}: {:.200}", text_, what);
  for (char& c : message)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  throw bad_input(message);
}

std::uint64_t spec::number(const char* key, std::uint64_t otherwise, std::uint64_t least, std::uint64_t most) {
  used_[key] = true;
  const auto value = values_.find(key);
  if (value == values_.end()) return otherwise;
  std::uint64_t n = 0;
  const char* const end = value->second.data() + value->second.size();
  const auto [stop, error] = std::from_chars(value->second.data(), end, n);
  if (value->second.empty() || error != std::errc() || stop != end || n < least || n > most) {
    fail(fmt::format("{} must be a number from {} to {}, not \"{}\"", key, least, most, value->second));
  }
  return n;
}

double spec::real(const char* key, double otherwise, double least, double most) {
  used_[key] = true;
  const auto value = values_.find(key);
  if (value == values_.end()) return otherwise;
  double x = 0;
  const char* const end = value->second.data() + value->second.size();
  const auto [stop, error] = std::from_chars(value->second.data(), end, x);
  if (value->second.empty() || error != std::errc() || stop != end || !(x >= least && x <= most)) {
    fail(fmt::format("{} must be a number from {} to {}, not \"{}\"", key, least, most, value->second));
  }
  return x;
}

void spec::finish() const {
  std::string known;
  for (const auto& [key, used] : used_) known += (known.empty() ? "" : ", ") + key;
  for (const auto& [key, value] : values_)
    if (!used_.contains(key)) fail(fmt::format("there is no key \"{}\"; the keys are {}", key, known));
}

}  // namespace heist::analysis

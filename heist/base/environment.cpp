#include <heist/base/environment.hpp>

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heist::detail {

namespace {

std::string_view text_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

[[noreturn]] void refuse(const char* variable, std::string_view text, const std::string& instead) {
  throw std::invalid_argument("heist: " + std::string(variable) + " is \"" + std::string(text) + "\", not " + instead);
}

}  // namespace

std::optional<std::uint64_t> number_from_environment(const char* variable, std::uint64_t least, std::uint64_t most) {
  const std::string_view text = text_of(variable);
  if (text.empty()) return std::nullopt;
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n < least || n > most)
    refuse(variable, text, "a number in " + std::to_string(least) + " … " + std::to_string(most));
  return n;
}

std::optional<std::size_t> word_from_environment(const char* variable, std::initializer_list<const char*> words) {
  const std::string_view text = text_of(variable);
  if (text.empty()) return std::nullopt;
  std::string all;
  std::size_t place = 0;
  for (const char* const word : words) {
    if (text == word) return place;
    if (place > 0) all += place + 1 == words.size() ? " or " : ", ";
    all += word;
    ++place;
  }
  refuse(variable, text, all);
}

}  // namespace heist::detail

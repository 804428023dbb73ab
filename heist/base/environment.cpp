#include <heist/base/environment.hpp>

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heist::detail {

std::optional<unsigned> number_from_environment(const char* variable, unsigned least, unsigned most) {
  const char* const wanted = std::getenv(variable);
  if (wanted == nullptr || *wanted == '\0') return std::nullopt;
  const std::string_view text(wanted);
  unsigned n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n < least || n > most)
    throw std::invalid_argument("heist: " + std::string(variable) + " is \"" + std::string(text) +
                                "\", not a number in " + std::to_string(least) + " … " + std::to_string(most));
  return n;
}

}  // namespace heist::detail

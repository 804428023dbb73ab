#include <analysis/race/settings.hpp>

#include <charconv>
#include <string_view>

namespace heist::race {

void settings::read(const char* text) {
  if (text == nullptr) return;
  std::string_view rest(text);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view one = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const std::size_t equals = one.find('=');
    const std::string_view name = one.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? std::string_view() : one.substr(equals + 1);
    if (name == "determinacy") determinacy = true;
    else if (name == "first") first = true;
    else if (name == "reversed") reversed = true;
    else if (name == "quiet") quiet = true;
    else if (name == "json") json = value;
    else if (name == "suppress") suppress = value;
    else if (name == "watch") watch = value;
    else if (name == "addresses") addresses = value;
    else if (name == "sample") std::from_chars(value.data(), value.data() + value.size(), sample);
  }
}

}  // namespace heist::race

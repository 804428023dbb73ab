#include <heist/base/text.hpp>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>

namespace heist::detail {

void print(std::string& to, const char* format, ...) {
  std::array<char, 512> line;
  va_list arguments;
  va_start(arguments, format);
  const int n = std::vsnprintf(line.data(), line.size(), format, arguments);
  va_end(arguments);
  to.append(line.data(), std::min(line.size() - 1, static_cast<std::size_t>(n)));
}

namespace {

// The number of bytes of the UTF-8 character at the beginning of `text`; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  unsigned code = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  // Rejects overlong encodings, surrogates, and values past the last character.
  constexpr std::array<unsigned, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return first < 0xc0 || code < least[length] || surrogate || code > 0x10ffff ? 0 : length;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string s = "\"";
  while (!text.empty()) {
    const char c = text.front();
    const std::size_t length = character_length(text);
    if (length == 0)
      s += '?';
    else if (c == '"' || c == '\\')
      s += '\\', s += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      print(s, "\\u%04x", static_cast<unsigned>(c));
    else
      s += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return s + '"';
}

}  // namespace heist::detail

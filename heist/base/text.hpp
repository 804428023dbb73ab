#pragma once
// Text for reports and JSON, without iostreams.

#include <string>
#include <string_view>

namespace heist::detail {

// Appends as printf would; at most 511 characters at a time.
[[gnu::format(printf, 2, 3)]] void print(std::string& to, const char* format, ...);

// As a JSON string. Bytes that are not UTF-8 become question marks.
std::string quoted(std::string_view text);

}  // namespace heist::detail

#pragma once
// Text for reports and JSON, without iostreams.

#include <heist/base/export.hpp>

#include <locale.h>

#include <string>
#include <string_view>

HEIST_BEGIN

namespace heist::detail {

// Appends as printf would; at most 511 characters at a time.
[[gnu::format(printf, 2, 3)]] void print(std::string& to, const char* format, ...);

// While it lives, this thread formats numbers with a decimal point, whatever the program's locale.
class plain_numbers {
 public:
  plain_numbers() noexcept : plain_(::newlocale(LC_NUMERIC_MASK, "C", nullptr)), former_(::uselocale(plain_)) {}
  ~plain_numbers() {
    ::uselocale(former_);
    if (plain_ != nullptr) ::freelocale(plain_);
  }
  plain_numbers(const plain_numbers&) = delete;
  plain_numbers& operator=(const plain_numbers&) = delete;

 private:
  const locale_t plain_, former_;
};

// As a JSON string. Bytes that are not UTF-8 become question marks.
HEIST_API std::string json_string(std::string_view text);

}  // namespace heist::detail

HEIST_END

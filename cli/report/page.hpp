#pragma once
// The report page, made by assemble.cmake from the files of this folder. The data goes where /*DATA*/ stands.

#include <string_view>

namespace heist::cli {

extern const std::string_view report_page;

}  // namespace heist::cli

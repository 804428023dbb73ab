#include <heist/reducer.hpp>

#include <sstream>
#include <string_view>

namespace heist::detail {

output::output() : kept_(new std::ostringstream), to_(kept_.get()) {}
output::output(output&& other) noexcept = default;
output& output::operator=(output&& other) noexcept = default;
output::~output() = default;

void output::append(output&& later) {
  const std::string_view text = static_cast<const std::ostringstream&>(*later.kept_).view();
  to_->write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace heist::detail

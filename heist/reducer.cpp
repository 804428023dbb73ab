#include <heist/reducer.hpp>

#include <sstream>
#include <string_view>

namespace heist::detail {

output::output() : kept_(std::make_unique<std::ostringstream>()), to_(kept_.get()) {}

void output::append(output&& later) {
  const std::string_view text = static_cast<const std::ostringstream&>(*later.kept_).view();
  to_->write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace heist::detail

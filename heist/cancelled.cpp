#include <heist/cancelled.hpp>

namespace heist {

// Here, so that the table of virtual functions is in the library and in no program.
const char* cancelled::what() const noexcept { return "heist: cancelled by a stop token"; }

}  // namespace heist

#include <heist/cancelled.hpp>

namespace heist {

// Here, so that the table of virtual functions is in the library and in no program.
const char* cancelled::what() const noexcept { return "heist: cancelled: a stop was requested, or an earlier part of the computation failed"; }

}  // namespace heist

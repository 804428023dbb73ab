#pragma once
// Which build this program is: all processes of a job must be of one.

#include <heist/base/export.hpp>

#include <string>

HEIST_BEGIN

namespace heist::cluster::detail {

// The note that the linker has left in the program (--build-id), or a hash of the program's file if there is none.
std::string build_id();

}  // namespace heist::cluster::detail

HEIST_END

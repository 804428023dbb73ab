#pragma once
// Exceptions to bytes and back. Standard types arrive as what they were; others as remote_error, with type and text.

#include <heist/base/export.hpp>
#include <heist/cluster/pack.hpp>

#include <exception>
#include <span>
#include <stdexcept>
#include <string>

HEIST_BEGIN

namespace heist::cluster {

// What a task threw on another machine, if it was of a type that heist does not know there: type and text.
class HEIST_API remote_error : public std::runtime_error {
 public:
  HEIST_OWN explicit remote_error(const std::string& text) : std::runtime_error(text) {}
  HEIST_OWN remote_error(const remote_error&) = default;
  HEIST_OWN remote_error& operator=(const remote_error&) = default;
  ~remote_error() override;
};

namespace detail {

bytes pack_failure(const std::exception_ptr& e);
// Null if the bytes are no failure.
HEIST_API std::exception_ptr unpack_failure(std::span<const std::byte> from);

}  // namespace detail
}  // namespace heist::cluster

HEIST_END

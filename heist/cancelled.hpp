#pragma once
// What an algorithm throws that was told to stop.

#include <heist/base/export.hpp>

#include <exception>

namespace heist {

// Thrown by an algorithm whose std::stop_token was asked to stop before all was done. What it was writing to is then
// valid and unspecified.
class cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "heist: cancelled by a stop token"; }
};

}  // namespace heist

#pragma once
// What a computation throws that was stopped.

#include <heist/base/export.hpp>

#include <exception>

HEIST_BEGIN

namespace heist {

// Thrown by an algorithm, a join, a scope or a run whose std::stop_token was asked to stop before all was done; and inside
// the parallel program, by loops and forks whose result nobody wants any more because something before them has failed: there
// it ends with the strand, and the failure is what arrives. What an algorithm was writing to is then valid and unspecified.
// One name for all versions, so that whoever catches it may have another heist than who throws.
class HEIST_API cancelled : public std::exception {
 public:
  HEIST_OWN cancelled() = default;
  HEIST_OWN cancelled(const cancelled&) = default;
  HEIST_OWN cancelled& operator=(const cancelled&) = default;
  HEIST_OWN ~cancelled() override = default;
  const char* what() const noexcept override;
};

}  // namespace heist

HEIST_END

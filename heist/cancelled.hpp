#pragma once
// cancelled: what a stopped computation throws.

#include <heist/base/export.hpp>

#include <exception>

HEIST_BEGIN

namespace heist {

// Thrown in two cases:
// - An algorithm, a join, a scope or pool::run has a std::stop_token, and the token was asked to stop
//   before everything was done.
// - Something earlier in serial order has failed. Then loops and forks whose result no longer matters
//   throw this, and it ends with their strand. The caller gets the failure.
// What an algorithm was writing to is then valid but unspecified.
//
// The class has the same name in all versions of heist, so code built with one version can catch what
// another one throws.
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

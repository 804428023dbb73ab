#pragma once
// What a computation throws that was stopped.

#include <heist/base/export.hpp>

#include <exception>

namespace heist {

// Thrown by an algorithm, a join, a scope or a run whose std::stop_token was asked to stop before all was done; and inside
// the parallel program, by loops and forks whose result nobody wants any more because something before them has failed: there
// it ends with the strand, and the failure is what arrives. What an algorithm was writing to is then valid and unspecified.
class cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "heist: cancelled: a stop was requested, or something before this has failed"; }
};

}  // namespace heist

#pragma once
// How a scope's strand waits for children that were stolen. Protocol: protocols/scopes.md.

#include <heist/base/export.hpp>
#include <heist/sched/arrivals.hpp>
#include <heist/sched/place.hpp>

HEIST_BEGIN

namespace heist::detail {

class scope_books;

class scope_wait {
 public:
  scope_wait(const scope_books& of, arrivals& children, const place_of_scope& made_at) noexcept
      : scope_(of), arrivals_(children), place_(made_at) {}

  // The scope's strand. Returns when all have arrived, perhaps on another thread.
  void until_all_here() noexcept;

 private:
  // Each is false if it cannot wait like that.
  bool parked() noexcept;
  bool with_seat() noexcept;
  void blocked() noexcept;

  const scope_books& scope_;
  arrivals& arrivals_;
  const place_of_scope& place_;
};

}  // namespace heist::detail

HEIST_END

#pragma once
// A stretch of a strand that is measured.

#include <heist/base/export.hpp>
#include <heist/meter/clock.hpp>

#include <optional>

HEIST_BEGIN

namespace heist::detail {

// Measures the calling strand, in a pool that is being metered, and all it forks, from construction
// to take(). May be nested.
class measured_stretch {
 public:
  measured_stretch();
  ~measured_stretch();
  measured_stretch(const measured_stretch&) = delete;
  measured_stretch& operator=(const measured_stretch&) = delete;

  strand_clock take() noexcept;

 private:
  std::optional<strand_clock> outer_;
  bool taken_ = false;
};

}  // namespace heist::detail

HEIST_END

#pragma once
// Annotations for the detector of races (docs/guides/races.md): order that a program makes by means that the detector does not
// understand, such as a flag in a std::atomic. In other builds they do nothing.

#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>

HEIST_BEGIN

namespace heist {

// Everything that the calling strand has done so far comes before what follows a race_acquire() of the same address.
HEIST_OWN inline void race_release([[maybe_unused]] const void* what) noexcept {
#if defined(HEIST_RACE)
  detail::race::release(what);
#endif
}
HEIST_OWN inline void race_acquire([[maybe_unused]] const void* what) noexcept {
#if defined(HEIST_RACE)
  detail::race::acquire(what);
#endif
}

}  // namespace heist

HEIST_END

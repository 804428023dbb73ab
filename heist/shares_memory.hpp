#pragma once
// Which elements cannot be written in parallel. You may specialise it.

#include <heist/base/export.hpp>

#include <type_traits>
#include <vector>

HEIST_BEGIN

namespace heist {

// True if neighbouring elements share a byte, so that two threads cannot write them at once.
// Reference is what the iterator's operator* returns. The algorithms refuse to write such elements.
// Specialise it for the proxy reference of your own packed container, before the first call that
// uses it:
//
//   template <>
//   inline constexpr bool heist::shares_memory<my::bit_reference> = true;
template <class Reference>
inline constexpr bool shares_memory = std::is_same_v<Reference, std::vector<bool>::reference>;

}  // namespace heist

HEIST_END

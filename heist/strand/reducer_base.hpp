#pragma once
// A reducer, and the calling strand's view of it. Protocol: views/README.md.

#include <heist/base/export.hpp>
#include <heist/views/view_map.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

struct reducer_base : reduced {
  HEIST_API explicit reducer_base(const view_kind& of, void* own_value);  // the calling strand has the first view
  HEIST_API ~reducer_base();
  reducer_base(const reducer_base&) = delete;
  reducer_base& operator=(const reducer_base&) = delete;
};

// The calling strand's view, made if needed.
HEIST_API HEIST_COLD void* find_view(reducer_base& r);
#if defined(HEIST_RACE)
// The same, of a view that is plain data: whether the strand only reads it can be seen (race/views.hpp).
HEIST_API void* find_plain_view(reducer_base& r, std::size_t size);
#endif

}  // namespace heist::detail

HEIST_END

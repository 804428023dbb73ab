#pragma once
// Views of reducers in a build for races: as if every second branch, and every continuation, had been stolen. So strands have
// views at different addresses, and a kept reference that two of them use is found.

#include <heist/base/export.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {
struct reduced;
}

namespace heist::detail::race {

// How many sets of views there are.
std::size_t views_mark() noexcept;
// Whose views they are: an iteration that only looks may have decided so not to update.
enum class views_of : unsigned char { branch, iteration };
// From here on the strand has views of its own.
void new_views(views_of whose) noexcept;
// All sets from `mark` on have joined the one before them.
void merge_views(std::size_t mark) noexcept;

void add_reducer(reduced& r) noexcept;
void remove_reducer(reduced& r) noexcept;
void* view_of(reduced& r);
// The strand has looked its view up, which is plain data. If it only reads it until its next fork or end, that is a reading
// of the total before all strands have joined: what it sees depends on the schedule.
void looked_up(reduced& r, void* view, std::size_t size) noexcept;
// Whether other strands' views of it come before the calling strand's and have not joined it.
bool joined(const reduced& r) noexcept;

}  // namespace heist::detail::race

HEIST_END

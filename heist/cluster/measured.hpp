#pragma once
// Work and span of a borrowed task, as they travel back with its result.

#include <heist/base/export.hpp>
#include <heist/cluster/pack.hpp>
#include <heist/measure/elsewhere.hpp>

#include <optional>
#include <span>

HEIST_BEGIN

namespace heist::cluster::detail {

bytes pack_figures(const heist::detail::task_figures& of);
// Nothing, if these are no figures.
std::optional<heist::detail::task_figures> unpack_figures(std::span<const std::byte> from);

}  // namespace heist::cluster::detail

HEIST_END

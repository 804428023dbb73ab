#pragma once
// Many runs at once, on heist itself.

#include <analysis/dag/computation.hpp>
#include <analysis/sim/options.hpp>
#include <analysis/sim/report.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace heist::analysis {

// Calls f(i) for i in [0, n), in parallel, and `done` after each, one at a time.
void in_parallel(std::size_t n, const std::function<void(std::size_t)>& f, const std::function<void()>& done);

// A report for each of the options, in their order.
std::vector<report> sweep(const computation& c, const std::vector<options>& all, const std::function<void()>& done);

}  // namespace heist::analysis

#pragma once
// What is slow on this machine, and why: what a fork, a steal and a wake cost, measured in some milliseconds.

#include <cli/machine_check.hpp>

#include <vector>

namespace heist::cli {

std::vector<finding> check_speed();

}  // namespace heist::cli

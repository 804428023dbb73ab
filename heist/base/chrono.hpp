#pragma once
// Durations, clocks and points in time of the standard library.

#include <heist/base/export.hpp>

#include <mutex>
#if !defined(__GLIBCXX__)
#include <chrono>  // libstdc++ has what we need in <mutex>, without the calendar: a tenth less to compile
#endif

HEIST_BEGIN
HEIST_END

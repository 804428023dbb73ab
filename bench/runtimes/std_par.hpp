#pragma once
// std::execution::par: libstdc++ runs it on oneTBB, which is told how many threads it may have.

#include <bench/runtimes/tbb.hpp>

#include <algorithm>
#include <execution>

#pragma once
// What a program that was written for oneTBB includes here. On heist, the last line is all that moves it over.
#if defined(ON_ONETBB)
#include <tbb/tbb.h>
#else
#include <heist/tbb.hpp>
namespace tbb = heist::tbb;
#endif

#pragma once
// The version of heist, after semver.org. CMake reads it from here.

#define HEIST_VERSION_MAJOR 0
#define HEIST_VERSION_MINOR 1
#define HEIST_VERSION_PATCH 0
#define HEIST_VERSION "0.1.0"

#include <heist/base/export.hpp>  // which needs the version, and says what a program must be compiled with

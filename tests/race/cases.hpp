#pragma once
// One case: a small program, and whether it has a race. They are numbered by where they stand.

#include <heist/heist.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace cases {

enum class verdict { clean, race, determinacy };  // the last: locks or atomics keep it from being a data race

struct one {
  const char* name;
  verdict is;
  void (*run)();
};

// Filled by constructors of the files with cases.
std::vector<one>& all();

struct add {
  add(const char* name, verdict is, void (*run)()) { all().push_back({name, is, run}); }
};

#define CASE_PASTE_(a, b) a##b
#define CASE_PASTE(a, b) CASE_PASTE_(a, b)
#define CASE(name, is)                                                                      \
  void CASE_PASTE(case_, __LINE__)();                                                       \
  const cases::add CASE_PASTE(added_, __LINE__)(name, cases::verdict::is, &CASE_PASTE(case_, __LINE__)); \
  void CASE_PASTE(case_, __LINE__)()

}  // namespace cases

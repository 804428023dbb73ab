#pragma once
// Waiting in tests: for something that must happen, with a limit only so that a test that fails also ends.

#include <chrono>
#include <thread>

// True as soon as `happened()` is; false after half a minute, which on a machine under load is still not long.
template <class Predicate>
bool eventually(Predicate happened) {
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!happened()) {
    if (std::chrono::steady_clock::now() > patience) return false;
    std::this_thread::yield();
  }
  return true;
}

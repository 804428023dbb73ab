#pragma once
// Cache misses of programs, by the processor's own counters, where the kernel lets a user have them.

#include <cstdint>
#include <string>

namespace heist::cli {

// Counts from here on what this process, and those that it starts, miss in user mode.
class hardware_misses {
 public:
  hardware_misses();
  ~hardware_misses();
  hardware_misses(const hardware_misses&) = delete;
  hardware_misses& operator=(const hardware_misses&) = delete;

  const std::string& refused() const { return refused_; }  // why nothing is counted; empty if it is
  // So far; of another process when it has ended.
  std::uint64_t count() const;

 private:
  int counter_ = -1;
  std::string refused_;
};

}  // namespace heist::cli

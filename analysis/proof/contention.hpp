#pragma once
// What backoff saves where all meet at one place: n processes, each of which must once update the same location by
// read, then compare-and-swap (the situation of Ben-David and Blelloch, 2017). In a step any number of processes may
// read, and one waiting swap is executed. It fails if the location has changed since its process read it; the process
// then begins anew, at once or after a delay.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heist::analysis {

enum class retry {
  at_once,
  // After the k-th failure a delay of 1 to 2^k steps, drawn uniformly.
  exponential
};
std::vector<std::pair<std::string, retry>> retries();

// Which of the waiting swaps is executed.
enum class served {
  oldest,  // as in a queue
  random,
  newest  // whoever came last, and so has seen the latest value
};
std::vector<std::pair<std::string, served>> orders_of_service();

struct updates {
  // Processor-steps in which a process read or waited for its swap, with the step that executed it. A delay is none:
  // its processor may do something else.
  std::uint64_t work = 0;
  std::uint64_t time = 0;      // steps until all have updated
  std::uint64_t attempts = 0;  // swaps, processes of which succeed
};
updates update_one_location(std::uint32_t processes, retry how, served order, std::uint64_t seed);

}  // namespace heist::analysis

#pragma once
// What a pool can be told.

#include <heist/base/export.hpp>

#include <chrono>
#include <cstddef>

HEIST_BEGIN

namespace heist {

// What a worker lets its thieves have. See docs/decisions/asking.md.
enum class fences {
  automatic,   // asymmetric if the kernel has membarrier, else symmetric
  asymmetric,  // half of what it has, when it is asked; a thief that gets no answer interrupts it, by membarrier
  symmetric,   // everything, at every fork: forks then cost compare-and-swaps, and no steal interrupts anybody
};

// Whose affinity mask is narrowed for the moment of waking, so that the kernel puts the thread on another processor than
// its waker's. See heist/sleep/README.md, "On which processor".
enum class placement {
  automatic,  // what HEIST_PLACEMENT says, or else workers
  off,        // nobody's
  workers,    // the pool's own threads'
  all,        // also that of a caller that waits in pool::run
};

// What is observed of the whole program, not of one pool: it takes effect with the first pool that the program makes. A
// later pool may repeat it, and throws std::invalid_argument if it asks for something else. Each field has a variable
// that goes before it: docs/reference/environment.md. Null: not wanted.
struct HEIST_TYPE tools {
  // Work and span, written when the program ends: "text", "json", "text:FILE" or "json:FILE".
  const char* profile = nullptr;
  // In which unit: "time" or "strand".
  const char* profile_unit = "time";
  // The file for a trace of what every worker did, and how many events of each are kept, 1 … 2²⁸.
  const char* trace = nullptr;
  unsigned trace_events = 1u << 18;
  // The file for the computation itself, for `heist sim predict`. What takes less than the grain, in nanoseconds, 0 … 10⁹,
  // is not split further.
  const char* record = nullptr;
  unsigned record_grain = 1000;
};

// Every field has a default that suits most programs. A value out of range makes the pool's constructor throw
// std::invalid_argument. Each field has a variable of the environment, which sets it for the default pool:
// docs/reference/environment.md.
struct HEIST_TYPE options {
  // 1 … 4096; 0: heist::available_parallelism().
  unsigned workers = 0;

  // Bytes of each strand's stack, 32 KiB … 64 GiB, committed as it is touched; 0: the soft stack limit (ulimit -s), or
  // 8 MiB where there is none.
  std::size_t stack_size = 0;

  // A knob of the implementation, as are all fields marked so: for experiments and rare machines. Its meaning may change
  // with any version.
  heist::fences fences = heist::fences::automatic;

  // A knob of the implementation. How long an idle worker looks for work before it sleeps, and a strand or a caller waits
  // for others before it leaves its core, 0 … 1 s. Longer answers sooner and burns more.
  std::chrono::nanoseconds search_time = std::chrono::microseconds(50);

  // A knob of the implementation. A thief whose last catches were tiny waits before the next, at most this many times what
  // a heavy fence costs, 0 … 1024.
  unsigned most_backoff = 32;

  // 0: no cap. A caller from outside that finds no idle worker brings a seat of its own, so that all callers get on at once.
  // n: at most n callers are inside at once, and later ones wait their turn. At most `workers` strands run at once, callers
  // included. Strands of other pools are not counted and do not wait.
  unsigned most_callers = 0;

  // A knob of the implementation. HEIST_PLACEMENT=off goes before it: then nobody in the process is placed.
  heist::placement placement = heist::placement::automatic;

  heist::tools tools = {};
};

}  // namespace heist

HEIST_END

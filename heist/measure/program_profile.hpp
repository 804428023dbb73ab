#pragma once
// HEIST_PROFILE: writes the whole program's work and span when it ends. HEIST_RECORD: its
// computation, likewise.

#include <heist/base/export.hpp>
#include <heist/base/origin.hpp>
#include <heist/base/process.hpp>
#include <heist/measurement.hpp>
#include <heist/meter/clock.hpp>
#include <heist/meter/recording.hpp>
#include <heist/measure/report.hpp>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// A pool, as the profile sees it.
class metered_pool {
 public:
  virtual void begin() noexcept = 0;  // the program's profile: for good
  virtual void end() noexcept = 0;
  // Adds what it has counted since it was made; busy times in ticks.
  virtual void count(measurement& m) = 0;

 protected:
  ~metered_pool() = default;
};

// All roots of all pools, one after the other, and futures beside them.
class program_profile {
 public:
  // Null if the program is neither profiled nor recorded, or this is a child of fork(). Throws
  // std::invalid_argument if a variable has a bad value.
  HEIST_API static program_profile* get();

  // A pool begins and ends.
  void enlist(metered_pool& pool);
  void strike(metered_pool& pool);

  // A root of the pool has ended. What ends at a moment that no caller waits for comes last, so that recordings of two
  // runs can be compared.
  enum class place : unsigned char { next, last };
  void add(strand_clock&& root, place where = place::next);
  // A thread outside every pool begins a future, and has asked for it: it is a child of the program, beside what the
  // program did between.
  void begin(const void* future);
  void join(const void* future, strand_clock&& computation);

  // The driver of a job: what crossed between its machines, and how much of the work that it had lent came back to it. In
  // nanoseconds.
  HEIST_API void add(const measurement::crossing& between, const measurement::share& done_here);

  void write() noexcept;

 private:
  enum class form : unsigned char { none, text, json };
  struct wishes {
    form report = form::none;
    std::string report_file;  // empty: stderr
    unit in = unit::time;
    std::string recording_file;       // empty: none
    unsigned recording_grain = 1000;  // in nanoseconds
    recording::loops recorded_loops = recording::loops::by_time;
  };
  explicit program_profile(wishes w);
  static wishes from_environment();
  void write_report();
  void write_recording();

  const unsigned began_in_ = this_process();
  const wishes wanted_;
  const origin from_;
  const interruptions before_ = interruptions::until_now();
  std::mutex lock_;
  std::optional<strand_clock> total_, last_;
  measurement sums_;               // of pools that have ended
  measurement::share lent_to_us_;  // of what was lent
  std::vector<metered_pool*> pools_;
};

}  // namespace heist::detail

HEIST_END

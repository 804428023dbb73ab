#pragma once
// A recorded program, run again without being recorded: how long it takes on one worker.

#include <cli/program.hpp>

#include <analysis/replay/recorded.hpp>

#include <functional>
#include <string>
#include <vector>

namespace heist::cli {

// What the program reads from. Begins before the recorded run.
class input_again {
 public:
  input_again();
  // Makes it ready for another run. False if that is not possible: a pipe was read.
  bool rewind() const;

 private:
  enum class kind { file, pipe, other } what_ = kind::other;
  long at_ = 0;
};

// Forks are so frequent that recording them shows in the work.
bool recorder_shows(const analysis::recorded_run& run);

struct plain_times {
  std::vector<double> ns;
  std::string missing;  // why there are none, or fewer
};
// How often: at least, and while the runs took less than this together, at most.
struct plain_plan {
  unsigned least = 3, most = 20;
  double seconds = 1;
};
// The program's output is thrown away. `between` is called after each run while there is time.
plain_times run_plain(program what, int status, plain_plan plan, const input_again& input,
                      const std::function<void()>& between);

}  // namespace heist::cli

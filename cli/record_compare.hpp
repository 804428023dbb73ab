#pragma once
// heist record --compare: whether a program does the same on every schedule.

#include <cli/program.hpp>

namespace heist::cli {

struct compare_settings {
  unsigned runs = 3;  // on several workers, after one on one worker
  bool json = false;
};

// Exit code: the program's if computation, standard output and exit status were the same in all runs, else 1.
int compare_runs(const program& what, const compare_settings& with);

}  // namespace heist::cli

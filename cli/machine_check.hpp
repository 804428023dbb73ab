#pragma once
// What of this machine matters to heist.

#include <string>
#include <vector>

namespace heist::cli {

struct finding {
  enum class level { fine, note, problem };

  std::string name, value;
  level how;
  std::string meaning;  // for you
  std::string advice;   // what to do; empty: nothing
};

std::vector<finding> check_machine();

}  // namespace heist::cli

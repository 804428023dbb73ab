#pragma once
// What is thrown for a file, a shape or an option that cannot be used: one line that names the place.

#include <cstddef>
#include <stdexcept>
#include <string>

namespace heist::analysis {

class bad_input : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where in a file something stands: line and column of a text, or an element of one of a JSON file's lists.
struct place {
  const char* list = nullptr;  // null: a text
  std::size_t at = 0, in = 0;  // line and column, both from 1; or the element, and `in` − 1 inside it
};

std::string to_string(place p);

}  // namespace heist::analysis

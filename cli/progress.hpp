#pragma once
// A bar on the terminal for what takes long; nothing where nobody looks.

#include <cstddef>
#include <string>

namespace heist::cli {

class progress {
 public:
  progress(std::string what, std::size_t all);
  ~progress();  // takes the bar away
  progress(const progress&) = delete;

  void step();  // one more is done; by one thread at a time

 private:
  void draw() const;
  std::string what_;
  std::size_t all_, done_ = 0, drawn_ = 0;
  bool visible_;
};

}  // namespace heist::cli

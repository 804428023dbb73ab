#pragma once
// Builds a dag the way a spawn/sync program would run: fully strict by construction.

#include <analysis/dag/dag.hpp>

#include <cstdint>
#include <vector>

namespace heist::analysis {

class program {
 public:
  explicit program(std::uint32_t frame = 1) { threads_.push_back({none, frame, {}}); }

  void work(std::uint32_t n);           // n instructions
  void spawn(std::uint32_t frame = 1);  // what follows is the child's, until end()
  void end();                           // the child ends; what follows is its parent's
  void sync();                          // one instruction that waits for all children spawned so far

  std::size_t instructions() const { return instructions_; }
  std::size_t depth() const { return depth_; }  // of the thread under construction; the root's is 0

  // Every thread ends with a sync if it has children it has not waited for, and has at least one instruction.
  dag finish();

 private:
  struct step {
    std::uint32_t duration;
    id spawned;  // the thread this instruction spawns, or none
    bool waits;  // for the children since the last such instruction
  };
  struct thread {
    id parent;
    std::uint32_t frame;
    std::vector<step> steps;
  };
  void add(step s);
  void close(thread& t);

  std::vector<thread> threads_;
  id now_ = 0;
  std::size_t instructions_ = 0, depth_ = 0;
};

}  // namespace heist::analysis

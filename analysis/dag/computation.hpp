#pragma once
// A computation as a scheduler sees it: threads that tell, stretch by stretch, what they do next. It need not be
// stored, so that what a simulator keeps in memory is the threads that live.

#include <analysis/dag/dag.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace heist::analysis {

// Which thread, and how far it is: the computation's own, copied by whoever runs it.
struct seed {
  std::uint64_t a = 0, b = 0, c = 0;
};

// Instructions in a row, of which only the last does anything but work.
struct stretch {
  std::uint64_t length = 1;
  bool spawns = false;  // the last one spawns `child`
  bool joins = false;   // the last one has joins of its own (see stored.hpp)
  bool waits =
      false;  // the instruction after it waits: for its own joins if the computation is stored, else for all children
  bool ends = false;        // the last one is the thread's last
  std::uint32_t frame = 1;  // the child's
  seed child;
};

class computation {
 public:
  virtual ~computation() = default;
  virtual seed root() const = 0;
  virtual std::uint32_t root_frame() const { return 1; }
  // The thread's next stretch; moves `s` past it. Not after one that ends. The instruction after a spawn does not wait,
  // and one that waits spawns in `rounds` only.
  virtual stretch next(seed& s) const = 0;
  // Threads that work on a part of the data, the same one whenever it comes up again. Only leaves do.
  virtual std::uint64_t parts() const { return 0; }
  virtual std::uint64_t part(const seed&) const { return parts(); }  // of a thread that has not begun; parts(): on none
  // The stored dag behind it, whose joins are its own, or null: a child's death joins its parent's next sync.
  virtual const dag* stored() const { return nullptr; }
};

// `spec` is the name of a file, or a shape such as "fib:20" (see shapes.hpp). Throws bad_input.
std::unique_ptr<computation> open_computation(const std::string& spec);

// Stores a computation of at most 2^22 instructions.
dag expand(const computation& c);

}  // namespace heist::analysis

#pragma once
// A multithreaded computation after Blumofe and Leiserson: threads that are sequences of instructions, with continue,
// spawn and join edges. Stored whole; computations too large for that are in shapes.hpp.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heist::analysis {

using id = std::uint32_t;
inline constexpr id none = ~id{0};

struct edge {
  id from, to;  // instructions
  friend bool operator==(const edge&, const edge&) = default;
};

// Instructions are numbered thread by thread: i + 1 continues i inside a thread.
struct dag {
  struct thread {
    std::string name;
    id first, count;          // its instructions
    std::uint32_t frame = 1;  // the size of its activation frame
    id spawner = none;        // the instruction that spawns it; none: the root
  };

  std::string name;
  id root = 0;
  std::vector<thread> threads;
  std::vector<id> thread_of;             // of an instruction
  std::vector<std::uint32_t> durations;  // an instruction of duration d stands for d unit instructions in a row
  std::vector<id> spawns;                // the thread an instruction spawns, or none
  std::vector<std::string> labels;       // of the instructions; empty: made from the thread's name
  struct part {
    id of, number;  // instruction, and which of its parts, from 1; 0: it is all of it
  };
  std::vector<part> parts;     // unit(): what each instruction was; labels are of those. Empty: itself
  std::vector<edge> joins;     // by `from`
  std::vector<id> join_begin;  // joins of instruction i: join_begin[i] … join_begin[i + 1]

  id instructions() const { return static_cast<id>(thread_of.size()); }
  id end(id t) const { return threads[t].first + threads[t].count; }
  id last(id t) const { return end(t) - 1; }
  id parent(id t) const { return threads[t].spawner == none ? none : thread_of[threads[t].spawner]; }
  bool ends_thread(id i) const { return i == last(thread_of[i]); }
  std::span<const edge> joins_from(id i) const {
    return {joins.data() + join_begin[i], joins.data() + join_begin[i + 1]};
  }
  std::string label(id i) const;

  // Calls f(j) for each instruction j that must wait for i.
  template <class F>
  void for_successors(id i, F&& f) const {
    if (!ends_thread(i)) f(i + 1);
    if (spawns[i] != none) f(threads[spawns[i]].first);
    for (const edge& j : joins_from(i)) f(j.to);
  }

  void sort_joins();  // sets join_begin, too
};

// An order in which every instruction comes after all it waits for. Shorter than the dag if there is a cycle.
std::vector<id> topological_order(const dag& d);

// Threads, parents before their children.
std::vector<id> spawn_order(const dag& d);

// The same computation with every instruction a of duration d > 1 as d instructions a(1) … a(d).
dag unit(const dag& d);

}  // namespace heist::analysis

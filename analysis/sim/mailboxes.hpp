#pragma once
// Affinity: which processor had which part of the data, and letters to it about parts that are to be had again. After Acar,
// Blelloch and Blumofe, "The data locality of work stealing" (2000).

#include <analysis/dag/dag.hpp>

#include <deque>
#include <optional>
#include <vector>

namespace heist::analysis {

class mailboxes {
 public:
  mailboxes(std::size_t processors, std::size_t parts) : boxes_(processors), home_(parts, none) {}

  // A thread that lies in a deque, unless somebody has taken it. Threads' ids are used again, their numbers are not.
  struct letter {
    id thread;
    std::uint64_t number;
  };

  id home(std::uint64_t part) const { return part < home_.size() ? home_[part] : none; }
  void lives_at(std::uint64_t part, id p) { home_[part] = p; }

  void send(id p, letter l) { boxes_[p].push_back(l); }
  std::optional<letter> open(id p) {
    if (boxes_[p].empty()) return {};
    const letter l = boxes_[p].front();
    boxes_[p].pop_front();
    return l;
  }

 private:
  std::vector<std::deque<letter>> boxes_;  // by processor
  std::vector<id> home_;                   // by part: where it ran last
};

}  // namespace heist::analysis

#pragma once
// The machine's shape: which processors share a core, a cache, a node; which to bind workers to.

#include <heist/base/export.hpp>
#include <heist/options.hpp>
#include <heist/topology/near.hpp>

#include <sched.h>

#include <optional>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

class machine_shape {
 public:
  // This machine's, by hwloc: loaded at the first call, which takes milliseconds. Tests set HWLOC_SYNTHETIC.
  static const machine_shape& get();
  // The same if it has several nodes; null if not. On a machine of one node that takes a look at one small file.
  static const machine_shape* of_several_nodes();
  // Of a description as hwloc has it, such as "node:2 core:4 pu:2"; null: of this machine. What hwloc does not know is flat.
  explicit machine_shape(const char* synthetic);

  // Of two processors by their system's numbers. Unknown ones are near.
  distance between(int a, int b) const noexcept;
  // Whether some processors are farther apart than others, cores aside.
  bool flat() const noexcept { return flat_; }
  bool several_nodes() const noexcept { return several_nodes_; }

  // The processors of a mask in the order in which workers are bound to them.
  std::vector<int> order(bind how, const cpu_set_t& among) const;

 private:
  // Numbers of what a processor is a part of; and, of each part, its rank in the next larger one.
  struct place {
    int processor = -1;
    int core = 0, cache = 0, node = 0;
    int in_core = 0, core_in_cache = 0, cache_in_node = 0;
  };
  const place* find(int processor) const noexcept;
  void rank();

  std::vector<place> places_;    // in the machine's own order: neighbours are near
  std::vector<int> by_number_;  // the index in places_ of a processor; -1: unknown
  bool flat_ = true, several_nodes_ = false;
};

// The processors that workers 0, 1, … are bound to, in turn; empty if they are not. Throws std::invalid_argument if the list
// is none, or names a processor that the thread may not use. `option` is its name.
std::vector<int> bound_to(const binding& wish, const std::optional<cpu_set_t>& among, const char* option = "options::bind");

}  // namespace heist::detail

HEIST_END

#include <heist/topology/parallelism.hpp>
#include <heist/topology/shape.hpp>

#include <fcntl.h>
#include <hwloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace heist::detail {

namespace {

// Frees the topology.
class loaded {
 public:
  explicit loaded(const char* synthetic) noexcept {
    if (hwloc_topology_init(&topology_) != 0) {
      topology_ = nullptr;
      return;
    }
    const bool described = synthetic == nullptr || hwloc_topology_set_synthetic(topology_, synthetic) == 0;
    good_ = described && hwloc_topology_load(topology_) == 0;
  }
  ~loaded() {
    if (topology_ != nullptr) hwloc_topology_destroy(topology_);
  }
  loaded(const loaded&) = delete;
  loaded& operator=(const loaded&) = delete;

  bool good() const noexcept { return good_; }
  hwloc_topology_t get() const noexcept { return topology_; }

 private:
  hwloc_topology_t topology_ = nullptr;
  bool good_ = false;
};

int number(hwloc_obj_t o) noexcept { return o != nullptr ? static_cast<int>(o->logical_index) : 0; }

// The largest cache that the processor shares with others; or else what is next to it.
int cache_of(hwloc_topology_t t, hwloc_obj_t pu) noexcept {
  hwloc_obj_t last = nullptr;
  for (hwloc_obj_t o = pu->parent; o != nullptr; o = o->parent)
    if (hwloc_obj_type_is_dcache(o->type) != 0) last = o;
  // Numbers of different levels must differ, as on processors with two kinds of cores.
  return last != nullptr ? number(last) + 65536 * (1 + static_cast<int>(last->type))
                         : number(hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_CORE, pu));
}

int node_of(hwloc_topology_t t, hwloc_obj_t pu) noexcept {
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_NUMANODE, node)) != nullptr)
    if (node->cpuset != nullptr && hwloc_bitmap_isset(node->cpuset, pu->os_index) != 0) return number(node);
  return number(hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_PACKAGE, pu));
}

// Whether hwloc is worth asking for nodes, which takes milliseconds: the system lists several, or hwloc is told what to see.
bool may_have_several_nodes() noexcept {
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable)
    if (std::string_view(*variable).starts_with("HWLOC_")) return true;
  const int file = ::open("/sys/devices/system/node/online", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 16> list{};  // such as "0-1"; "0" is one
  const ssize_t n = ::read(file, list.data(), list.size());
  ::close(file);
  return n > 0 && std::string_view(list.data(), static_cast<std::size_t>(n)).find_first_of("-,") != std::string_view::npos;
}

}  // namespace

const machine_shape& machine_shape::get() {
  static const machine_shape shape(nullptr);
  return shape;
}

const machine_shape* machine_shape::of_several_nodes() {
  static const bool several = may_have_several_nodes() && get().several_nodes();
  return several ? &get() : nullptr;
}

machine_shape::machine_shape(const char* synthetic) {
  const loaded machine(synthetic);
  hwloc_topology_t t = machine.get();
  hwloc_obj_t pu = nullptr;
  while (machine.good() && (pu = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_PU, pu)) != nullptr) {
    place p;
    p.processor = static_cast<int>(pu->os_index);
    p.core = number(hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_CORE, pu));
    p.cache = cache_of(t, pu);
    p.node = node_of(t, pu);
    places_.push_back(p);
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto n = static_cast<std::size_t>(places_[i].processor);
    if (n >= by_number_.size()) by_number_.resize(n + 1, -1);
    by_number_[n] = static_cast<int>(i);
    several_nodes_ = several_nodes_ || places_[i].node != places_[0].node;
    flat_ = flat_ && places_[i].cache == places_[0].cache && !several_nodes_;
  }
  rank();
}

void machine_shape::rank() {
  std::map<std::pair<int, int>, int> seen;  // (what, number): how many parts of it have been met
  std::map<std::tuple<int, int, int>, int> ranks;
  auto rank_in = [&](int level, int whole, int part) {
    const auto [at, fresh] = ranks.try_emplace({level, whole, part}, 0);
    if (fresh) at->second = seen[{level, whole}]++;
    return at->second;
  };
  for (place& p : places_) {
    p.in_core = rank_in(0, p.core, p.processor);
    p.core_in_cache = rank_in(1, p.cache, p.core);
    p.cache_in_node = rank_in(2, p.node, p.cache);
  }
}

const machine_shape::place* machine_shape::find(int processor) const noexcept {
  if (processor < 0 || static_cast<std::size_t>(processor) >= by_number_.size()) return nullptr;
  const int i = by_number_[static_cast<std::size_t>(processor)];
  return i >= 0 ? &places_[static_cast<std::size_t>(i)] : nullptr;
}

distance machine_shape::between(int a, int b) const noexcept {
  const place *const p = find(a), *const q = find(b);
  if (p == nullptr || q == nullptr || p->core == q->core) return distance::core;
  if (p->node != q->node) return distance::far;
  return p->cache == q->cache ? distance::cache : distance::node;
}

std::vector<int> machine_shape::order(bind how, const cpu_set_t& among) const {
  std::vector<std::pair<std::tuple<int, int, int, int>, std::size_t>> chosen;  // the key, and the index in places_
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const place& p = places_[k];
    if (p.processor >= CPU_SETSIZE || !CPU_ISSET(p.processor, &among)) continue;
    // Spread: one of every node, then of every other cache, every other core, and its second processor last.
    using key = std::tuple<int, int, int, int>;
    chosen.emplace_back(how == bind::spread ? key(p.in_core, p.core_in_cache, p.cache_in_node, p.node) : key(), k);
  }
  std::sort(chosen.begin(), chosen.end());
  std::vector<int> all;
  for (const auto& [key, k] : chosen) all.push_back(places_[k].processor);
  return all;
}

std::vector<int> bound_to(const binding& wish, const std::optional<cpu_set_t>& among, const char* option) {
  if (!wish) return {};
  cpu_set_t allowed;
  if (among)
    allowed = *among;
  else if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return {};  // more processors than a cpu_set_t holds
  if (wish.list() == nullptr) return machine_shape::get().order(wish.how(), allowed);
  const std::optional<std::vector<int>> all = processor_list(wish.list());
  if (!all)
    throw std::invalid_argument(std::string("heist: ") + option + " is \"" + wish.list() +
                                "\", not none, spread, compact or a list such as 0-3,8");
  for (const int p : *all)
    if (!CPU_ISSET(p, &allowed))
      throw std::invalid_argument(std::string("heist: ") + option + " names processor " + std::to_string(p) +
                                  ", on which the pool's threads may not run");
  return *all;
}

}  // namespace heist::detail

#include <analysis/dag/shapes.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/random.hpp>
#include <analysis/dag/rounds.hpp>
#include <analysis/dag/spec.hpp>

#include <algorithm>
#include <cmath>

namespace heist::analysis {
namespace {

// A thread without children works; one with children spawns them one by one, takes a step, and waits for all.
class forking : public computation {
 public:
  forking(seed root, std::uint32_t frame) : root_(root), frame_(frame) {}
  seed root() const final { return root_; }
  std::uint32_t root_frame() const final { return frame_; }

  stretch next(seed& s) const final {
    stretch r;
    const std::uint64_t n = children(s), step = s.c++;
    if (n == 0) {
      r.length = work(s);
      r.ends = true;
    } else if (step < n) {
      r.spawns = true;
      r.frame = frame_;
      r.child = child(s, step);
    } else {
      (step == n ? r.waits : r.ends) = true;
    }
    return r;
  }

 protected:
  // `a` and `b` of a seed say which thread; `c` is how far it is.
  virtual std::uint64_t children(const seed& s) const = 0;
  virtual seed child(const seed& s, std::uint64_t i) const = 0;
  virtual std::uint64_t work(const seed&) const { return 1; }

 private:
  seed root_;
  std::uint32_t frame_;
};

class balanced final : public forking {
 public:
  explicit balanced(spec& s)
      : forking({s.number("depth", 10, 0, 60), 0, 0}, s.frame()),
        arity_(s.number("arity", 2, 1, 1000)),
        work_(s.number("work", 1, 1, 1u << 30)) {}

 private:
  std::uint64_t children(const seed& s) const override { return s.a > 0 ? arity_ : 0; }
  seed child(const seed& s, std::uint64_t) const override { return {s.a - 1, 0, 0}; }
  std::uint64_t work(const seed&) const override { return work_; }
  std::uint64_t arity_, work_;
};

class fibonacci final : public forking {
 public:
  explicit fibonacci(spec& s) : forking({s.number("n", 20, 0, 60), 0, 0}, s.frame()) {}

 private:
  std::uint64_t children(const seed& s) const override { return s.a >= 2 ? 2 : 0; }
  seed child(const seed& s, std::uint64_t i) const override { return {s.a - 1 - i, 0, 0}; }
};

// Splits `size` leaves into a share and the rest.
class skewed final : public forking {
 public:
  explicit skewed(spec& s)
      : forking({s.number("size", 10'000, 1, std::uint64_t{1} << 40), 0, 0}, s.frame()),
        share_(s.real("share", 0.9, 0.5, 1.0)) {}

 private:
  std::uint64_t children(const seed& s) const override { return s.a >= 2 ? 2 : 0; }
  seed child(const seed& s, std::uint64_t i) const override {
    const auto large = static_cast<std::uint64_t>(std::ceil(static_cast<double>(s.a) * share_));
    const std::uint64_t first = std::clamp<std::uint64_t>(large, 1, s.a - 1);
    return {i == 0 ? first : s.a - first, 0, 0};
  }
  double share_;
};

// Unbalanced tree search: below the root's children each node has `branches` children or none.
class tree_search final : public forking {
 public:
  explicit tree_search(spec& s)
      : forking({1, mix(s.number("seed", 1, 0, ~std::uint64_t{0})), 0}, s.frame()),
        root_(s.number("root", 500, 1, 1u << 24)),
        branches_(s.number("branches", 5, 1, 1000)),
        chance_(s.real("chance", 0.19, 0.0, 0.9999 / static_cast<double>(branches_))) {}

 private:
  std::uint64_t children(const seed& s) const override {
    if (s.a == 1) return root_;
    return to_unit(mix(s.b)) < chance_ ? branches_ : 0;
  }
  seed child(const seed& s, std::uint64_t i) const override { return {0, mix(s.b, i + 1), 0}; }
  std::uint64_t root_, branches_;
  double chance_;
};

// Search in a random graph: a thread for each vertex that can be reached, spawned by the one from which a serial search by
// breadth would come to it first.
class graph_search final : public forking {
 public:
  explicit graph_search(spec& s)
      : forking({0, 0, 0}, s.frame()), degree_(s.number("degree", 8, 1, 1000)) {
    // Vertices are named in the order in which they are found, so those that one finds come after each other.
    const std::uint64_t n = s.number("n", 20'000, 1, 1u << 24), salt = mix(s.number("seed", 1, 0, ~std::uint64_t{0}));
    std::vector<std::uint32_t> found{0};
    std::vector<bool> known(n);
    known[0] = true;
    for (std::size_t at = 0; at < found.size(); ++at) {
      first_.push_back(static_cast<std::uint32_t>(found.size()));
      for (std::uint64_t e = 0; e < degree_; ++e) {
        const auto v = static_cast<std::uint32_t>(mix(salt, found[at] * degree_ + e) % n);
        if (known[v]) continue;
        known[v] = true;
        found.push_back(v);
      }
    }
    first_.push_back(static_cast<std::uint32_t>(found.size()));
  }

 private:
  std::uint64_t children(const seed& s) const override { return first_[s.a + 1] - first_[s.a]; }
  seed child(const seed& s, std::uint64_t i) const override { return {first_[s.a] + i, 0, 0}; }
  std::uint64_t work(const seed&) const override { return degree_; }  // it looks at its edges, and finds nothing new
  std::uint64_t degree_;
  std::vector<std::uint32_t> first_;  // of those that a vertex finds; one more: the number of all
};

// One thread that spawns n others, one after the other.
class spawn_loop final : public forking {
 public:
  explicit spawn_loop(spec& s)
      : forking({s.number("n", 1000, 1, std::uint64_t{1} << 40), 0, 0}, s.frame()),
        work_(s.number("work", 10, 1, 1u << 30)) {}

 private:
  std::uint64_t children(const seed& s) const override { return s.a; }
  seed child(const seed&, std::uint64_t) const override { return {}; }
  std::uint64_t work(const seed&) const override { return work_; }
  std::uint64_t work_;
};

// Threads of which each spawns the next and waits for it: nothing is parallel, and the stack is n deep.
class chain final : public forking {
 public:
  explicit chain(spec& s) : forking({s.number("n", 1000, 0, 1u << 30), 0, 0}, s.frame()) {}

 private:
  std::uint64_t children(const seed& s) const override { return s.a > 0 ? 1 : 0; }
  seed child(const seed& s, std::uint64_t) const override { return {s.a - 1, 0, 0}; }
};

// A full tree whose leaves are spines. Each node of a spine forks; one of the two children, nobody knows which, is a leaf,
// and the other one goes on. So what a thief gets is a leaf, or a spine that its victim then lacks.
class spines final : public forking {
 public:
  explicit spines(spec& s)
      : forking(root(s), s.frame()), work_(s.number("work", 2, 1, 1u << 30)) {}

 private:
  static constexpr int shift = 32;  // `a`: the nodes left on a spine, and the number of spines: 0 for a leaf
  static seed root(spec& s) {
    const std::uint64_t count = s.number("count", 16, 1, 1u << 20), length = s.number("length", 256, 1, 1u << 20);
    return {length << shift | count, mix(s.number("seed", 1, 0, ~std::uint64_t{0})), 0};
  }
  static std::uint64_t count(const seed& s) { return s.a & 0xffffffffu; }
  static std::uint64_t length(const seed& s) { return s.a >> shift; }

  std::uint64_t children(const seed& s) const override { return count(s) > 1 || (count(s) == 1 && length(s) > 0) ? 2 : 0; }
  seed child(const seed& s, std::uint64_t i) const override {
    if (count(s) > 1) return {length(s) << shift | (i == 0 ? count(s) / 2 : count(s) - count(s) / 2), mix(s.b, i + 1), 0};
    if (i != mix(s.b) % 2) return {0, 0, 0};
    return {(length(s) - 1) << shift | 1, mix(s.b, 1), 0};
  }
  std::uint64_t work(const seed&) const override { return work_; }
  std::uint64_t work_;
};

// A random series-parallel program. A thread has a budget of instructions, and spends it on work and on children.
class series_parallel final : public computation {
 public:
  explicit series_parallel(spec& s)
      : budget_(s.number("size", 10'000, 8, std::uint64_t{1} << 40)),
        seed_(mix(s.number("seed", 1, 0, ~std::uint64_t{0}))),
        work_(s.number("work", 4, 1, 1u << 20)),
        frame_(s.frame()),
        fork_(s.real("fork", 0.6, 0.0, 1.0)),
        sync_(s.real("sync", 0.5, 0.0, 1.0)) {}

  seed root() const override { return {seed_, budget_, 0}; }
  std::uint32_t root_frame() const override { return frame_of(seed_); }

  stretch next(seed& s) const override {
    stretch r;
    const std::uint64_t h = s.a = mix(s.a);
    r.length = 2 + (h & 0xffff) % work_;
    if (s.c == closing || s.b < r.length + 8) return finish(s);
    s.b -= r.length;
    const double u = to_unit(h);
    if (u < fork_) {
      const double share = to_unit(mix(h, 1));
      const auto budget = 1 + static_cast<std::uint64_t>(static_cast<double>(s.b - 4) * share * share);
      s.b -= budget;
      s.c = open;
      r.spawns = true;
      r.child = {mix(h, 2), budget, 0};
      r.frame = frame_of(r.child.a);
    } else if (s.c == open && u < fork_ + (1 - fork_) * sync_) {
      s.c = 0;
      r.waits = true;
    }
    return r;
  }

 private:
  enum state : std::uint64_t { open = 1, closing = 2 };  // children not waited for; the last instruction is next

  static stretch finish(seed& s) {
    stretch r;
    r.length = std::max<std::uint64_t>(s.b, 1);
    if (s.c == open) {
      s.b = 1;
      s.c = closing;
      r.waits = true;
    } else {
      r.ends = true;
    }
    return r;
  }

  std::uint32_t frame_of(std::uint64_t h) const { return 1 + static_cast<std::uint32_t>(mix(h, 3) % frame_); }

  std::uint64_t budget_, seed_, work_;
  std::uint32_t frame_;
  double fork_, sync_;  // the chances of a spawn after a stretch, and of a sync where there is none
};

template <class Shape>
std::unique_ptr<computation> made(spec& s) {
  auto shape = std::make_unique<Shape>(s);
  s.finish();
  return shape;
}

struct shape_kind {
  const char *name, *first, *example, *text;  // `first`: the key that may be left out
  std::unique_ptr<computation> (*make)(spec&);
};

constexpr shape_kind shape_kinds[] = {
    {"fib", "n", "fib:20", "fib(n), a spawn for each call", made<fibonacci>},
    {"balanced", "depth", "balanced:10,arity=2,work=1", "a full tree; `work` instructions in a leaf", made<balanced>},
    {"skewed", "size", "skewed:10000,share=0.9", "a tree of `size` leaves, split share : rest", made<skewed>},
    {"uts", "root", "uts:500,branches=5,chance=0.19,seed=1", "unbalanced tree search, binomial", made<tree_search>},
    {"loop", "n", "loop:1000,work=10", "one thread that spawns n others", made<spawn_loop>},
    {"graph", "n", "graph:20000,degree=8,seed=1", "search in a random graph: a thread for each vertex", made<graph_search>},
    {"chain", "n", "chain:1000", "n threads, each spawned by the one before", made<chain>},
    {"rounds", "n", "rounds:20,parts=64,work=50,serial=1", "n loops over the same parts; also arity=2, uneven=0",
     made<rounds>},
    {"spines", "count", "spines:16,length=256,work=2,seed=1", "paths of forks of which one side is a leaf", made<spines>},
    {"sp", "size", "sp:10000,seed=1,fork=0.6,sync=0.5,frame=1",
     "random series-parallel; also work=4; frames of 1 … `frame`", made<series_parallel>},
};

}  // namespace

std::unique_ptr<computation> make_shape(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return nullptr;
  for (const shape_kind& k : shape_kinds) {
    if (text.compare(0, colon, k.name) != 0) continue;
    spec s(text, colon + 1, k.first);
    return k.make(s);
  }
  return nullptr;
}

std::vector<shape_help> shapes() {
  std::vector<shape_help> all;
  for (const shape_kind& k : shape_kinds) all.push_back({k.example, k.text});
  return all;
}

}  // namespace heist::analysis

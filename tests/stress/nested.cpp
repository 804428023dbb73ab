// Pools inside pools inside pools: a tree of joins whose branches run in other pools, made on the spot or shared by
// all, six levels deep, and back into a pool they are in already.

#include "random_program.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace {

using stress::dice;
using stress::fail;

constexpr int levels = 6;

struct world {
  std::vector<std::unique_ptr<heist::pool>> shared;  // any level may use any of them
  std::atomic<std::uint64_t> runs{0}, made{0};
};

// What `descend` returns, without pools.
std::uint64_t serial(std::uint64_t name, int level) {
  if (level == 0) return stress::random_program(name, 2).serial().digest;
  return stress::hash(serial(stress::hash(name + 1), level - 1) * 31 + serial(stress::hash(name + 2), level - 1));
}

std::uint64_t descend(std::uint64_t name, int level, world& w);

// The two branches of a level, forked in whatever pool the caller is in.
std::uint64_t fork(std::uint64_t name, int level, world& w) {
  const auto [a, b] = heist::join([&w, name, level] { return descend(stress::hash(name + 1), level - 1, w); },
                                  [&w, name, level] { return descend(stress::hash(name + 2), level - 1, w); });
  return stress::hash(a * 31 + b);
}

std::uint64_t descend(std::uint64_t name, int level, world& w) {
  if (level == 0) {
    stress::shared_things own;  // a lock for all, held across joins in several pools, is more than is promised
    return stress::random_program(name, 2).parallel(own).digest;
  }
  dice d(name);
  if (d.one_in(3)) return fork(name, level, w);  // stays in this pool
  ++w.runs;
  if (!d.one_in(4)) return w.shared[d.below(w.shared.size())]->run([&] { return fork(name, level, w); });
  ++w.made;
  heist::options o = stress::random_options(d);
  o.workers = 1 + o.workers % 3;
  heist::pool own(o);
  return own.run([&] { return fork(name, level, w); });
}

void round(stress::session& s) {
  dice d(s.seed());
  world w;
  stress::doing("pools were made");
  for (auto n = 1 + d.below(4); n > 0; --n) {
    heist::options o = stress::random_options(d);
    o.workers = 1 + o.workers % 5;
    w.shared.push_back(std::make_unique<heist::pool>(o));
  }
  stress::doing("programs went down through the pools");
  auto call = [&](std::uint64_t name) {
    if (descend(name, levels, w) != serial(name, levels)) fail("a program in nested pools gives a wrong answer");
  };
  std::vector<std::thread> others;
  for (auto n = d.below(3); n > 0; --n) others.emplace_back(call, d.next());
  call(d.next());
  for (std::thread& t : others) t.join();
  s.count("programs", others.size() + 1);
  s.count("runs", w.runs);
  s.count("pools", w.shared.size() + w.made);
  stress::doing("the shared pools were to end");
}

}  // namespace

int main(int argc, char** argv) {
  stress::session s("stress_nested", argc, argv, {1.5, 1});
  while (s.more()) round(s);
  return s.end();
}

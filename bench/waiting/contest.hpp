#pragma once
// Contestants that take turns at a table's task.

#include <bench/common/bench.hpp>
#include <bench/waiting/player.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace waiting {

struct entry {
  std::string name;     // in the table
  std::string command;  // who plays: player.hpp
  std::string task;     // contestant.hpp
  double count = 1;     // of what the table's figures are for one
  bool peer = false;    // among those that heist is compared with
};

struct outcome {
  entry of;
  std::unique_ptr<player> who;
  std::vector<bench::series> figures;  // those of each answer, but the last

  bench::series each(std::size_t figure = 0) const;  // for one
  double median() const { return each().median(); }
};

// What a contestant does in its turn: the figures of its answer.
using turn = std::function<std::vector<double>(player&, const entry&)>;

// Leaves out those whose programs were not built, and says so. Those with the same task must give the same last figure.
std::vector<outcome> play(
    const std::vector<entry>& entries, int rounds,
    const turn& take = [](player& p, const entry& e) { return p.ask(e.task); });

// Null if it does not take part.
const outcome* find(const std::vector<outcome>& all, const std::string& name);

// The least of figure(o) among heist's peers; infinite if there are none.
double best_peer(const std::vector<outcome>& all, const std::function<double(const outcome&)>& figure);

// "- target: WHAT: FIGURE UNIT, at most MOST UNIT: met"
void print_target(const std::string& what, double figure, double most, const char* unit);

}  // namespace waiting

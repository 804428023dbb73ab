#include <cli/machine_file.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

namespace heist::cli {
namespace {

using analysis::bad_input;
using analysis::machine_costs;
using nlohmann::json;

constexpr std::pair<const char*, double machine_costs::*> everywhere[] = {
    {"fork", &machine_costs::fork},         {"spawn", &machine_costs::spawn},   {"look", &machine_costs::look},
    {"interrupt", &machine_costs::interrupt}, {"answer", &machine_costs::answer}, {"resume", &machine_costs::resume},
    {"patience", &machine_costs::patience}, {"wake", &machine_costs::wake}};

// Within a node, and how much more from another one.
struct theft_cost {
  const char* name;
  double &near, &farther;
};

std::vector<theft_cost> thefts(machine_costs& c) {
  return {{"steal", c.steal, c.farther.steal}, {"claim", c.claim, c.farther.claim}, {"fence", c.fence, c.farther.fence}};
}

class reader {
 public:
  reader(const std::string& file, const json& text) : file_(file), text_(text) {}

  described_machine read() {
    described_machine m;
    if (!text_.is_object()) fail("it is not a JSON object");
    bool answer_given = false;
    std::vector<theft_cost> far = thefts(m.costs);
    for (const auto& [name, value] : text_.items()) {
      if (name == "name")
        m.name = text(name, value);
      else if (name == "cores")
        m.cores = count(name, value);
      else if (name == "nodes")
        m.nodes = count(name, value);
      else if (name == "speed")
        m.speed = cost(name, value);
      else if (name == "queue_fences")
        m.costs.fences_queue = truth(name, value);
      else if (name == "guessed")
        continue;
      else if (!theft(name, value, far) && !other(name, value, m.costs))
        fail(fmt::format("{} is no key of a machine", name));
      answer_given = answer_given || name == "answer";
    }
    if (m.cores == 0) fail("\"cores\" is missing");
    if (m.nodes > m.cores || m.cores % m.nodes != 0)
      fail(fmt::format("{} cores do not make {} nodes of the same size", m.cores, m.nodes));
    if (m.speed <= 0) fail("\"speed\" is not above 0");
    if (!answer_given) m.costs.answer = m.costs.fence / 4;
    m.costs.cores_per_node = m.nodes > 1 ? m.cores / m.nodes : 0;
    return m;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw bad_input(fmt::format("{}: {}", file_, why)); }

  double cost(const std::string& name, const json& value) const {
    if (!value.is_number() || !(value.get<double>() >= 0)) fail(fmt::format("\"{}\" is not a number from 0 on", name));
    return value;
  }
  std::string text(const std::string& name, const json& value) const {
    if (!value.is_string()) fail(fmt::format("\"{}\" is not text", name));
    return value;
  }
  bool truth(const std::string& name, const json& value) const {
    if (!value.is_boolean()) fail(fmt::format("\"{}\" is not true or false", name));
    return value;
  }
  std::uint32_t count(const std::string& name, const json& value) const {
    if (!value.is_number_unsigned() || value < 1 || value > 1'000'000)
      fail(fmt::format("\"{}\" is not a number from 1 to 1000000", name));
    return value;
  }
  bool theft(const std::string& name, const json& value, const std::vector<theft_cost>& all) const {
    for (const theft_cost& t : all) {
      if (name != t.name) continue;
      if (value.is_array() && value.size() != 2) fail(fmt::format("\"{}\" is a list, but not of two numbers", name));
      t.near = cost(name, value.is_array() ? value[0] : value);
      t.farther = value.is_array() ? cost(name, value[1]) - t.near : 0;
      if (t.farther < 0) fail(fmt::format("\"{}\" is less from another node than within one", name));
      return true;
    }
    return false;
  }
  bool other(const std::string& name, const json& value, machine_costs& costs) const {
    for (const auto& [known, member] : everywhere) {
      if (name != known) continue;
      costs.*member = cost(name, value);
      return true;
    }
    return false;
  }

  const std::string& file_;
  const json& text_;
};

}  // namespace

described_machine read_machine(const std::string& file) {
  std::ifstream from(file);
  if (!from) throw bad_input(fmt::format("{} cannot be opened", file));
  const std::string text{std::istreambuf_iterator<char>(from), {}};
  return reader(file, json::parse(text, nullptr, false)).read();
}

json as_json(const described_machine& m) {
  json all = {{"name", m.name}, {"cores", m.cores}, {"nodes", m.nodes}, {"speed", m.speed}};
  machine_costs costs = m.costs;
  for (const theft_cost& t : thefts(costs))
    all[t.name] = t.farther > 0 ? json{t.near, t.near + t.farther} : json(t.near);
  for (const auto& [name, member] : everywhere) all[name] = costs.*member;
  all["queue_fences"] = costs.fences_queue;
  if (!m.guessed.empty()) all["guessed"] = m.guessed;
  return all;
}

}  // namespace heist::cli

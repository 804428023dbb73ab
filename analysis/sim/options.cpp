#include <analysis/sim/options.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

namespace heist::analysis {
namespace {

struct name {
  policy value;
  const char* text;
};
constexpr name names[] = {{policy::greedy, "greedy"},          {policy::busy_leaves, "busy-leaves"},
                          {policy::work_stealing, "stealing"}, {policy::help_first, "help-first"},
                          {policy::sharing, "sharing"},        {policy::static_partition, "static"}};

}  // namespace

const char* to_string(policy p) {
  for (const name& n : names)
    if (n.value == p) return n.text;
  return "";
}

policy parse_policy(const std::string& text) {
  std::string all;
  for (const name& n : names) {
    if (text == n.text) return n.value;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", n.text);
  }
  throw bad_input(fmt::format("there is no scheduler \"{}\"; there are {}", text, all));
}

void validate(const options& o) {
  if (o.processors < 1 || o.processors > 1'000'000) throw bad_input("processors: from 1 to 1000000");
  if (o.latency < 1 || o.latency > 1'000'000) throw bad_input("latency: from 1 to 1000000 steps");
  for (std::size_t i = 0; i < o.changes.size(); ++i) {
    const auto& c = o.changes[i];
    if (c.processors < 1 || c.processors > o.processors)
      throw bad_input(fmt::format("from step {} on: 1 to {} processors", c.step, o.processors));
    if (c.step < 2) throw bad_input("the number of processors changes from step 2 on");
    if (i > 0 && c.step <= o.changes[i - 1].step) throw bad_input("changes of processors: in the order of their steps");
  }
  if (!o.changes.empty() && (o.policy == policy::static_partition || o.policy == policy::sharing))
    throw bad_input(fmt::format("{} cannot run with processors that come and go: nobody takes over their threads",
                                to_string(o.policy)));
}

}  // namespace heist::analysis

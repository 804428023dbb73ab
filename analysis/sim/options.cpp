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
                          {policy::sharing, "sharing"},        {policy::static_partition, "static"},
                          {policy::depth_first, "depth-first"}, {policy::burton_simpson, "burton-simpson"}};

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
  throw bad_input(fmt::format("there is no scheduler \"{}\"; the schedulers are {}", text, all));
}

void validate(const options& o) {
  if (o.processors < 1 || o.processors > 1'000'000) throw bad_input("processors must be from 1 to 1000000");
  if (o.latency < 1 || o.latency > 1'000'000) throw bad_input("latency must be from 1 to 1000000 steps");
  for (std::size_t i = 0; i < o.changes.size(); ++i) {
    const auto& c = o.changes[i];
    if (c.processors < 1 || c.processors > o.processors)
      throw bad_input(
          fmt::format("changes: from step {} on, the number of processors must be from 1 to {}", c.step, o.processors));
    if (c.step < 2) throw bad_input("changes: the first step that is possible is 2");
    if (i > 0 && c.step <= o.changes[i - 1].step) throw bad_input("changes must be in the order of their steps");
  }
  if (!o.changes.empty() && (o.policy == policy::static_partition || o.policy == policy::sharing))
    throw bad_input(fmt::format("{} cannot run with --changes: no other processor takes over a lost one's threads",
                                to_string(o.policy)));
}

}  // namespace heist::analysis

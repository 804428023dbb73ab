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
  if (o.per_cache < 1 || o.per_node < o.per_cache || o.per_node % o.per_cache != 0)
    throw bad_input("the processors of a node must be a multiple of those that share a cache");
  if (o.slice < 1) throw bad_input("a slice must be at least 1 step");
  if (o.quantum < 1) throw bad_input("a quantum must be at least 1 step");
  if (o.utilisation <= 0 || o.utilisation >= 1) throw bad_input("the utilisation must be between 0 and 1");
  if (o.responsiveness <= 1 || o.responsiveness > 1000)
    throw bad_input("the responsiveness must be more than 1, and at most 1000");
  if (o.grants != grants::all && o.share != share::dedicated)
    throw bad_input("--resize and --share cannot be used together: each says who has processors");
  for (std::size_t i = 0; i < o.changes.size(); ++i) {
    const auto& c = o.changes[i];
    if (c.processors < 1 || c.processors > o.processors)
      throw bad_input(
          fmt::format("changes: from step {} on, the number of processors must be from 1 to {}", c.step, o.processors));
    if (c.step < 2) throw bad_input("changes: the first step that is possible is 2");
    if (i > 0 && c.step <= o.changes[i - 1].step) throw bad_input("changes must be in the order of their steps");
  }
  const bool stealing = o.policy == policy::work_stealing || o.policy == policy::help_first;
  if (!o.steady() && (o.policy == policy::static_partition || o.policy == policy::sharing))
    throw bad_input(fmt::format("{} cannot run with --resize: no other processor takes over a lost one's threads",
                                to_string(o.policy)));
  if (o.keeps() && (!stealing || o.latency > 1 || o.far_latency > 1 || o.backoff > 0 || o.amount == amount::half))
    throw bad_input("adversaries grant processors to thieves that steal one thread in one step, and do not back off");
  if (o.affinity && (!stealing || !o.steady() || o.amount == amount::half))
    throw bad_input("--affinity is for thieves that steal one thread, on processors that stay");
  if (o.backoff > 0 && (!stealing || !o.steady())) throw bad_input("--backoff is for thieves on processors that stay");
}

}  // namespace heist::analysis

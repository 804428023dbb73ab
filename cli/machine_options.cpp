#include <cli/machine_options.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <charconv>

namespace heist::cli {
namespace {

using analysis::bad_input;

std::uint64_t number(std::string_view text, const char* what) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw bad_input(fmt::format("{} must be numbers, not \"{}\"", what, text));
  return n;
}

template <class E>
E one_of(const std::string& text, std::initializer_list<std::pair<const char*, E>> values) {
  for (const auto& [name, value] : values)
    if (text == name) return value;
  throw bad_input(fmt::format("\"{}\" is not a choice", text));  // CLI11 has checked before
}

}  // namespace

std::vector<std::uint32_t> parse_counts(const std::vector<std::string>& items) {
  std::vector<std::uint32_t> counts;
  auto checked = [](std::uint64_t n) {
    if (n < 1 || n > 1'000'000) throw bad_input("processors must be from 1 to 1000000");
    return static_cast<std::uint32_t>(n);
  };
  for (const std::string& item : items) {
    const auto dots = item.find("..");
    if (dots == std::string::npos) {
      counts.push_back(checked(number(item, "processors")));
      continue;
    }
    const std::uint64_t last = checked(number(item.substr(dots + 2), "processors"));
    for (std::uint64_t n = checked(number(item.substr(0, dots), "processors")); n <= last; n *= 2)
      counts.push_back(checked(n));
  }
  return counts;
}

void machine_options::add_to(CLI::App& app) {
  app.add_option("-s,--scheduler", schedulers, "greedy, busy-leaves, stealing, help-first, sharing, static, depth-first, burton-simpson")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("-p,--processors", processors, "numbers such as 1,2,8, or 1..256 for powers of two")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--seed", seed, "seed for the choice of victims")->capture_default_str();
  app.add_option("--latency", latency, "steps that a steal takes")->capture_default_str();
  app.add_option("--contention", contention,
                 "what happens to requests that meet at a deque: queued, or all but one denied")
      ->check(CLI::IsMember({"queued", "denied"}));
  app.add_option("--adversary", adversary, "which request in a queue is served: first, last, random")
      ->check(CLI::IsMember({"first", "last", "random"}));
  app.add_option("--steal", amount, "how much a thief takes: one or half")->check(CLI::IsMember({"one", "half"}));
  app.add_option("--victims", victims, "how thieves choose victims: uniform or near")
      ->check(CLI::IsMember({"uniform", "near"}));
  app.add_option("--join-bytes", join_bytes, "bytes that a join with a thread on another processor costs");
  app.add_option("--levels", levels, "static: the level below the root whose threads are distributed");
  app.add_option("--changes", changes, "changes in the number of processors: step:processors, from that step on")
      ->delimiter(',');
}

std::vector<analysis::options> machine_options::all() const {
  using namespace analysis;
  analysis::options o;
  o.seed = seed;
  o.latency = latency;
  o.join_bytes = join_bytes;
  o.levels = levels;
  o.contention = one_of<analysis::contention>(
      contention, {{"queued", analysis::contention::queued}, {"denied", analysis::contention::denied}});
  o.adversary = one_of<analysis::adversary>(adversary, {{"first", analysis::adversary::first},
                                                        {"last", analysis::adversary::last},
                                                        {"random", analysis::adversary::random}});
  o.amount = one_of<analysis::amount>(amount, {{"one", analysis::amount::one}, {"half", analysis::amount::half}});
  o.victims =
      one_of<analysis::victims>(victims, {{"uniform", analysis::victims::uniform}, {"near", analysis::victims::near}});
  for (const std::string& c : changes) {
    const auto colon = c.find(':');
    if (colon == std::string::npos)
      throw bad_input(fmt::format("changes must have the form step:processors, not \"{}\"", c));
    o.changes.push_back({number(c.substr(0, colon), "changes"), parse_counts({c.substr(colon + 1)})[0]});
  }
  std::vector<analysis::options> result;
  for (const std::string& s : schedulers) {
    for (const std::uint32_t p : parse_counts(processors)) {
      o.policy = parse_policy(s);
      o.processors = p;
      validate(o);
      result.push_back(o);
    }
  }
  return result;
}

}  // namespace heist::cli

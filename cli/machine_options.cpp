#include <cli/machine_options.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

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
    const std::uint64_t first = checked(number(item.substr(0, dots), "processors"));
    const std::uint64_t last = checked(number(item.substr(dots + 2), "processors"));
    if (first > last) throw bad_input(fmt::format("processors: {} has no number, as it goes up", item));
    for (std::uint64_t n = first; n <= last; n *= 2)
      counts.push_back(checked(n));
  }
  return counts;
}

namespace {

CLI::Validator finite(const char* kind, const char* what, bool (*good)(double)) {
  return {[what, good](std::string& text) {
            char* end = nullptr;
            const double x = std::strtod(text.c_str(), &end);
            return end != text.c_str() && *end == 0 && std::isfinite(x) && good(x)
                       ? std::string()
                       : fmt::format("\"{}\" is not a number {}", text, what);
          },
          kind};
}

}  // namespace

CLI::Validator positive() {
  return finite("POSITIVE", "above 0", [](double x) { return x > 0; });
}
CLI::Validator not_negative() {
  return finite("NONNEGATIVE", "from 0 on", [](double x) { return x >= 0; });
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
  app.add_option("--far-latency", far_latency, "steps that a steal from another node takes; by default as --latency");
  app.add_option("--per-cache", per_cache, "processors that share a cache")->capture_default_str();
  app.add_option("--per-node", per_node, "processors of a node")->capture_default_str();
  app.add_option("--backoff", backoff,
                 "a thief that failed k times in a row waits for a random time below the smaller of 2^k and this");
  app.add_flag("--affinity", affinity, "offer the parts of repeated loops to the processor that had them before");
  app.add_option("--steal", amount, "how much a thief takes: one or half")->check(CLI::IsMember({"one", "half"}));
  app.add_option("--victims", victims, "how thieves choose victims: uniform, or near ones rather")
      ->check(CLI::IsMember({"uniform", "near"}));
  app.add_option("--join-bytes", join_bytes, "bytes that a join with a thread on another processor costs");
  app.add_option("--levels", levels, "static: the level below the root whose threads are distributed");
  app.add_option("--resize,--changes", resize,
                 "who is granted processors: step:processors, from that step on; or random, oblivious, adaptive: an "
                 "adversary that may hold back a processor, with its thread, for a slice")
      ->delimiter(',');
  app.add_option("--slice", slice, "random, oblivious, adaptive: the length of a slice, in steps")->capture_default_str();
  app.add_option("--yield", yield, "whom thieves yield to before they ask again: none, random, all")
      ->check(CLI::IsMember({"none", "random", "all"}));
  app.add_option("--share", share,
                 "dedicated: all processors, always; feedback: the smaller of what there is and of what the job desires, "
                 "as in heist; paper: the same by the rule of A-Steal's paper")
      ->check(CLI::IsMember({"dedicated", "feedback", "paper"}));
  app.add_option("--available", available, "feedback, paper: how many processors there are: full, random, adverse")
      ->check(CLI::IsMember({"full", "random", "adverse"}));
  app.add_option("--quantum", quantum, "feedback, paper: the length of a quantum, in steps")->capture_default_str();
  app.add_option("--utilisation", utilisation, "feedback, paper: from here on a quantum is efficient")
      ->capture_default_str();
  app.add_option("--responsiveness", responsiveness, "feedback, paper: by what a desire rises and falls")
      ->capture_default_str();
}

void machine_options::add_grants(analysis::options& o) const {
  using analysis::grants;
  if (resize.empty()) return;
  for (const auto& [name, value] : {std::pair{"random", grants::random}, std::pair{"oblivious", grants::oblivious},
                                    std::pair{"adaptive", grants::adaptive}}) {
    if (resize[0] != name) continue;
    if (resize.size() > 1) throw bad_input("only one adversary grants processors");
    o.grants = value;
    return;
  }
  o.grants = grants::listed;
  for (const std::string& c : resize) {
    const auto colon = c.find(':');
    if (colon == std::string::npos)
      throw bad_input(
          fmt::format("--resize is random, oblivious, adaptive, or changes of the form step:processors, not \"{}\"", c));
    o.changes.push_back({number(c.substr(0, colon), "--resize"), parse_counts({c.substr(colon + 1)})[0]});
  }
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
  o.far_latency = far_latency;
  o.per_cache = per_cache;
  o.per_node = per_node;
  o.backoff = backoff;
  o.affinity = affinity;
  o.slice = slice;
  o.yields = one_of<analysis::yields>(yield, {{"none", analysis::yields::never},
                                              {"random", analysis::yields::to_random},
                                              {"all", analysis::yields::to_all}});
  o.share = one_of<analysis::share>(share, {{"dedicated", analysis::share::dedicated},
                                            {"feedback", analysis::share::feedback},
                                            {"paper", analysis::share::paper}});
  o.available = one_of<analysis::availability>(available, {{"full", analysis::availability::full},
                                                           {"random", analysis::availability::random},
                                                           {"adverse", analysis::availability::adverse}});
  o.quantum = quantum;
  o.utilisation = utilisation;
  o.responsiveness = responsiveness;
  add_grants(o);
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

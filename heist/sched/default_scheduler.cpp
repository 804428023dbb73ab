#include <heist/base/environment.hpp>
#include <heist/base/once.hpp>
#include <heist/sched/default_scheduler.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/topology/parallelism.hpp>
#include <heist/topology/shape.hpp>

#include <sched.h>
#include <sys/resource.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace heist::detail {

namespace {

constexpr unsigned most_backoff = 1024, most_substitutes = 1u << 16;
constexpr long long most_search_time = 1'000'000'000;  // in nanoseconds

std::size_t default_stack_size() {
  constexpr std::size_t usual = std::size_t{8} << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return usual;
  const std::size_t size = limit.rlim_cur;
  return size < stack::min_size || size > stack::max_size ? usual : size;
}

void begin_tools(const tools& wanted) {
  in_range("options::tools.trace_events", wanted.trace_events, 1u, 1u << 28);
  in_range("options::tools.record_grain", wanted.record_grain, 0u, 1'000'000'000u);
  environment_wishes all;
  auto wish = [&](const char* variable, const char* value) {
    if (value != nullptr) all[variable] = value;
  };
  wish("HEIST_PROFILE", wanted.profile);
  if (wanted.profile != nullptr) wish("HEIST_PROFILE_UNIT", wanted.profile_unit);
  wish("HEIST_TRACE", wanted.trace);
  if (wanted.trace != nullptr) all["HEIST_TRACE_EVENTS"] = std::to_string(wanted.trace_events);
  wish("HEIST_RECORD", wanted.record);
  if (wanted.record != nullptr) {
    all["HEIST_RECORD_GRAIN"] = std::to_string(wanted.record_grain);
    wish("HEIST_RECORD_LOOPS", wanted.record_loops);
  }
  const bool any = !all.empty();
  if (!wish_instead(std::move(all)) && any)
    throw std::invalid_argument(
        "heist: options::tools differ from those of the program's first pool; they apply to the whole program, so set "
        "them there");
}

template <class T>
void take(T& option, const char* variable, std::uint64_t least, std::uint64_t most) {
  if (const auto n = number_from_environment(variable, least, most)) option = static_cast<T>(*n);
}

void take(binding& to, const char* variable, const std::optional<cpu_set_t>& among) {
  const std::string_view wish = text_from_environment(variable);
  if (wish.empty()) return;
  to = wish.data();  // a variable's value ends with a null
  static_cast<void>(bound_to(to, among, variable));
}

// A null if the variable is not set. A variable's value ends with a null.
const char* text_or_null(const char* variable) {
  const std::string_view text = text_from_environment(variable);
  return text.empty() ? nullptr : text.data();
}

void take_nice(int& nice) {
  const std::string_view text = text_from_environment("HEIST_NICE");
  if (text.empty()) return;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), nice);
  if (error != std::errc() || end != text.data() + text.size() || nice < -20 || nice > 19)
    throw std::invalid_argument("heist: HEIST_NICE is \"" + std::string(text) + "\", not a number in -20 … 19");
}

void take_processors(const char*& list) {
  list = text_or_null("HEIST_PROCESSORS");
  static_cast<void>(processors_in(list, "HEIST_PROCESSORS"));
}

// The options that the environment sets for the default pool: docs/reference/environment.md.
options default_options() {
  options o;
  take(o.workers, "HEIST_WORKERS", 1, most_workers);
  take(o.workers_least, "HEIST_WORKERS_LEAST", 1, most_workers);
  take(o.stack_size, "HEIST_STACK_SIZE", stack::min_size, stack::max_size);
  take(o.search_time, "HEIST_SEARCH_TIME", 0, most_search_time);
  take(o.most_backoff, "HEIST_MOST_BACKOFF", 0, most_backoff);
  take(o.most_blocked, "HEIST_MOST_BLOCKED", 0, most_substitutes);
  take(o.most_callers, "HEIST_MOST_CALLERS", 0, std::numeric_limits<unsigned>::max());
  if (const auto word = word_from_environment("HEIST_SHARE", {"dedicated", "feedback"})) o.share = static_cast<share>(*word);
  if (const auto word = word_from_environment("HEIST_VICTIMS", {"uniform", "near"})) o.victims = static_cast<victims>(*word);
  if (const auto word = word_from_environment("HEIST_STEAL", {"one", "half"})) o.steal = static_cast<steal>(*word);
  if (const auto word = word_from_environment("HEIST_FENCES", {"automatic", "asymmetric", "symmetric"}))
    o.fences = static_cast<fences>(*word);
  take_processors(o.processors);
  take(o.bind, "HEIST_BIND", processors_in(o.processors));
  take_nice(o.nice);
  o.thread_name = text_or_null("HEIST_THREAD_NAME");
  return o;
}

scheduler* make_default() { return new scheduler(checked(default_options())); }

}  // namespace

options checked(options o) {
  in_range("options::workers", o.workers, 0u, most_workers);
  in_range("options::workers_least", o.workers_least, 1u, most_workers);
  static_cast<void>(bound_to(o.bind, processors_in(o.processors)));
  in_range("options::share", static_cast<int>(o.share), 0, 1);
  in_range("options::victims", static_cast<int>(o.victims), 0, 1);
  in_range("options::steal", static_cast<int>(o.steal), 0, 1);
  in_range("options::bind", static_cast<int>(o.bind.how()), 0, 2);
  if (o.nice != inherited_nice) in_range("options::nice", o.nice, -20, 19);
  if (o.stack_size == 0) o.stack_size = default_stack_size();
  in_range("options::stack_size", o.stack_size, stack::min_size, stack::max_size);
  in_range("options::fences", static_cast<int>(o.fences), 0, 2);
  in_range("options::search_time in ns", static_cast<long long>(o.search_time.count()), 0LL, most_search_time);
  in_range("options::most_backoff", o.most_backoff, 0u, most_backoff);
  in_range("options::most_blocked", o.most_blocked, 0u, most_substitutes);
  in_range("options::placement", static_cast<int>(o.placement), 0, 3);
  // For every pool, not only the default one: so masks that must not change can be protected in any
  // program.
  constexpr heist::placement named[] = {heist::placement::off, heist::placement::workers, heist::placement::all};
  const auto word = word_from_environment("HEIST_PLACEMENT", {"off", "workers", "all"});
  const heist::placement usual = named[word.value_or(1)];
  if (o.placement == heist::placement::automatic || usual == heist::placement::off) o.placement = usual;
  begin_tools(o.tools);
  return o;
}

scheduler& default_scheduler() { return made_once<scheduler, make_default>(); }

}  // namespace heist::detail

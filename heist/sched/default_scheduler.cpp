#include <heist/base/environment.hpp>
#include <heist/base/once.hpp>
#include <heist/sched/default_scheduler.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/topology/parallelism.hpp>

#include <sys/resource.h>

#include <stdexcept>
#include <string>

namespace heist::detail {

namespace {

template <class T>
T in_range(const char* what, T value, T least, T most) {
  if (value >= least && value <= most) return value;
  throw std::invalid_argument("heist: " + std::string(what) + " is " + std::to_string(value) + ", outside " +
                              std::to_string(least) + " … " + std::to_string(most));
}

std::size_t default_stack_size() {
  constexpr std::size_t usual = std::size_t{8} << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return usual;
  const std::size_t size = limit.rlim_cur;
  return size < stack::min_size || size > stack::max_size ? usual : size;
}

scheduler* make_default() {
  options o;
  o.workers = number_from_environment("HEIST_WORKERS", 1, 4096).value_or(o.workers);
  return new scheduler(checked(o));
}

}  // namespace

options checked(options o) {
  in_range("options::workers", o.workers, 0u, 4096u);
  if (o.workers == 0) o.workers = available_parallelism({});
  if (o.stack_size == 0) o.stack_size = default_stack_size();
  in_range("options::stack_size", o.stack_size, stack::min_size, stack::max_size);
  in_range("options::fences", static_cast<int>(o.fences), 0, 2);
  in_range("options::search_time in ns", static_cast<long long>(o.search_time.count()), 0LL, 1'000'000'000LL);
  in_range("options::most_backoff", o.most_backoff, 0u, 1024u);
  return o;
}

scheduler& default_scheduler() { return made_once<scheduler, make_default>(); }

}  // namespace heist::detail

#include <heist/algorithm/forking.hpp>

#include <utility>

namespace heist::detail {

void join_addresses(forking_way way, address first, address second) {
#if defined(HEIST_RACE)
  static_cast<void>(way);  // an algorithm's own code
  first.call();
  second.call();
  return;
#endif
  auto f = [first] { first.call(); };
  auto g = [second] { second.call(); };
  if (way == forking_way::steady)
    join_steadily(std::move(f), std::move(g));
  else
    join_pair(*this_worker(), std::move(f), std::move(g));
}

}  // namespace heist::detail

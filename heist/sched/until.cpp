#include <heist/sched/until.hpp>
#include <heist/scope.hpp>

namespace heist::detail {

void run_until(const std::stop_token& token, void (*body)(void*), void* argument) {
  scope s(token);
  s.spawn([body, argument] { body(argument); });
  s.sync();
}

}  // namespace heist::detail

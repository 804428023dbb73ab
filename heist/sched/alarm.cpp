#include <heist/sched/alarm.hpp>

namespace heist::detail {

void alarm::sound() noexcept {
  victims_.read().for_each([](seat& s) { s.ask(request::look); });
}

}  // namespace heist::detail

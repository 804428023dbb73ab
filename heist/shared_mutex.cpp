#include <heist/shared_mutex.hpp>

namespace heist {

void shared_mutex::lock_slowly() noexcept { word_.wait_alone(detail::never, {}); }

bool shared_mutex::lock_slowly(detail::nanoseconds deadline, const std::stop_token& token) {
  return deadline > detail::now() && has_come(word_.wait_alone(deadline, token));
}

void shared_mutex::lock_slowly(const std::stop_token& token) {
  has_come(word_.wait_alone(detail::never, token));
}

void shared_mutex::lock_shared_slowly() noexcept { word_.wait_shared(detail::never, {}); }

bool shared_mutex::lock_shared_slowly(detail::nanoseconds deadline, const std::stop_token& token) {
  return deadline > detail::now() && has_come(word_.wait_shared(deadline, token));
}

void shared_mutex::lock_shared_slowly(const std::stop_token& token) {
  has_come(word_.wait_shared(detail::never, token));
}

}  // namespace heist

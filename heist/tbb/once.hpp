#pragma once
// collaborative_call_once: those that come while another calls the function wait for it. Their workers do other work
// meanwhile.

#include <heist/base/export.hpp>
#include <heist/mutex.hpp>

#include <functional>
#include <mutex>
#include <utility>

HEIST_BEGIN

namespace heist::tbb {

class HEIST_TYPE collaborative_once_flag {
 public:
  HEIST_OWN collaborative_once_flag() = default;
  HEIST_OWN ~collaborative_once_flag() = default;
  collaborative_once_flag(const collaborative_once_flag&) = delete;
  collaborative_once_flag& operator=(const collaborative_once_flag&) = delete;

 private:
  template <class F, class... X>
  friend void collaborative_call_once(collaborative_once_flag& flag, F&& f, X&&... x);

  heist::mutex lock_;
  bool done_ = false;
};

// If f throws, the next that waits or comes calls it again.
template <class F, class... X>
void collaborative_call_once(collaborative_once_flag& flag, F&& f, X&&... x) {
  const std::lock_guard hold(flag.lock_);
  if (flag.done_) return;
  std::invoke(std::forward<F>(f), std::forward<X>(x)...);
  flag.done_ = true;
}

}  // namespace heist::tbb

HEIST_END

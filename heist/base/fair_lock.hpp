#pragma once
// A mutex that is not taken twice by one thread while another waits: a plain one is had by whoever runs, so that a thread
// that comes again and again keeps out one that must be woken first, for seconds.

#include <mutex>

namespace heist::detail {

class fair_lock {
 public:
  void lock() {
    const std::lock_guard first_in_line(line_);
    held_.lock();
  }
  void unlock() { held_.unlock(); }

 private:
  std::mutex line_, held_;
};

}  // namespace heist::detail

#pragma once
// A mutex that nobody takes twice while somebody is first in line: a plain one is had by whoever runs, so that a thread that
// comes again and again keeps out one that must be woken first, for seconds. Behind the first in line there is no order.

#include <heist/base/export.hpp>

#include <mutex>

HEIST_BEGIN

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

HEIST_END

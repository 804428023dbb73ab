#pragma once
// A mutex that no thread takes twice while another is first in line. A plain mutex goes to
// whichever thread is running, so a thread that locks again and again can keep out one that must be
// woken first, for seconds. Behind the first in line there is no order.

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

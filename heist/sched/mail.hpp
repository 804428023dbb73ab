#pragma once
// Jobs for one of a pool's workers each, which no other worker takes. See protocols/mail.md.

#include <heist/base/export.hpp>
#include <heist/strand/strand.hpp>

#include <deque>
#include <optional>

HEIST_BEGIN

namespace heist::detail {

struct job;
class pool_thread;

struct letter {
  pool_thread* to;
  job* what;
  fp_mode mode;
  void (*unread)(job&) noexcept;  // instead, if the thread cannot be started
};

// What was sent and not read, in that order. Under the lock of the seats.
class mail {
 public:
  // Counts it in its thread. Throws std::bad_alloc.
  void put(const letter& l);
  // The next one for that thread.
  std::optional<letter> take(pool_thread& t) noexcept;
  // The thread cannot be started: all of its letters go back.
  void give_back(pool_thread& t) noexcept;

 private:
  std::deque<letter> letters_;
};

}  // namespace heist::detail

HEIST_END

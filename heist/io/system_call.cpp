#include <heist/io/system_call.hpp>
#include <heist/io/last_error.hpp>
#include <heist/io/ring.hpp>
#include <heist/sched/wait.hpp>
#include <heist/strand/worker.hpp>
#include <heist/wait/unwanted_watch.hpp>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <optional>

namespace heist::detail {

int system_call::at_once() const noexcept { return -EOPNOTSUPP; }
int system_call::impatient() const noexcept {
  const int result = at_once();
  return result == -EOPNOTSUPP ? plain() : result;
}
bool system_call::not_yet(int result) const noexcept { return result == -EAGAIN; }

namespace {

// Whether reading and writing do not depend on anybody else. A poll says that such a file is ready, whatever it takes.
bool is_stored(int fd) noexcept {
  struct stat s {};
  return ::fstat(fd, &s) == 0 && (S_ISREG(s.st_mode) || S_ISBLK(s.st_mode) || S_ISDIR(s.st_mode));
}

int by_ring(ring& r, const system_call& c, const limits& l) noexcept {
  bool wait_first = false;  // a non-blocking descriptor: the kernel does not wait for us
  for (;;) {
    operation o;
    if (wait_first)
      ::io_uring_prep_poll_add(&o.entry, c.fd, static_cast<unsigned>(c.events));
    else
      c.prepare(o.entry);
    r.perform(o, l.deadline, l.stop);
    const int result = o.result();
    if (result == -EINTR) continue;
    if (wait_first ? result < 0 : !c.not_yet(result) || c.events == 0) return result;
    if (is_stored(c.fd)) return blocking_call([&c] { return c.plain(); });
    wait_first = !wait_first;
  }
}

int by_thread(const system_call& c, const limits& l) noexcept {
  const bool may_end_early = l.any() || unwanted_watch::possible();
  const bool may_wait = c.events != 0 && !(may_end_early && is_stored(c.fd));
  bool wait_first = may_wait && may_end_early;
  for (;;) {
    if (wait_first)
      if (const int ready = await_ready(c.fd, c.events, l); ready < 0) return ready;
    const int result = may_wait && may_end_early ? c.impatient() : c.plain();
    if (result == -EINTR) continue;
    if (!may_wait || !c.not_yet(result)) return result;
    wait_first = true;
  }
}

}  // namespace

int perform(const system_call& c, const limits& l) {
  if (l.stop.stop_requested()) return -ECANCELED;
  const bool inside = this_worker() != nullptr;
  if (!inside && !l.any()) return by_thread(c, l);
  if (const int result = c.at_once(); result != -EOPNOTSUPP && result != -EINTR && !c.not_yet(result)) {
    // The other side may always have something for us: whoever was ready before us comes first.
    if (inside) c.events == POLLIN ? wait::yield() : wait::give_way();
    return result;
  }
  if (ring* const r = ring::get()) return by_ring(*r, c, l);
  return inside ? blocking_call([&] { return by_thread(c, l); }) : by_thread(c, l);
}

int await_ready(int fd, short events, const limits& l) noexcept {
  // The stop, also that of a scope or a root around the strand, makes a descriptor of ours readable.
  const bool may_stop = l.stop.stop_possible() || unwanted_watch::possible();
  const int bell = may_stop ? ::eventfd(0, EFD_CLOEXEC) : -1;
  if (may_stop && bell < 0) return -last_error();
  int result = 0;
  {
    auto ring = [bell]() noexcept {
      const std::uint64_t one = 1;
      while (::write(bell, &one, sizeof one) < 0 && last_error() == EINTR) {
      }
    };
    std::optional<std::stop_callback<decltype(ring)>> on_stop;
    std::optional<unwanted_watch> on_alarm;
    if (bell >= 0) {
      on_stop.emplace(l.stop, ring);
      on_alarm.emplace([](void* p) noexcept { (*static_cast<decltype(ring)*>(p))(); }, &ring);
    }
    pollfd both[] = {{fd, events, 0}, {bell, POLLIN, 0}};
    do {
      timespec rest{};
      if (l.deadline != never) {
        const nanoseconds left = std::max<nanoseconds>(l.deadline - now(), 0);
        rest = {static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
      }
      result = ::ppoll(both, bell < 0 ? 1 : 2, l.deadline == never ? nullptr : &rest, nullptr);
      if (result == 0)
        result = -ETIMEDOUT;
      else if (result < 0)
        result = -last_error();
      else if (both[0].revents != 0)
        result = both[0].revents;
      else
        result = -ECANCELED;
    } while (result == -EINTR);
  }
  if (bell >= 0) ::close(bell);
  return result;
}

}  // namespace heist::detail

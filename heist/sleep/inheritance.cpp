#include <heist/base/fatal.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/sleep/inheritance.hpp>
#include <heist/sleep/placement.hpp>

#include <sys/resource.h>

#include <atomic>
#include <cerrno>

namespace heist::detail {

namespace {

// The calling thread's urgency; nothing if the kernel does not say. ThreadSanitizer takes errno for another strand's, which
// was here before.
HEIST_NO_TSAN std::optional<urgency> own_urgency() noexcept {
  urgency u;
  u.policy = ::sched_getscheduler(0);
  sched_param parameters{};
  if (u.policy < 0 || ::sched_getparam(0, &parameters) != 0) return std::nullopt;
  u.priority = parameters.sched_priority;
  errno = 0;
  u.niceness = ::getpriority(PRIO_PROCESS, 0);  // Linux: of the thread
  if (errno != 0) return std::nullopt;
  return u;
}

// What a new thread would inherit, after sched(7). A deadline policy is never inherited.
urgency handed_down(urgency u) noexcept {
  const bool resets = (u.policy & SCHED_RESET_ON_FORK) != 0;
  u.policy &= ~SCHED_RESET_ON_FORK;
  const bool real_time = u.policy == SCHED_FIFO || u.policy == SCHED_RR;
  if (u.policy == SCHED_DEADLINE || (resets && real_time)) return {};
  if (resets && u.niceness < 0) u.niceness = 0;
  return u;
}

// False if it is higher than the calling thread's, and the kernel refuses that.
bool adopt(const urgency& wanted) noexcept {
  const auto own = own_urgency();
  if (!own || *own == wanted) return true;
  const sched_param parameters{.sched_priority = wanted.priority};
  const bool same_policy = own->policy == wanted.policy && own->priority == wanted.priority;
  if (!same_policy && ::sched_setscheduler(0, wanted.policy, &parameters) != 0) return false;
  return own->niceness == wanted.niceness || ::setpriority(PRIO_PROCESS, 0, wanted.niceness) == 0;
}

// All signals except those that a thread's own instructions raise. The others are for the program's
// own threads.
sigset_t all_but_synchronous() noexcept {
  sigset_t set;
  ::sigfillset(&set);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) ::sigdelset(&set, own);
  return set;
}

}  // namespace

inheritance::inheritance() noexcept {
  cpu_set_t mask;
  if (::sched_getaffinity(0, sizeof mask, &mask) == 0) processors_ = mask;
  if (const auto own = own_urgency()) urgency_ = handed_down(*own);
}

inheritance::inheritance(const std::optional<cpu_set_t>& processors, std::optional<int> niceness) noexcept : inheritance() {
  if (processors) processors_ = processors;
  if (!niceness) return;
  urgency_ = urgency{.niceness = *niceness};
  wished_ = true;
}

void inheritance::allow_processors(pthread_t thread) const noexcept {
  cpu_set_t mask;
  if (!processors_ || ::pthread_getaffinity_np(thread, sizeof mask, &mask) != 0) return;
  if (!CPU_EQUAL(&mask, &*processors_)) allow(thread, *processors_);  // if refused, it runs where its starter may
}

void inheritance::take() const noexcept {
  const sigset_t blocked = all_but_synchronous();
  ::pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  static std::atomic<bool> said{false};
  if (!urgency_ || adopt(*urgency_) || said.exchange(true, std::memory_order_relaxed)) return;
  if (wished_)
    say("the kernel does not let workers have the nice value that options::nice asks for; ask for a higher one, or raise the "
        "limit (ulimit -e)");
  else
    say("workers were started by a thread of lower priority than the one that made the pool, and the kernel does not let "
        "them raise theirs; let a thread of the pool's priority use the pool first, or raise the limit (ulimit -e)");
}

signals_held::signals_held() noexcept {
  const sigset_t blocked = all_but_synchronous();
  ::pthread_sigmask(SIG_SETMASK, &blocked, &former_);
}

}  // namespace heist::detail

#pragma once
// A sandbox that refuses what heist can do without.

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace heist_test {

// From here on the kernel answers that system call so (SECCOMP_RET_…), to every thread of the process. False: it does
// not let us do so.
inline bool answer_call(unsigned call, std::uint32_t how) {
  sock_filter program_text[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, how),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(program_text)), program_text};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

inline bool refuse_membarrier() { return answer_call(SYS_membarrier, SECCOMP_RET_ERRNO | EPERM); }

// The same, for a call whose attempts are counted: the kernel asks us instead, by a signal.
inline std::atomic<int> refusals{0};
inline bool refuse_and_count(unsigned call) {
  struct sigaction act{};
  act.sa_flags = SA_SIGINFO;
  act.sa_sigaction = [](int, siginfo_t*, void* context) {
    ++refusals;
    mcontext_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    registers.gregs[REG_RAX] = -EPERM;
#else
    registers.regs[0] = static_cast<unsigned long long>(-EPERM);
#endif
  };
  return ::sigaction(SIGSYS, &act, nullptr) == 0 && answer_call(call, SECCOMP_RET_TRAP);
}

}  // namespace heist_test

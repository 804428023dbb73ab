#include <heist/fence/fence.hpp>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heist::detail {

namespace {
bool membarrier(int command) noexcept { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }
}  // namespace

bool enable_heavy_fence() noexcept { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }

bool heavy_fence() noexcept {
  chaos::drain_all();
  return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

}  // namespace heist::detail

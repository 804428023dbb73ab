#include <heist/race/strands.hpp>
#include <heist/strand/seat.hpp>
#include <heist/worker_index.hpp>

namespace heist {

std::size_t worker_index() noexcept {
#if defined(HEIST_RACE)
  return detail::race::is_inside_pool() ? 0 : no_worker;  // one worker runs all
#endif
  const detail::seat* const s = detail::this_seat();
  return s != nullptr ? s->index : no_worker;
}

}  // namespace heist

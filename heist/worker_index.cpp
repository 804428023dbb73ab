#include <heist/strand/seat.hpp>
#include <heist/worker_index.hpp>

namespace heist {

std::size_t worker_index() noexcept {
  const detail::seat* const s = detail::this_seat();
  return s != nullptr ? s->index : no_worker;
}

}  // namespace heist

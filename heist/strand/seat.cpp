#include <heist/strand/seat.hpp>

namespace heist::detail {

void seat::accept(const terms& t) noexcept {
  now = strand();  // drops what the last strand left
  now.root_mode.set(t.mode);
  now.root.set(t.root);
  measured_from.set(t.measured ? jobs.owner().next() : never);
  t.mode.apply();
}

}  // namespace heist::detail

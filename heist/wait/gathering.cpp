#include <heist/wait/gathering.hpp>

namespace heist::detail {

gathering::gathering(future_state& target, std::size_t n, void (*fill)(future_state&) noexcept)
    : target_(target), fill_(fill), out_(n + 1), parts_(new part[n]()) {}

void gathering::all(future_state& target, const std::vector<future_state*>& sources, void (*fill)(future_state&) noexcept) {
  auto* const g = new gathering(target, sources.size(), fill);
  agenda later;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    g->parts_[i].of = g;
    if (!sources[i]->listen(g->parts_[i])) g->count_down(later);
  }
  g->count_down(later);
  later.work();
}

void gathering::told(listener& l, agenda& later) noexcept { static_cast<part&>(l).of->count_down(later); }

void gathering::count_down(agenda& later) noexcept {
  // order[future.gather]: what this source has brought, for the last one
  // order[future.gather]: the last one sees what the others' sources have brought
  if (out_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const std::unique_ptr<gathering> self(this);
  const owned<future_state> last(&target_);
  fill_(target_);
  target_.finish(later);
}

}  // namespace heist::detail

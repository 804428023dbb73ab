#include <heist/sched/leavings.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/strand.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace heist::detail {

namespace {

using list = std::vector<std::unique_ptr<belongings>>;

// The list, sorted by number.
list in_order(belongings* first) {
  list all;
  while (first != nullptr) {
    all.emplace_back(first);
    first = first->next;
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->number < b->number; });
  return all;
}

// Appends what children that come after their scope's strand have left.
void append_queued(belongings& all, const list& queued, const void* scope) {
  for (const auto& child : queued) all.views.append(std::move(child->views));
  if (!all.clock) return;
  std::vector<strand_clock::queued_child> clocks;
  for (const auto& child : queued)
    if (child->clock) clocks.push_back({child->number, &*child->clock});
  all.clock->join_queued(scope, clocks);
}

}  // namespace

void leavings::leave_before(std::int64_t number) noexcept {
  leave(robbed_, number, give_belongings());  // its clock was ended by end_measured_child()
}

void leavings::leave_after(std::int64_t number) noexcept { leave(queued_, number, strand::end()); }

void leavings::leave(belongings*& to, std::int64_t number, std::unique_ptr<belongings> mine) noexcept {
  if (!mine) return;
  mine->number = number;
  const std::lock_guard hold(lock_);
  mine->next = to;
  to = mine.release();
}

// First what comes before the strand's last stolen continuation, then its own, then what was
// queued.
std::unique_ptr<belongings> leavings::collect(std::unique_ptr<belongings> own, const void* scope) {
  const bool measured = own && own->clock;  // if not, a robbed child may have been: its measurement is over
  auto all = std::make_unique<belongings>();
  for (const auto& child : in_order(std::exchange(robbed_, nullptr))) all->append(std::move(*child));
  if (own) all->append(std::move(*own));
  if (!measured) all->clock.reset();
  append_queued(*all, in_order(std::exchange(queued_, nullptr)), scope);
  return all;
}

std::unique_ptr<belongings> leavings::collect_outside(const void* scope, std::int64_t first_of_others) {
  auto all = std::make_unique<belongings>();
  const list queued = in_order(std::exchange(queued_, nullptr));
  if (!queued.empty() && queued.front()->clock) {
    all->clock.emplace().drop();
    for (const auto& child : queued)
      if (child->number < first_of_others) all->clock->queue_child(scope, child->number);  // others' parents know where
  }
  append_queued(*all, queued, scope);
  if (all->clock) all->clock->sync(scope);
  return all;
}

}  // namespace heist::detail

#include <heist/race/views.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/reducer_base.hpp>
#include <heist/strand/worker.hpp>

#include <atomic>
#include <cstdint>

namespace heist::detail {

namespace {
std::uint64_t fresh_key() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}
}  // namespace

#if defined(HEIST_RACE)

reducer_base::reducer_base(const view_kind& of, void* own_value) : reduced{fresh_key(), of, own_value} {
  race::add_reducer(*this);
}
reducer_base::~reducer_base() { race::remove_reducer(*this); }
void* find_view(reducer_base& r) { return race::view_of(r); }
void* find_plain_view(reducer_base& r, std::size_t size) {
  void* const view = race::view_of(r);
  race::looked_up(r, view, size);
  return view;
}

#else

reducer_base::reducer_base(const view_kind& of, void* own_value) : reduced{fresh_key(), of, own_value} {
  if (this_worker() != nullptr) own_belongings().views.add(*this, own_value);
}

reducer_base::~reducer_base() {
  if (this_worker() != nullptr && this_worker()->now.own.get() != nullptr) own_belongings().views.remove(key);
}

void* find_view(reducer_base& r) {
  if (this_worker() == nullptr) return r.first;
  view_map& mine = own_belongings().views;
  if (void* const known = mine.find(r.key)) return known;
  mine.reserve();  // before there is a view to lose
  void* const fresh = r.kind.make(r);
  mine.add(r, fresh);
  return fresh;
}

#endif

}  // namespace heist::detail

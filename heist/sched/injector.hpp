#pragma once
// Work that no deque holds: children of scopes outside every pool, roots whose callers found no seat, what a thief that
// goes into reserve had stolen along, and branches that made way for one that can travel.

#include <heist/base/export.hpp>
#include <heist/strand/strand.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/stock.hpp>
#include <heist/sched/ticket.hpp>

#include <atomic>
#include <deque>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

class injector {
 public:
  struct item : stolen_job {   // `what` is null: nothing here
    const void* of = nullptr;   // the scope whose child it is; null: none
    ticket* held = nullptr;     // by whom it may be taken out of turn; there until the item is taken
  };

  // Any thread. Throws std::bad_alloc.
  void put(item i);
  // Any thread. The first item, or the first of one scope.
  item take(const void* scope = nullptr) noexcept;
  // Any thread. That item; nothing if it was taken.
  item take(ticket& t) noexcept;
  bool has(const void* scope) noexcept;

  // order[idle.count]: a worker that lies down asks this after it is listed
  bool empty() const noexcept { return size_.load(std::memory_order_seq_cst) == 0; }

 private:
  // Under lock_.
  std::deque<item>::iterator find(const void* scope) noexcept;
  item remove(item& i) noexcept;

  std::atomic<int> size_{0};
  std::mutex lock_;
  std::deque<item> items_;  // neither the first nor the last has been taken; others may have left a gap
};

}  // namespace heist::detail

HEIST_END

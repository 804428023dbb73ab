#include <heist/base/fatal.hpp>
#include <heist/check/held_locks.hpp>
#include <heist/per_worker.hpp>
#include <heist/strand/worker.hpp>

#include <bit>
#include <cstdint>

namespace heist::detail {

namespace {

// Only its own strand looks a seat up, and only its own thread a thread, so nobody adds a key twice. An address that is used
// again, after a thread or a pool has ended, gets the value of the former.
const void* own_key() noexcept {
  const void* const seat = this_worker();
  return seat != nullptr ? seat : this_thread();
}

}  // namespace

// Open addressing; at most half full. Keys are added, never removed.
struct worker_values::table {
  explicit table(std::size_t size, table* before) : older(before), mask(size - 1), slots(size) {}

  struct slot {
    std::atomic<const void*> key{nullptr};
    worker_value* value = nullptr;
  };

  slot& at(const void* key, std::size_t probe) noexcept {
    const auto bits = reinterpret_cast<std::uintptr_t>(key);
    return slots[((bits >> 7) * 0x9e3779b97f4a7c15u + probe) & mask];
  }

  table* const older;
  const std::size_t mask;
  std::size_t used = 0;
  std::vector<slot> slots;
};

worker_values::worker_values() noexcept = default;
worker_values::~worker_values() { clear(); }

worker_value* worker_values::find() const noexcept {
  const void* const key = own_key();
  // order[per_worker.table]: the slots of a table are made before it is
  for (table* t = newest_.load(std::memory_order_acquire); t != nullptr; t = t->older) {
    for (std::size_t probe = 0;; ++probe) {
      table::slot& s = t->at(key, probe);
      const void* const found = s.key.load(std::memory_order_relaxed);  // our own is not another thread's news
      if (found == key) return s.value;
      if (found == nullptr) break;
    }
  }
  return nullptr;
}

worker_value& worker_values::add(sole<worker_value> value) {
  const std::lock_guard hold(lock_);
  return add(std::move(value), own_key());
}

worker_value& worker_values::add(sole<worker_value> value, const void* key) {
  table* t = newest_.load(std::memory_order_relaxed);
  if (t == nullptr || 2 * (t->used + 1) > t->slots.size()) {
    t = new table(t == nullptr ? 16 : 2 * t->slots.size(), t);
    // order[per_worker.table]: see find()
    newest_.store(t, std::memory_order_release);
  }
  worker_value& added = *all_.emplace_back(std::move(value));
  for (std::size_t probe = 0;; ++probe) {
    table::slot& s = t->at(key, probe);
    if (s.key.load(std::memory_order_relaxed) != nullptr) continue;
    s.value = &added;
    s.key.store(key, std::memory_order_relaxed);
    ++t->used;
    return added;
  }
}

void worker_values::clear() noexcept {
  table* t = newest_.exchange(nullptr, std::memory_order_relaxed);
  while (t != nullptr) delete std::exchange(t, t->older);
  all_.clear();
}

void worker_values::assign(const worker_values& other,
                           const std::function<sole<worker_value>(const worker_value&)>& copy) {
  worker_values copies;
  for (const sole<worker_value>& of : other.all_)
    for (table* t = other.newest_.load(std::memory_order_relaxed); t != nullptr; t = t->older)
      for (table::slot& s : t->slots)
        if (s.value == of.get()) copies.add(copy(*of), s.key.load(std::memory_order_relaxed));
  swap(copies);
}

void worker_values::swap(worker_values& other) noexcept {
  table* const mine = newest_.load(std::memory_order_relaxed);
  newest_.store(other.newest_.exchange(mine, std::memory_order_relaxed), std::memory_order_relaxed);
  all_.swap(other.all_);
}

#if defined(HEIST_CHECKED)

void begin_use(worker_value& v) noexcept {
  if (v.user != nullptr)
    fatal("a per_worker was used while the same worker's value is in use further up; end the first use, or have a second "
          "per_worker");
  v.user = own_key();
  begin_no_fork(no_fork::use_of_per_worker);
}

void end_use(worker_value& v) noexcept {
  if (std::exchange(v.user, nullptr) != own_key())
    fatal("a strand kept its value of a per_worker across a fork or a wait, and is at another worker now; end the use first");
  end_no_fork();
}

#endif

}  // namespace heist::detail

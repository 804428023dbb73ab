#pragma once
// The part of oneTBB that most programs use, on heist. A program comes over with
//   #include <heist/tbb.hpp>
//   namespace tbb = heist::tbb;
// docs/guides/coming_over.md says what differs and what is not here.

#include <heist/base/export.hpp>
#include <heist/pool.hpp>
#include <heist/tbb/context.hpp>
#include <heist/tbb/flattened2d.hpp>
#include <heist/tbb/locks.hpp>
#include <heist/tbb/loops.hpp>
#include <heist/tbb/once.hpp>
#include <heist/tbb/pipeline.hpp>
#include <heist/tbb/ranges.hpp>
#include <heist/tbb/specific.hpp>
#include <heist/tbb/task_group.hpp>

#include <chrono>
#include <memory>
#include <new>
#include <vector>

HEIST_BEGIN

namespace heist::tbb {

// A clock, as programs that measure themselves use it.
class HEIST_TYPE tick_count {
 public:
  class HEIST_TYPE interval_t {
   public:
    HEIST_OWN explicit interval_t(double seconds = 0) noexcept : seconds_(seconds) {}
    HEIST_OWN double seconds() const noexcept { return seconds_; }
    HEIST_OWN interval_t& operator+=(interval_t more) noexcept { return seconds_ += more.seconds_, *this; }
    HEIST_OWN interval_t& operator-=(interval_t less) noexcept { return seconds_ -= less.seconds_, *this; }
    HEIST_OWN friend interval_t operator+(interval_t a, interval_t b) noexcept { return a += b; }
    HEIST_OWN friend interval_t operator-(interval_t a, interval_t b) noexcept { return a -= b; }

   private:
    double seconds_;
  };
  HEIST_OWN static tick_count now() noexcept {
    tick_count t;
    t.at_ = std::chrono::steady_clock::now();
    return t;
  }
  HEIST_OWN friend interval_t operator-(const tick_count& a, const tick_count& b) noexcept {
    return interval_t(std::chrono::duration<double>(a.at_ - b.at_).count());
  }

 private:
  std::chrono::steady_clock::time_point at_;
};

// Programs hold one to wait for the threads at their end: finalize() returns when nothing runs in the default pool. Its threads
// stay.
class HEIST_TYPE task_scheduler_handle {
 public:
  HEIST_OWN ~task_scheduler_handle() = default;
  HEIST_OWN task_scheduler_handle() = default;
  HEIST_OWN explicit task_scheduler_handle(attach) : attached_(true) {}
  HEIST_OWN task_scheduler_handle(task_scheduler_handle&& other) noexcept : attached_(std::exchange(other.attached_, false)) {}
  HEIST_OWN task_scheduler_handle& operator=(task_scheduler_handle&& other) noexcept {
    attached_ = std::exchange(other.attached_, false);
    return *this;
  }
  HEIST_OWN explicit operator bool() const noexcept { return attached_; }
  HEIST_OWN void release() noexcept { attached_ = false; }

 private:
  bool attached_ = false;
};
inline void finalize(task_scheduler_handle& handle) {
  if (handle) default_pool().wait_idle();
  handle.release();
}
inline bool finalize(task_scheduler_handle& handle, const std::nothrow_t&) noexcept {
  if (detail::this_worker() != nullptr) return false;  // it would wait for itself
  try {
    tbb::finalize(handle);
    return true;
  } catch (...) {
    return false;
  }
}

// The standard's allocators do.
template <class T>
using tbb_allocator = std::allocator<T>;
template <class T>
using scalable_allocator = std::allocator<T>;

namespace info {
// One node and one kind of core, which are not told apart: as oneTBB says where it does not know the machine.
inline std::vector<numa_node_id> numa_nodes() { return {task_arena::automatic}; }
inline std::vector<core_type_id> core_types() { return {task_arena::automatic}; }
inline int default_concurrency(numa_node_id = task_arena::automatic) { return static_cast<int>(available_parallelism()); }
inline int default_concurrency(const task_arena::constraints& of) {
  return of.max_concurrency > 0 ? of.max_concurrency : info::default_concurrency();
}
}  // namespace info

}  // namespace heist::tbb

HEIST_END

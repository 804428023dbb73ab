#pragma once
// Mutexes with oneTBB's scoped_lock, on heist's mutexes: a strand that waits leaves its worker to others, also for one that
// is called a spin mutex.

#include <heist/base/export.hpp>
#include <heist/mutex.hpp>
#include <heist/shared_mutex.hpp>

HEIST_BEGIN

namespace heist::tbb {

class HEIST_TYPE mutex : public heist::mutex {
 public:
  static constexpr bool is_rw_mutex = false, is_recursive_mutex = false, is_fair_mutex = false;
  HEIST_OWN mutex() = default;
  HEIST_OWN ~mutex() = default;

  class HEIST_TYPE scoped_lock {
   public:
    HEIST_OWN scoped_lock() = default;
    HEIST_OWN explicit scoped_lock(mutex& m) { acquire(m); }
    HEIST_OWN ~scoped_lock() {
      if (of_ != nullptr) release();
    }
    scoped_lock(const scoped_lock&) = delete;
    scoped_lock& operator=(const scoped_lock&) = delete;

    HEIST_OWN void acquire(mutex& m) {
      m.lock();
      of_ = &m;
    }
    HEIST_OWN bool try_acquire(mutex& m) {
      if (!m.try_lock()) return false;
      of_ = &m;
      return true;
    }
    HEIST_OWN void release() {
      mutex* const m = of_;
      of_ = nullptr;
      m->unlock();
    }

   private:
    mutex* of_ = nullptr;
  };
};
using spin_mutex = mutex;
using queuing_mutex = mutex;
using speculative_spin_mutex = mutex;

class HEIST_TYPE rw_mutex : public heist::shared_mutex {
 public:
  static constexpr bool is_rw_mutex = true, is_recursive_mutex = false, is_fair_mutex = false;
  HEIST_OWN rw_mutex() = default;
  HEIST_OWN ~rw_mutex() = default;

  class HEIST_TYPE scoped_lock {
   public:
    HEIST_OWN scoped_lock() = default;
    HEIST_OWN explicit scoped_lock(rw_mutex& m, bool write = true) { acquire(m, write); }
    HEIST_OWN ~scoped_lock() {
      if (of_ != nullptr) release();
    }
    scoped_lock(const scoped_lock&) = delete;
    scoped_lock& operator=(const scoped_lock&) = delete;

    HEIST_OWN void acquire(rw_mutex& m, bool write = true) {
      write ? m.lock() : m.lock_shared();
      of_ = &m;
      writes_ = write;
    }
    HEIST_OWN bool try_acquire(rw_mutex& m, bool write = true) {
      if (!(write ? m.try_lock() : m.try_lock_shared())) return false;
      of_ = &m;
      writes_ = write;
      return true;
    }
    HEIST_OWN void release() {
      rw_mutex* const m = of_;
      of_ = nullptr;
      writes_ ? m->unlock() : m->unlock_shared();
    }
    // False: the lock was released in between.
    HEIST_OWN bool upgrade_to_writer() {
      if (writes_) return true;
      rw_mutex* const m = of_;
      release();
      acquire(*m, true);
      return false;
    }
    HEIST_OWN bool downgrade_to_reader() {
      if (!writes_) return true;
      rw_mutex* const m = of_;
      release();
      acquire(*m, false);
      return false;
    }
    HEIST_OWN bool is_writer() const noexcept { return writes_; }

   private:
    rw_mutex* of_ = nullptr;
    bool writes_ = false;
  };
};
using spin_rw_mutex = rw_mutex;
using queuing_rw_mutex = rw_mutex;
using speculative_spin_rw_mutex = rw_mutex;

class HEIST_TYPE null_mutex {
 public:
  class HEIST_TYPE scoped_lock {
   public:
    HEIST_OWN scoped_lock() = default;
    HEIST_OWN explicit scoped_lock(null_mutex&) {}
    HEIST_OWN void acquire(null_mutex&) {}
    HEIST_OWN bool try_acquire(null_mutex&) { return true; }
    HEIST_OWN void release() {}
  };
  HEIST_OWN void lock() {}
  HEIST_OWN bool try_lock() { return true; }
  HEIST_OWN void unlock() {}
};

class HEIST_TYPE null_rw_mutex {
 public:
  class HEIST_TYPE scoped_lock {
   public:
    HEIST_OWN scoped_lock() = default;
    HEIST_OWN explicit scoped_lock(null_rw_mutex&, bool = true) {}
    HEIST_OWN void acquire(null_rw_mutex&, bool = true) {}
    HEIST_OWN bool try_acquire(null_rw_mutex&, bool = true) { return true; }
    HEIST_OWN void release() {}
    HEIST_OWN bool upgrade_to_writer() { return true; }
    HEIST_OWN bool downgrade_to_reader() { return true; }
  };
  HEIST_OWN void lock() {}
  HEIST_OWN bool try_lock() { return true; }
  HEIST_OWN void unlock() {}
  HEIST_OWN void lock_shared() {}
  HEIST_OWN bool try_lock_shared() { return true; }
  HEIST_OWN void unlock_shared() {}
};

}  // namespace heist::tbb

HEIST_END

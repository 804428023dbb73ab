#pragma once
// Random programs of joins, scopes, loops, futures, locks, atomics, reducers, things done once and annotations, with their dag. They
// make their accesses through the functions that compilers call; what includes this is not instrumented, as the dag's own books
// would race.

#include <heist/async.hpp>
#include <heist/for_each.hpp>
#include <heist/join.hpp>
#include <heist/mutex.hpp>
#include <heist/race.hpp>
#include <heist/reducer.hpp>
#include <heist/scope.hpp>
#include <heist/shared_mutex.hpp>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <utility>
#include <vector>

extern "C" {
void __tsan_read1(void*);
void __tsan_read2(void*);
void __tsan_read4(void*);
void __tsan_read8(void*);
void __tsan_write1(void*);
void __tsan_write2(void*);
void __tsan_write4(void*);
void __tsan_write8(void*);
unsigned __tsan_atomic32_fetch_add(volatile unsigned*, unsigned, int);
}

namespace random_programs {

// The first bytes, for accesses that often meet, and three blocks of the detector's cells, for sweeps.
constexpr std::size_t near = 16, block = 256, bytes = 4 * block, most_nodes = 600;

// The dag: nodes in serial order, each with all that come before it.
class dag {
 public:
  using node = std::size_t;
  using set = std::bitset<most_nodes>;

  void clear() { before_.assign(1, set()); }
  bool full() const { return before_.size() + 40 > most_nodes; }
  node add(std::initializer_list<node> from) { return add(std::vector<node>(from)); }
  node add(const std::vector<node>& from) {
    set all;
    for (const node f : from) all |= before_[f], all.set(f);
    before_.push_back(all);
    return before_.size() - 1;
  }
  // After `from`, and after those from `first` on that come before `end`, or are it: not after what comes before these.
  node add_after_part(node from, node first, node end) {
    set part = before_[end];
    part.set(end);
    for (node f = 0; f < first; ++f) part.reset(f);
    part |= before_[from];
    part.set(from);
    before_.push_back(part);
    return before_.size() - 1;
  }
  bool parallel(node a, node b) const { return a != b && !before_[a][b] && !before_[b][a]; }

 private:
  std::vector<set> before_;
};

struct held {
  int lock;  // -1: the one of all atomic accesses
  bool shared;
  int when;  // which taking of it
};

struct access {
  dag::node at;
  std::size_t first, size;
  bool writes;
  std::vector<held> locks;

  std::bitset<bytes> all() const {
    std::bitset<bytes> b;
    for (std::size_t k = first; k < first + size; ++k) b.set(k);
    return b;
  }
};

// Of each seed other numbers. A copy rolls the same.
class dice {
 public:
  explicit dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }

 private:
  std::uint64_t state_;
};

// Steps have names that do not depend on other steps, so that some can be left out.
using steps = std::set<std::uint64_t>;

class program {
 public:
  program(unsigned seed, unsigned char* memory, const steps* without = nullptr, bool aloud = false)
      : dice_(seed), memory_(memory), without_(without), aloud_(aloud) {
    dag_.clear();
    // Some programs have no irregular forks, and some no locks: there the detector takes shorter ways.
    futures_ = dice_() % 2 == 0;
    outer_spawns_ = dice_() % 2 == 0;
    locks_ = dice_() % 2 == 0;
    others_ = dice_() % 4 == 0;
    sweeps_ = dice_() % 2 == 0;
    write_each_ = 1 + roll(20);
    // Where every byte has a race, nothing is learnt of the others: most programs have few accesses, and a lock for most.
    touch_each_ = 1u << roll(6);
    usual_lock_ = static_cast<int>(roll(3));
  }

  void run() {
    heist::reducer<long> sum;
    sum_ = &sum;
    strand(2 + static_cast<int>(roll(3)));
    for (std::size_t i = 0; i < futures_made_.size(); ++i) ask(i);
    for (unsigned last = roll(3); last > 0; --last) touch();  // after all else
    if (*sum != expected_) wrong_sum_ = true;
  }

  // The bytes that have a race, of either question.
  std::bitset<bytes> races(bool determinacy) const {
    std::bitset<bytes> racy;
    std::vector<std::bitset<bytes>> touched;
    for (const access& a : accesses_) touched.push_back(a.all());
    for (std::size_t i = 0; i < accesses_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const access &a = accesses_[j], &b = accesses_[i];
        if ((!a.writes && !b.writes) || !dag_.parallel(a.at, b.at) || (!determinacy && apart(a, b))) continue;
        racy |= touched[i] & touched[j];
      }
    return racy;
  }
  bool wrong_sum() const { return wrong_sum_; }
  const std::vector<std::uint64_t>& made() const { return made_; }

 private:
  struct open_scope {
    heist::scope& real;
    std::vector<dag::node> ends;
    std::size_t number;
  };
  struct future {
    heist::shared_future<void> real;
    dag::node end;
  };

  static bool apart(const access& a, const access& b) {
    for (const held& l : a.locks)
      for (const held& k : b.locks)
        if (l.lock == k.lock && (l.when != k.when || l.lock == -1) && !(l.shared && k.shared)) return true;
    return false;
  }

  unsigned roll(unsigned n) { return static_cast<unsigned>(dice_() % n); }

  void touch() {
    if (roll(touch_each_) != 0) return;
    if (locks_ && roll(4) != 0) {
      const bool taken = take(roll(5) == 0 ? static_cast<int>(roll(3)) : usual_lock_);
      access_now();
      if (taken) release();
    } else {
      access_now();
    }
  }
  // All in a strand, by one place in the code.
  void sweep() {
    access a{now_, block + 64 * roll(10), 128 * (1 + roll(4)), roll(write_each_) == 0, held_};
    a.size = std::min(a.size, bytes - a.first);
    unsigned char *const from = memory_ + a.first, *const end = from + a.size;
    if (roll(2) == 0) {
      if (a.writes)
        for (auto* p = from; p < end; p += 8) __tsan_write8(p);
      else
        for (auto* p = from; p < end; p += 8) __tsan_read8(p);
    } else {
      if (a.writes)
        for (auto* p = from; p < end; p += 4) __tsan_write4(p);
      else
        for (auto* p = from; p < end; p += 4) __tsan_read4(p);
    }
    accesses_.push_back(a);
    say("sweep, %s %zu..%zu%s", a.writes ? "write" : "read", a.first, a.first + a.size - 1, a.locks.empty() ? "" : ", locked");
  }
  void access_now() {
    if (sweeps_ && roll(3) == 0) return sweep();
    access a{now_, 0, 1u << roll(4), roll(write_each_) == 0, held_};
    a.first = roll(static_cast<unsigned>(near / a.size)) * a.size;
    if (sweeps_ && roll(4) == 0) a.first += block + 16 * roll((bytes - block) / 16);
    unsigned char* const p = memory_ + a.first;
    if (locks_ && a.size == 4 && roll(4) == 0) {
      a.writes = true;
      a.locks.push_back({-1, false, 0});
      __tsan_atomic32_fetch_add(reinterpret_cast<volatile unsigned*>(p), 1, 0);
    } else {
      using hook = void(void*);
      static hook* const reads[] = {__tsan_read1, __tsan_read2, __tsan_read4, __tsan_read8};
      static hook* const writes[] = {__tsan_write1, __tsan_write2, __tsan_write4, __tsan_write8};
      (a.writes ? writes : reads)[__builtin_ctzl(a.size)](p);
    }
    accesses_.push_back(a);
    say("%s %zu..%zu%s", a.writes ? "write" : "read", a.first, a.first + a.size - 1,
        a.locks.empty() ? "" : a.locks.back().lock == -1 ? ", atomic" : ", locked");
  }

  // One after the other, until it has had enough.
  void strand(int depth) {
    for (unsigned n = 1 + roll(5); n > 0 && !dag_.full(); --n) {
      const std::uint64_t name = dice_();
      if (without_ != nullptr && without_->count(name) != 0) continue;
      made_.push_back(name);
      const dice rest = std::exchange(dice_, dice(name));
      step(depth);
      dice_ = rest;
    }
  }

  // For a program that is to be read.
  template <class... A>
  void say(const char* format, A... values) const {
    if (!aloud_) return;
    std::printf("%*s", static_cast<int>(4 * inside_), "");
    std::printf(format, values...);
    std::printf("\n");
  }
  void branch(const char* what, int depth) {
    now_ = dag_.add({now_});
    say("%s", what);
    ++inside_;
    if (depth >= 0) strand(depth);
    --inside_;
  }

  void step(int depth) {
    const unsigned what = roll(depth > 0 ? 14 : 4);
    if (what < 4) return others_ && roll(3) == 0 ? other_edge(depth) : touch();
    if (what < 7) return join(depth);
    if (what < 9) return loop(depth);
    if (what < 11) return scope(depth);
    if (what == 11) return locks_ ? locked(depth) : touch();
    if (what == 12) {
      if (roll(2) == 0) {
        const long n = roll(100);
        expected_ += n;
        **sum_ += n;
      } else if (futures_) {
        async(depth);
      }
      return;
    }
    if (futures_ && roll(2) == 0 && !futures_made_.empty()) return ask(roll(static_cast<unsigned>(futures_made_.size())));
    if (outer_spawns_ && !scopes_.empty()) return spawn(*scopes_[roll(static_cast<unsigned>(scopes_.size()))], depth);
    touch();
  }

  void locked(int depth) {
    if (!take(static_cast<int>(roll(3)))) return touch();
    strand(depth - 1);
    release();
  }
  // A lock is not handed to another strand of this program while it is held: nobody else runs. But one that an outer strand
  // holds cannot be taken again: false.
  bool take(int lock) {
    for (const held& h : held_)
      if (h.lock == lock) return false;
    const bool shared = lock == 2 && roll(2) == 0;
    held_.push_back({lock, shared, ++takings_});
    if (lock == 0) mutex_.lock();
    else if (lock == 1) std_mutex_.lock();
    else if (shared) shared_mutex_.lock_shared();
    else shared_mutex_.lock();
    return true;
  }
  void release() {
    const held h = held_.back();
    held_.pop_back();
    if (h.lock == 0) mutex_.unlock();
    else if (h.lock == 1) std_mutex_.unlock();
    else if (h.shared) shared_mutex_.unlock_shared();
    else shared_mutex_.unlock();
  }

  void join(int depth) {
    const dag::node fork = now_;
    dag::node first = 0;
    heist::join(
        [&] {
          branch("first branch", depth - 1);
          first = std::exchange(now_, fork);
        },
        [&] { branch("second branch", depth - 1); });
    now_ = dag_.add({first, now_});
    say("join");
  }

  void loop(int depth) {
    const dag::node fork = now_;
    std::vector<dag::node> ends{fork};
    heist::for_each_index(0, 1 + roll(4), [&](unsigned) {
      branch("iteration", depth - 1);
      ends.push_back(std::exchange(now_, fork));
    });
    now_ = dag_.add(ends);
    say("end of the loop");
  }

  void scope(int depth) {
    heist::scope real;
    open_scope s{real, {}, ++scopes_made_};
    scopes_.push_back(&s);
    for (unsigned n = roll(4); n > 0 && !dag_.full(); --n) {
      if (roll(3) != 0) spawn(s, depth);
      strand(depth - 1);
      if (roll(4) == 0) sync(s);
    }
    sync(s);
    scopes_.pop_back();
  }
  void spawn(open_scope& s, int depth) {
    const dag::node fork = now_;
    // A child may outlive scopes inside its own: whether it would still spawn into them before their sync is not certain.
    std::vector<open_scope*> outer(scopes_.begin(), std::find(scopes_.begin(), scopes_.end(), &s) + 1);
    outer.swap(scopes_);
    s.real.spawn([&] {
      say("scope %zu:", s.number);
      branch("child", depth - 1);
      s.ends.push_back(now_);
    });
    outer.swap(scopes_);
    now_ = dag_.add({fork});
  }
  void sync(open_scope& s) {
    s.real.sync();
    s.ends.push_back(now_);
    now_ = dag_.add(s.ends);
    s.ends.clear();
    say("sync scope %zu", s.number);
  }

  void async(int depth) {
    const dag::node fork = now_;
    dag::node end = 0;
    // Scopes of the caller are the caller's: its future may outlive them.
    std::vector<open_scope*> outer;
    outer.swap(scopes_);
    auto f = heist::async([&] {
      branch("future", depth - 1);
      end = now_;
    });
    outer.swap(scopes_);
    say("that was future %zu", futures_made_.size());
    futures_made_.push_back({f.shared(), end});
    now_ = dag_.add({fork});
  }
  void ask(std::size_t which) {
    futures_made_[which].real.get();
    now_ = dag_.add({now_, futures_made_[which].end});
    say("get future %zu", which);
  }

  void other_edge(int depth) {
    const unsigned which = roll(2);
    if (roll(2) == 0) return once(which, depth);
    std::vector<dag::node>& all = released_[which];
    if (roll(2) == 0) {
      heist::race_release(&all);
      all.push_back(now_);
      now_ = dag_.add({now_});
      say("release %u", which);
    } else {
      heist::race_acquire(&all);
      std::vector<dag::node> from = all;
      from.push_back(now_);
      now_ = dag_.add(from);
      say("acquire %u", which);
    }
  }
  // Whoever comes later, and it may be any of them, comes after what is done, and not after what its strand did before.
  void once(unsigned which, int depth) {
    done_once& o = once_[which];
    if (o.busy) return touch();
    bool mine = false;
    std::call_once(o.flag, [&] {
      mine = o.busy = true;
      now_ = o.first = dag_.add({now_});
      say("once %u:", which);
      ++inside_;
      strand(depth - 1);
      --inside_;
      o.end = now_;
      o.busy = false;
    });
    if (mine) {
      now_ = dag_.add({now_});
    } else {
      now_ = dag_.add_after_part(now_, o.first, o.end);
    }
    say("that was once %u", which);
  }

  struct done_once {
    std::once_flag flag;
    bool busy = false;
    dag::node first = 0, end = 0;
  };

  dice dice_;
  done_once once_[2];
  std::vector<dag::node> released_[2];
  unsigned char* const memory_;
  const steps* const without_;
  const bool aloud_;
  std::vector<std::uint64_t> made_;
  std::size_t inside_ = 0, scopes_made_ = 0;
  bool futures_, outer_spawns_, locks_, others_, sweeps_, wrong_sum_ = false;
  unsigned write_each_, touch_each_;
  int usual_lock_;
  dag dag_;
  dag::node now_ = 0;
  std::vector<access> accesses_;
  std::vector<held> held_;
  std::vector<open_scope*> scopes_;
  std::vector<future> futures_made_;
  int takings_ = 0;
  long expected_ = 0;
  heist::reducer<long>* sum_ = nullptr;
  heist::mutex mutex_;
  std::mutex std_mutex_;
  heist::shared_mutex shared_mutex_;
};

}  // namespace random_programs

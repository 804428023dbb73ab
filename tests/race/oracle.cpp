// Random programs of joins, scopes, loops, futures, locks, atomics and reducers, judged twice: by the detector, and by brute
// force over their dag. The programs make their accesses through the functions that compilers call; this file itself is not
// instrumented, as its own books would race.
//   race_oracle PROGRAMS [FIRST_SEED]

#include <heist/async.hpp>
#include <heist/for_each.hpp>
#include <heist/join.hpp>
#include <heist/mutex.hpp>
#include <heist/race/detector.hpp>
#include <heist/reducer.hpp>
#include <heist/scope.hpp>
#include <heist/shared_mutex.hpp>

#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <shared_mutex>
#include <vector>

extern "C" {
void __tsan_init();
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

namespace {

constexpr std::size_t bytes = 16, most_nodes = 600;

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
};

class program {
 public:
  program(unsigned seed, unsigned char* memory) : dice_(seed), memory_(memory) {
    dag_.clear();
    // Some programs have no irregular forks, and some no locks: there the detector takes shorter ways.
    futures_ = dice_() % 2 == 0;
    outer_spawns_ = dice_() % 2 == 0;
    locks_ = dice_() % 2 == 0;
    write_each_ = 1 + roll(20);
  }

  void run() {
    heist::reducer<long> sum;
    sum_ = &sum;
    strand(4);
    for (const future& f : futures_made_) f.real.get();
    if (*sum != expected_) wrong_sum_ = true;
  }

  // The bytes that have a race, of either question.
  std::bitset<bytes> races(bool determinacy) const {
    std::bitset<bytes> racy;
    for (std::size_t i = 0; i < accesses_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const access &a = accesses_[j], &b = accesses_[i];
        if ((!a.writes && !b.writes) || !dag_.parallel(a.at, b.at) || (!determinacy && apart(a, b))) continue;
        for (std::size_t k = std::max(a.first, b.first); k < std::min(a.first + a.size, b.first + b.size); ++k) racy.set(k);
      }
    return racy;
  }
  bool wrong_sum() const { return wrong_sum_; }

 private:
  struct open_scope {
    heist::scope& real;
    std::vector<dag::node> ends;
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
    access a{now_, 0, 1u << roll(4), roll(write_each_) == 0, held_};
    a.first = roll(static_cast<unsigned>(bytes / a.size)) * a.size;
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
  }

  // One after the other, until it has had enough.
  void strand(int depth) {
    for (unsigned steps = 1 + roll(5); steps > 0 && !dag_.full(); --steps) step(depth);
  }

  void step(int depth) {
    const unsigned what = roll(depth > 0 ? 14 : 4);
    if (what < 4) return touch();
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

  // A lock is not handed to another strand of this program while it is held: nobody else runs. But one that an outer strand
  // holds cannot be taken again.
  void locked(int depth) {
    const int lock = static_cast<int>(roll(3));
    for (const held& h : held_)
      if (h.lock == lock) return touch();
    const bool shared = lock == 2 && roll(2) == 0;
    held_.push_back({lock, shared, ++takings_});
    if (lock == 0) mutex_.lock();
    else if (lock == 1) std_mutex_.lock();
    else if (shared) shared_mutex_.lock_shared();
    else shared_mutex_.lock();
    strand(depth - 1);
    if (lock == 0) mutex_.unlock();
    else if (lock == 1) std_mutex_.unlock();
    else if (shared) shared_mutex_.unlock_shared();
    else shared_mutex_.unlock();
    held_.pop_back();
  }

  void join(int depth) {
    const dag::node fork = now_;
    dag::node first = 0;
    heist::join(
        [&] {
          now_ = dag_.add({fork});
          strand(depth - 1);
          first = now_;
        },
        [&] {
          now_ = dag_.add({fork});
          strand(depth - 1);
        });
    now_ = dag_.add({first, now_});
  }

  void loop(int depth) {
    const dag::node fork = now_;
    std::vector<dag::node> ends{fork};
    heist::for_each_index(0, 1 + roll(4), [&](unsigned) {
      now_ = dag_.add({fork});
      strand(depth - 1);
      ends.push_back(now_);
    });
    now_ = dag_.add(ends);
  }

  void scope(int depth) {
    heist::scope real;
    open_scope s{real, {}};
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
    s.real.spawn([&] {
      now_ = dag_.add({fork});
      if (depth > 0) strand(depth - 1);
      s.ends.push_back(now_);
    });
    now_ = dag_.add({fork});
  }
  void sync(open_scope& s) {
    s.real.sync();
    s.ends.push_back(now_);
    now_ = dag_.add(s.ends);
    s.ends.clear();
  }

  void async(int depth) {
    const dag::node fork = now_;
    dag::node end = 0;
    // Scopes of the caller are the caller's: its future may outlive them.
    std::vector<open_scope*> outer;
    outer.swap(scopes_);
    auto f = heist::async([&] {
      now_ = dag_.add({fork});
      strand(depth - 1);
      end = now_;
    });
    outer.swap(scopes_);
    futures_made_.push_back({f.shared(), end});
    now_ = dag_.add({fork});
  }
  void ask(std::size_t which) {
    futures_made_[which].real.get();
    now_ = dag_.add({now_, futures_made_[which].end});
  }

  std::mt19937 dice_;
  unsigned char* const memory_;
  bool futures_, outer_spawns_, locks_, wrong_sum_ = false;
  unsigned write_each_;
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

struct seen {
  unsigned char* memory;
  std::bitset<bytes> racy;
};

}  // namespace

int main(int argc, char** argv) {
  __tsan_init();
  const unsigned programs = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1000;
  const unsigned first = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  const bool determinacy = std::getenv("HEIST_RACE") != nullptr;
  // Each program has memory of its own, at a multiple of 16.
  auto* const memory = static_cast<unsigned char*>(std::aligned_alloc(bytes, std::size_t{programs} * bytes));
  unsigned wrong = 0, racy = 0;
  for (unsigned i = 0; i < programs; ++i) {
    unsigned char* const mine = memory + std::size_t{i} * bytes;
    auto p = std::make_unique<program>(first + i, mine);
    p->run();
    seen s{mine, {}};
    heist_race_for_racy(
        [](void* to, std::uintptr_t from, std::uintptr_t end) {
          auto& found = *static_cast<seen*>(to);
          for (std::uintptr_t a = from; a < end; ++a)
            if (const std::uintptr_t k = a - reinterpret_cast<std::uintptr_t>(found.memory); k < bytes) found.racy.set(k);
        },
        &s);
    const std::bitset<bytes> wanted = p->races(determinacy);
    racy += wanted.any() ? 1 : 0;
    if (wanted != s.racy || p->wrong_sum()) {
      if (++wrong <= 5)
        std::printf("seed %u: found %s, should be %s%s\n", first + i, s.racy.to_string().c_str(), wanted.to_string().c_str(),
                    p->wrong_sum() ? "; a reducer's sum is wrong" : "");
    }
    heist_race_clear();
  }
  std::printf("%u programs, %u with races, %u judged wrongly\n", programs, racy, wrong);
  std::fflush(stdout);
  std::_Exit(wrong == 0 ? 0 : 1);
}

#pragma once
// The races found so far, one for each pair of places in the code.

#include <analysis/race/memory.hpp>
#include <analysis/race/order.hpp>

#include <cstdint>

namespace heist::race {

enum class access_kind : unsigned char { read, write, freed, view_read };

struct one_access {
  const void* code;
  access_kind kind;
  bool locked;
};

struct race_pair {
  one_access first, second;
  instant first_at;
  const void* fork;
  std::size_t fork_depth;  // of calls
  fork_kind how;
  std::uintptr_t frame;  // the stack below was not there before the fork
};

// What the bytes are, when the race is found: a block may be gone at the end.
struct owner_of_bytes {
  enum class what : unsigned char { unknown, global, heap, stack } kind = what::unknown;
  std::uintptr_t start = 0;
  std::size_t size = 0;
  const void* where[4] = {};  // the allocation's calls
};

struct race_record {
  static constexpr std::size_t most_calls = 48;

  race_pair pair;
  owner_of_bytes owner;
  std::uintptr_t address;
  std::uint64_t times = 0;
  own_vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges;  // [first, last) of bytes
  const void* calls[most_calls];
  std::size_t n_calls = 0;
  const void* first_calls[most_calls];  // in a guided run
  std::size_t n_first_calls = 0;
  const void* fork_calls[8];
  std::size_t n_fork_calls = 0;
};

class found {
 public:
  void add(const race_pair& pair, std::uintptr_t address, std::size_t bytes);
  const own_vector<race_record*>& all() const noexcept { return all_; }
  // Of one record, in order and without overlap.
  static void tidy(race_record& r);
  // For tests: as if nothing had been found.
  void clear();

 private:
  struct key {
    const void *first, *second, *fork;
    unsigned kinds;
    friend bool operator==(const key&, const key&) = default;
  };
  struct hash {
    std::size_t operator()(const key& k) const noexcept {
      return (reinterpret_cast<std::size_t>(k.first) * 31 + reinterpret_cast<std::size_t>(k.second)) * 31 +
             reinterpret_cast<std::size_t>(k.fork) + k.kinds;
    }
  };
  own_vector<race_record*> all_;
  own_map<key, race_record*, hash> by_code_;
  race_record* recent_ = nullptr;
  key recent_key_{};
};

}  // namespace heist::race

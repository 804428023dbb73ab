#pragma once
// A fully associative cache that drops the line that was used least recently.

#include <cstdint>
#include <vector>

namespace heist::analysis {

// LRU instead of the best possible replacement: it has at most twice the misses of an ideal cache of half the size (Sleator
// and Tarjan), and two of them that begin differently have the same lines after as many misses as they have places.
class ideal_cache {
 public:
  // `places` lines of those below `lines`.
  ideal_cache(std::uint32_t places, std::uint32_t lines) : at_(lines, nowhere), slots_(places) {}

  // True: a miss.
  bool touch(std::uint32_t line) {
    std::uint32_t s = at_[line];
    const bool miss = s == nowhere;
    if (miss) {
      s = used_ < slots_.size() ? used_++ : evict();
      slots_[s].line = line;
      at_[line] = s;
    } else if (s == newest_) {
      return false;
    } else {
      unlink(s);
    }
    link(s);
    return miss;
  }

 private:
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  struct slot {
    std::uint32_t line = 0, newer = nowhere, older = nowhere;
  };

  std::uint32_t evict() {
    const std::uint32_t s = oldest_;
    unlink(s);
    at_[slots_[s].line] = nowhere;
    return s;
  }
  void unlink(std::uint32_t s) {
    const slot& x = slots_[s];
    (x.newer == nowhere ? newest_ : slots_[x.newer].older) = x.older;
    (x.older == nowhere ? oldest_ : slots_[x.older].newer) = x.newer;
  }
  void link(std::uint32_t s) {
    slots_[s].newer = nowhere;
    slots_[s].older = newest_;
    (newest_ == nowhere ? oldest_ : slots_[newest_].newer) = s;
    newest_ = s;
  }

  std::vector<std::uint32_t> at_;  // by line: its slot
  std::vector<slot> slots_;
  std::uint32_t used_ = 0, newest_ = nowhere, oldest_ = nowhere;
};

}  // namespace heist::analysis

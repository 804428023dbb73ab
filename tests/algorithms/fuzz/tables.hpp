#pragma once
// What the tables of algorithms share: inputs, comparisons of results, and what befalls a call.

#include <heist/heist.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <stop_token>
#include <vector>

namespace heist_fuzz {

// Compares by its key; the tag tells equal ones apart.
struct item {
  int key = 0, tag = 0;
  friend bool operator==(const item& a, const item& b) { return a.key == b.key && a.tag == b.tag; }
};
using items = std::vector<item>;
using numbers = std::vector<int>;

// One input, read from the front.
class choices {
 public:
  choices(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  std::size_t below(std::size_t n) { return at_ == end_ ? 0 : *at_++ % n; }
  // About half of what is left, or all of it; keys from a small or a large set.
  numbers some(bool all) {
    const std::size_t range = below(2) == 0 ? 4 : 256;
    const auto left = static_cast<std::size_t>(end_ - at_);
    numbers made(all ? left : left / 2);
    for (int& x : made) x = static_cast<int>(below(range));
    return made;
  }

 private:
  const std::uint8_t *at_, *end_;
};

inline const char* running = "";
inline void must(bool same) {
  if (same) return;
  std::fprintf(stderr, "fuzz: heist::%s differs from the standard's\n", running);
  std::abort();
}

// What befalls the n-th call of a predicate: nothing, an exception, or a stop of the strand that the algorithm runs in.
struct mishap {};
struct fate {
  std::atomic<long> left{-1};
  bool throws = false;
  std::stop_source stop;
};
inline fate* befalls = nullptr;
inline void strain() {
  if (befalls == nullptr || befalls->left.fetch_sub(1, std::memory_order_relaxed) != 0) return;
  if (befalls->throws) throw mishap();
  befalls->stop.request_stop();
}

struct input {
  numbers v, w, sorted_v, sorted_w;
  items tagged;
  std::size_t middle;  // a place in v
  int value;
  heist::grain grain;
};
inline bool odd(int x) { return strain(), x % 2 != 0; }
inline bool odd_key(const item& x) { return odd(x.key); }
inline numbers room(const input& in) { return numbers(in.v.size() + in.w.size(), -1); }

// What both write to `room`, and how far.
template <class Ours, class Theirs>
void same_output(const input& in, const Ours& ours, const Theirs& theirs) {
  numbers a = room(in), b = room(in);
  const auto end_a = ours(a.begin()) - a.begin();
  const auto end_b = theirs(b.begin()) - b.begin();
  must(end_a == end_b && std::equal(a.begin(), a.begin() + end_a, b.begin()));
}
// What both make of a copy of v.
template <class Ours, class Theirs>
void same_change(const input& in, const Ours& ours, const Theirs& theirs) {
  numbers a = in.v, b = in.v;
  ours(a);
  theirs(b);
  must(a == b);
}

struct algorithm {
  const char* name;
  void (*check)(const input&);
};
namespace ranges = std::ranges;

// The table of rest.cpp.
std::span<const algorithm> the_rest();

}  // namespace heist_fuzz

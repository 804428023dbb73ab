// For each place of a text: the longest substring that begins there and occurs somewhere else too, as oneTBB programs write
// loops. The longest of all is found by parallel_reduce with a body, and the places in its order by parallel_sort.
#include "tests/tbb/moved/tbb.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace {

// Each word is the two before it.
std::string text_of(int rounds) {
  std::string before = "a", now = "b";
  for (int i = 0; i < rounds; ++i) {
    std::string next = now + before;
    before = std::move(now);
    now = std::move(next);
  }
  return now;
}

class longest_matches {
 public:
  longest_matches(const std::string& text, std::vector<std::size_t>& length, std::vector<std::size_t>& place)
      : text_(text), length_(length), place_(place) {}

  void operator()(const tbb::blocked_range<std::size_t>& r) const {
    for (std::size_t i = r.begin(); i != r.end(); ++i) {
      std::size_t best = 0, best_place = 0;
      for (std::size_t j = 0; j < text_.size(); ++j) {
        if (j == i) continue;
        const std::size_t limit = text_.size() - std::max(i, j);
        std::size_t n = 0;
        while (n < limit && text_[i + n] == text_[j + n]) ++n;
        if (n > best) best = n, best_place = j;
      }
      length_[i] = best;
      place_[i] = best_place;
    }
  }

 private:
  const std::string& text_;
  std::vector<std::size_t>& length_;
  std::vector<std::size_t>& place_;
};

class first_longest {
 public:
  explicit first_longest(const std::vector<std::size_t>& length) : length_(length) {}
  first_longest(first_longest& other, tbb::split) : length_(other.length_) {}

  void operator()(const tbb::blocked_range<std::size_t>& r) {
    for (std::size_t i = r.begin(); i != r.end(); ++i) consider(i);
  }
  void join(const first_longest& right) {
    if (right.any_) consider(right.at);
  }

  std::size_t at = 0;

 private:
  void consider(std::size_t i) {
    if (!any_ || length_[i] > length_[at] || (length_[i] == length_[at] && i < at)) at = i;
    any_ = true;
  }

  const std::vector<std::size_t>& length_;
  bool any_ = false;
};

}  // namespace

int main() {
  tbb::global_control at_most(tbb::global_control::max_allowed_parallelism, 4);
  const std::string text = text_of(13);
  std::vector<std::size_t> length(text.size()), place(text.size()), order(text.size());

  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, text.size(), 16), longest_matches(text, length, place));
  first_longest longest(length);
  tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, text.size()), longest, tbb::auto_partitioner());
  tbb::parallel_for(std::size_t{0}, text.size(), [&](std::size_t i) { order[i] = i; });
  tbb::parallel_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return length[a] != length[b] ? length[a] > length[b] : a < b;
  });
  const std::size_t sum = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, text.size()), std::size_t{0},
      [&](const tbb::blocked_range<std::size_t>& r, std::size_t so_far) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) so_far += length[i];
        return so_far;
      },
      std::plus<>());

  std::printf("%zu letters; the longest that occurs twice has %zu, at %zu and at %zu; together %zu\n", text.size(),
              length[longest.at], longest.at, place[longest.at], sum);
  for (std::size_t k = 0; k < 5; ++k) std::printf("%zu: %zu\n", order[k], length[order[k]]);
}

#pragma once
// A sparse matrix, row by row, that is multiplied with a vector again and again. Its rows have 1 to 31 entries near the
// diagonal, and are scaled so that the vector neither grows nor vanishes.

#include <heist/base/random.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace locality {

class sparse {
 public:
  explicit sparse(std::size_t rows) : begins_(1), now_(rows, 1.), next_(rows) {
    heist::detail::random dice(7);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t entries = 1 + dice.below(31);
      for (std::size_t e = 0; e < entries; ++e) {
        const std::size_t near = i + dice.below(2'000);
        columns_.push_back(static_cast<std::uint32_t>(std::min(near > 1'000 ? near - 1'000 : 0, rows - 1)));
        values_.push_back(1. / static_cast<double>(entries));
      }
      begins_.push_back(columns_.size());
    }
  }

  std::size_t rows() const { return now_.size(); }

  void row(std::size_t i) {
    double sum = 0;
    for (std::size_t e = begins_[i]; e < begins_[i + 1]; ++e) sum += values_[e] * now_[columns_[e]];
    next_[i] = sum;
  }
  void end_step() { std::swap(now_, next_); }
  // Each row's entries add up to one, and so the vector of ones stays what it is.
  bool holds() const {
    return std::all_of(now_.begin(), now_.end(), [](double x) { return x > 0.999 && x < 1.001; });
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_, now_, next_;
};

}  // namespace locality

#pragma once
// Ranges that split themselves, and how far they are split.

#include <heist/base/export.hpp>
#include <heist/pool.hpp>
#include <heist/sched/hunger.hpp>

#include <bit>
#include <cstddef>
#include <iterator>
#include <type_traits>

HEIST_BEGIN

namespace heist::tbb {

// Selects the constructor that splits its argument.
struct HEIST_TYPE split {};
struct HEIST_TYPE proportional_split {
  std::size_t left_part = 1, right_part = 1;

  HEIST_OWN std::size_t left() const noexcept { return left_part; }
  HEIST_OWN std::size_t right() const noexcept { return right_part; }
  HEIST_OWN explicit operator split() const noexcept { return {}; }
};

// [begin, end) of integers, pointers or iterators.
template <class Value>
class HEIST_TYPE blocked_range {
 public:
  using const_iterator = Value;
  using size_type = std::size_t;

  HEIST_OWN blocked_range() = default;
  HEIST_OWN blocked_range(Value begin, Value end, size_type grainsize = 1)
      : end_(end), begin_(begin), grainsize_(grainsize > 0 ? grainsize : 1) {}
  HEIST_OWN blocked_range(blocked_range& r, split) : blocked_range(r, r.size() / 2) {}
  HEIST_OWN blocked_range(blocked_range& r, proportional_split p)
      : blocked_range(r, r.size() - r.size() / (p.left() + p.right()) * p.right()) {}

  HEIST_OWN const_iterator begin() const { return begin_; }
  HEIST_OWN const_iterator end() const { return end_; }
  HEIST_OWN size_type size() const { return empty() ? 0 : static_cast<size_type>(end_ - begin_); }
  HEIST_OWN size_type grainsize() const noexcept { return grainsize_; }
  HEIST_OWN bool empty() const { return !(begin_ < end_); }
  HEIST_OWN bool is_divisible() const { return grainsize_ < size(); }

  // Part of it: [first, last), counted from its beginning.
  HEIST_OWN blocked_range part(size_type first, size_type last) const {
    return blocked_range(advance(begin_, first), advance(begin_, last), grainsize_);
  }

 private:
  // Takes what is behind the first n.
  HEIST_OWN blocked_range(blocked_range& r, size_type n) : end_(r.end_), begin_(advance(r.begin_, n)), grainsize_(r.grainsize_) {
    r.end_ = begin_;
  }
  HEIST_OWN static Value advance(Value from, size_type n) {
    if constexpr (std::is_integral_v<Value>)
      return static_cast<Value>(from + static_cast<Value>(n));
    else
      return from + static_cast<std::iter_difference_t<Value>>(n);
  }

  Value end_{}, begin_{};
  size_type grainsize_ = 1;
};

// Splits the dimension that is longest, measured in its grains.
template <class RowValue, class ColValue = RowValue>
class HEIST_TYPE blocked_range2d {
 public:
  using row_range_type = blocked_range<RowValue>;
  using col_range_type = blocked_range<ColValue>;

  HEIST_OWN blocked_range2d(RowValue row_begin, RowValue row_end, ColValue col_begin, ColValue col_end)
      : rows_(row_begin, row_end), cols_(col_begin, col_end) {}
  HEIST_OWN blocked_range2d(RowValue row_begin, RowValue row_end, std::size_t row_grain, ColValue col_begin, ColValue col_end,
                            std::size_t col_grain)
      : rows_(row_begin, row_end, row_grain), cols_(col_begin, col_end, col_grain) {}
  HEIST_OWN blocked_range2d(blocked_range2d& r, split s) : rows_(r.rows_), cols_(r.cols_) {
    if (grains(rows_) < grains(cols_))
      cols_ = col_range_type(r.cols_, s);
    else
      rows_ = row_range_type(r.rows_, s);
  }
  HEIST_OWN blocked_range2d(blocked_range2d& r, proportional_split) : blocked_range2d(r, split()) {}

  HEIST_OWN const row_range_type& rows() const noexcept { return rows_; }
  HEIST_OWN const col_range_type& cols() const noexcept { return cols_; }
  HEIST_OWN bool empty() const { return rows_.empty() || cols_.empty(); }
  HEIST_OWN bool is_divisible() const { return rows_.is_divisible() || cols_.is_divisible(); }

 private:
  template <class R>
  HEIST_OWN static double grains(const R& r) {
    return static_cast<double>(r.size()) / static_cast<double>(r.grainsize());
  }

  row_range_type rows_;
  col_range_type cols_;
};

template <class PageValue, class RowValue = PageValue, class ColValue = RowValue>
class HEIST_TYPE blocked_range3d {
 public:
  using page_range_type = blocked_range<PageValue>;
  using row_range_type = blocked_range<RowValue>;
  using col_range_type = blocked_range<ColValue>;

  HEIST_OWN blocked_range3d(PageValue page_begin, PageValue page_end, RowValue row_begin, RowValue row_end, ColValue col_begin,
                            ColValue col_end)
      : pages_(page_begin, page_end), rows_(row_begin, row_end), cols_(col_begin, col_end) {}
  HEIST_OWN blocked_range3d(PageValue page_begin, PageValue page_end, std::size_t page_grain, RowValue row_begin,
                            RowValue row_end, std::size_t row_grain, ColValue col_begin, ColValue col_end, std::size_t col_grain)
      : pages_(page_begin, page_end, page_grain), rows_(row_begin, row_end, row_grain), cols_(col_begin, col_end, col_grain) {}
  HEIST_OWN blocked_range3d(blocked_range3d& r, split s) : pages_(r.pages_), rows_(r.rows_), cols_(r.cols_) {
    const double pages = grains(pages_), rows = grains(rows_), cols = grains(cols_);
    if (pages >= rows && pages >= cols)
      pages_ = page_range_type(r.pages_, s);
    else if (rows >= cols)
      rows_ = row_range_type(r.rows_, s);
    else
      cols_ = col_range_type(r.cols_, s);
  }
  HEIST_OWN blocked_range3d(blocked_range3d& r, proportional_split) : blocked_range3d(r, split()) {}

  HEIST_OWN const page_range_type& pages() const noexcept { return pages_; }
  HEIST_OWN const row_range_type& rows() const noexcept { return rows_; }
  HEIST_OWN const col_range_type& cols() const noexcept { return cols_; }
  HEIST_OWN bool empty() const { return pages_.empty() || rows_.empty() || cols_.empty(); }
  HEIST_OWN bool is_divisible() const { return pages_.is_divisible() || rows_.is_divisible() || cols_.is_divisible(); }

 private:
  template <class R>
  HEIST_OWN static double grains(const R& r) {
    return static_cast<double>(r.size()) / static_cast<double>(r.grainsize());
  }

  page_range_type pages_;
  row_range_type rows_;
  col_range_type cols_;
};

// simple: split as far as the range allows. The others: as far as workers need it; affinity is not remembered.
struct HEIST_TYPE simple_partitioner {};
struct HEIST_TYPE auto_partitioner {};
struct HEIST_TYPE static_partitioner {};
class HEIST_TYPE affinity_partitioner {};

}  // namespace heist::tbb

namespace heist::detail {

template <class P>
concept partitioner = std::is_same_v<std::remove_cvref_t<P>, tbb::simple_partitioner> ||
                      std::is_same_v<std::remove_cvref_t<P>, tbb::auto_partitioner> ||
                      std::is_same_v<std::remove_cvref_t<P>, tbb::static_partitioner> ||
                      std::is_same_v<std::remove_cvref_t<P>, tbb::affinity_partitioner>;

// How many times in a row a range may be split.
inline constexpr unsigned any_depth = ~0u;
template <class P>
unsigned depth_for() {
  if constexpr (std::is_same_v<std::remove_cvref_t<P>, tbb::simple_partitioner>)
    return any_depth;
  else
    return static_cast<unsigned>(std::bit_width(splits_by_count() ? 8 : workers_here())) + 4;
}

template <class R>
inline constexpr bool is_blocked_range = false;
template <class V>
inline constexpr bool is_blocked_range<tbb::blocked_range<V>> = true;

}  // namespace heist::detail

HEIST_END

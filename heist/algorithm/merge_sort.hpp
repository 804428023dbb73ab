#pragma once
// Merge sort with a parallel merge and one buffer. If a comparison throws, all elements are moved
// back first.

#include <heist/algorithm/buffer.hpp>
#include <heist/algorithm/first_failure.hpp>
#include <heist/algorithm/merge_runs.hpp>
#include <heist/algorithm/small_sort.hpp>
#include <heist/base/export.hpp>
#include <heist/sched/fork.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <tuple>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// Work n lg n, span lg³ n, besides a grain.
template <class Less, class How>
class merge_sorter {
 public:
  merge_sorter(Less& less, const How& how) noexcept : less_(less), how_(how), merger_(less, how, failure_) {}

  // Where the result must be.
  enum class place : unsigned char { here, there };

  // Sorts the n elements at `here`, the range's from index `first` on; `there` has room for as many. Returns what was
  // thrown first: then they are in the wanted place, in some order. What comes after a failure is not sorted any more.
  template <class Here, class There>
  [[gnu::noinline]] std::exception_ptr sort(Here here, There there, std::size_t n, place wanted, std::size_t first = 0) {
    if (failure_.is_before(first)) {
      if (wanted == place::there) merger_.bring(run<Here>{here, n}, there);
      return nullptr;
    }
    if (n <= insertion_sort_size) return noted(sort_small(here, there, n, wanted), first);
    const std::size_t half = n / 2;
    const place other = wanted == place::here ? place::there : place::here;
    auto low = [=, this] { return sort(here, there, half, other, first); };
    auto high = [=, this] { return sort(detail::at(here, half), detail::at(there, half), n - half, other, first + half); };
    std::exception_ptr failed = n > how_.grain() ? first_of(how_.fork(low, high)) : first_of({low(), high()});
    if (wanted == place::here)
      combine(there, here, n, half, failed, first);
    else
      combine(here, there, n, half, failed, first);
    return noted(std::move(failed), first);
  }

 private:
  // Tells the others what failed, by where it began.
  std::exception_ptr noted(std::exception_ptr failed, std::size_t first) noexcept {
    if (failed) failure_.note(first);
    return failed;
  }

  static std::exception_ptr first_of(std::tuple<std::exception_ptr, std::exception_ptr> both) {
    auto& [left, right] = both;
    return left ? std::move(left) : std::move(right);
  }

  template <class Here, class There>
  std::exception_ptr sort_small(Here here, There there, std::size_t n, place wanted) {
    std::exception_ptr failed;
    try {
      how_.check();
      detail::insertion_sort(here, detail::at(here, n), less_);
    } catch (...) {
      failed = carry_exception();
    }
    if (wanted == place::there) merger_.bring(run<Here>{here, n}, there);
    return failed;
  }

  template <class From, class To>
  [[gnu::noinline]] void combine(From from, To to, std::size_t n, std::size_t half, std::exception_ptr& failed,
                                 std::size_t first) {
    const run<From> a{from, half}, b{detail::at(from, half), n - half};
    const order found = failed || failure_.is_before(first) ? order::right : order_of(a, b, failed);
    if (found == order::mixed) {
      failed = merger_.merge(a, b, to, first);
    } else {
      merger_.bring(a, found == order::right ? to : detail::at(to, n - half));
      merger_.bring(b, found == order::right ? detail::at(to, half) : to);
    }
  }

  // How two runs compare: already in order, the other way round, or mixed.
  enum class order : unsigned char { right, reversed, mixed };

  template <class I>
  order order_of(run<I> a, run<I> b, std::exception_ptr& failed) {
    try {
      if (!less_(*b.first, *(a.end() - 1))) return order::right;
      return less_(*(b.end() - 1), *a.first) ? order::reversed : order::mixed;
    } catch (...) {
      failed = carry_exception();
      return order::right;
    }
  }

  Less& less_;
  const How& how_;
  first_failure failure_;
  merger<moving, Less, How> merger_;
};

template <class I, class Less, class How>
void merge_sort(I first, std::size_t n, Less& less, const How& how) {
  if (n <= insertion_sort_size) return detail::insertion_sort(first, detail::at(first, n), less);
  using value = std::iter_value_t<I>;
  merge_sorter<Less, How> sorter(less, how);
  using place = typename merge_sorter<Less, How>::place;
  buffer<value, How> room(how, n);
  std::exception_ptr failed;
  if constexpr (needs_no_construction<value>) {
    failed = sorter.sort(first, room.begin(), n, place::here);
  } else {
    // The buffer's elements must exist before they can be assigned to, so all elements move there
    // first.
    const std::size_t piece = how.grain();
    auto start = [n, piece](std::size_t k) { return std::min(n, k * piece); };
    room.fill(0, (n + piece - 1) / piece, start, [&](std::size_t k, auto& add) {
      for (I i = detail::at(first, start(k)), end = detail::at(first, start(k + 1)); i != end; ++i)
        add(std::ranges::iter_move(i));
    });
    failed = sorter.sort(room.begin(), first, n, place::there);
  }
  if (failed) std::rethrow_exception(std::move(failed));
}

}  // namespace heist::detail

HEIST_END

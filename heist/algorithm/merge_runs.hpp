#pragma once
// Merges two sorted runs in parallel. The longer one is split at its middle, the other one where
// that element belongs. Each pair of parts is a merge of its own, of at most three quarters of the
// elements.

#include <heist/algorithm/first_failure.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/lookout.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/sched/fork.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// b if `second`, else a. Without a branch where the elements are plain values in memory: clang makes
// a branch of ?: if the result is an address that is read next.
template <class I>
HEIST_INLINE auto one_of(bool second, const I& b, const I& a) {
#if defined(__clang__)
  if constexpr (std::contiguous_iterator<I> && std::is_trivially_copyable_v<std::iter_value_t<I>>) {
    const auto at_a = reinterpret_cast<std::uintptr_t>(std::to_address(a));
    const auto at_b = reinterpret_cast<std::uintptr_t>(std::to_address(b));
    std::uintptr_t mask = std::uintptr_t{0} - static_cast<std::uintptr_t>(second);
    asm("" : "+r"(mask));  // it sees through the mask as well
    return reinterpret_cast<decltype(std::to_address(a))>(at_a ^ ((at_a ^ at_b) & mask));
  } else {
    return second ? b : a;
  }
#else
  return second ? b : a;
#endif
}

// How elements are transferred, and what happens to the rest if a comparison throws.
struct copying {
  static constexpr bool delivers_all = false;
  template <class From, class To>
  static void one(const From& from, const To& to) {
    *to = *from;
  }
};
// Nothing may be left behind: if a comparison throws, all elements are moved, in some order, and
// the exception is returned.
struct moving {
  static constexpr bool delivers_all = true;
  template <class From, class To>
  static void one(const From& from, const To& to) {
    *to = std::ranges::iter_move(from);
  }
};

template <class I>
struct run {
  I first;
  std::size_t size;

  I begin() const { return first; }
  I end() const { return detail::at(first, size); }
  run head(std::size_t n) const { return {first, n}; }
  run tail(std::size_t from) const { return {detail::at(first, from), size - from}; }
};

// `less(b, a)` compares an element of the second run with one of the first. Stable: of equals, the first run's come
// first. Work n, span lg² n, besides a grain.
template <class Transfer, class Less, class How>
class merger {
 public:
  merger(Less& less, const How& how, first_failure& failure) noexcept : less_(less), how_(how), failure_(failure) {}

  // The result begins at index `place` of what the call writes.
  template <class A, class B, class Out>
  [[gnu::noinline]] std::exception_ptr merge(run<A> a, run<B> b, Out out, std::size_t place = 0) {
    // With at least three elements, both parts get some.
    if (a.size + b.size <= std::max<std::size_t>(how_.grain(), 2)) return merge_here(a, b, out, place);
    split s{};
    std::exception_ptr failed;
    try {
      if (wanted(place)) s = split_of(a, b);
    } catch (...) {
      if constexpr (!Transfer::delivers_all) throw;
      failed = noted(carry_exception(), place);
    }
    if (s.a + s.b == 0) {
      bring(a, out);
      bring(b, detail::at(out, a.size));
      return failed;
    }
    const std::size_t half = s.a + s.b;
    auto [left, right] = how_.fork([this, a, b, s, out, place] { return merge(a.head(s.a), b.head(s.b), out, place); },
                                   [this, a, b, s, out, place, half] {
                                     return merge(a.tail(s.a), b.tail(s.b), detail::at(out, half), place + half);
                                   });
    return left ? left : right;
  }

  // Transfers a whole run unchanged, also in parallel.
  template <class A, class Out>
  [[gnu::noinline]] void bring(run<A> a, Out out) {
    if (a.size <= how_.grain()) {
      bring_here(a.begin(), a.end(), out);
      return;
    }
    const std::size_t half = a.size / 2;
    how_.fork([=, this] { bring(a.head(half), out); }, [=, this] { bring(a.tail(half), detail::at(out, half)); });
  }

 private:
  struct split {
    std::size_t a, b;
  };

  // Whether what is written at `place` is still wanted. Throws if a stop was requested, or if a join knows of a failure
  // before it; where all elements must arrive, no join does.
  bool wanted(std::size_t place) const {
    how_.check();
    if constexpr (Transfer::delivers_all) return !failure_.is_before(place);
    return true;
  }
  std::exception_ptr noted(std::exception_ptr failed, std::size_t place) noexcept {
    failure_.note(place);
    return failed;
  }

  template <class A, class B>
  split split_of(run<A> a, run<B> b) {
    if (a.size >= b.size) {
      const A pivot = detail::at(a.first, a.size / 2);
      const B place = std::partition_point(b.begin(), b.end(), [&](auto&& x) { return less_(x, *pivot); });
      return {a.size / 2, static_cast<std::size_t>(place - b.first)};
    }
    const B pivot = detail::at(b.first, b.size / 2);
    const A place = std::partition_point(a.begin(), a.end(), [&](auto&& x) { return !less_(*pivot, x); });
    return {static_cast<std::size_t>(place - a.first), b.size / 2};
  }

  // What is left of both runs, and the gap it will fill.
  template <class A, class B, class Out>
  struct rest {
    A a, a_end;
    B b, b_end;
    Out out, out_end;

    // The smallest element to the front; an element of b if `second`. Written so that numbers need no branch.
    void to_front(bool second) {
      if constexpr (std::same_as<A, B>) {
        Transfer::one(detail::one_of(second, b, a), out);
        b += second;
        a += !second;
      } else if (second) {
        Transfer::one(b, out);
        ++b;
      } else {
        Transfer::one(a, out);
        ++a;
      }
      ++out;
    }
    // The largest to the back; one of a if `first`.
    void to_back(bool first) {
      --out_end;
      if constexpr (std::same_as<A, B>) {
        Transfer::one(detail::one_of(first, a_end, b_end) - 1, out_end);
        a_end -= first;
        b_end -= !first;
      } else if (first) {
        Transfer::one(a_end - 1, out_end);
        --a_end;
      } else {
        Transfer::one(b_end - 1, out_end);
        --b_end;
      }
    }
  };

  // From both ends at once: two chains of comparisons that do not wait for each other.
  template <class A, class B, class Out>
  [[gnu::noinline]] std::exception_ptr merge_here(run<A> a, run<B> b, Out out, std::size_t place) {
    rest<A, B, Out> r{a.begin(), a.end(), b.begin(), b.end(), out, detail::at(out, a.size + b.size)};
    std::exception_ptr failed;
    try {
      while (r.a != r.a_end && r.b != r.b_end && wanted(place)) {
        const auto pairs = std::min<std::ptrdiff_t>({r.a_end - r.a, r.b_end - r.b, elements_between_looks}) / 2;
        for (auto i = pairs; i > 0; --i) {
          r.to_front(less_(*r.b, *r.a));
          r.to_back(less_(*(r.b_end - 1), *(r.a_end - 1)));
        }
        if (pairs > 0) continue;
        // One element of a run is left.
        for (auto i = elements_between_looks; i > 0 && r.a != r.a_end && r.b != r.b_end; --i)
          r.to_front(less_(*r.b, *r.a));
      }
    } catch (...) {
      if constexpr (!Transfer::delivers_all) throw;
      failed = noted(carry_exception(), place);
    }
    bring_here(r.b, r.b_end, bring_here(r.a, r.a_end, r.out));
    return failed;
  }

  template <class A, class Out>
  [[gnu::noinline]] static Out bring_here(A a, A end, Out out) {
    for (; a != end; ++a, ++out) Transfer::one(a, out);
    return out;
  }

  Less& less_;
  const How& how_;
  first_failure& failure_;
};

}  // namespace heist::detail

HEIST_END

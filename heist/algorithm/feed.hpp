#pragma once
// Ranges that cannot be split: lists, maps, filters, streams. One strand walks through the range and
// fills batches; others work on them, each batch like a range with random access. What they make is
// taken in the order of the range. Only so many batches exist at a time.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/enter.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/base/cpu.hpp>
#include <heist/base/export.hpp>
#include <heist/limit.hpp>
#include <heist/pool.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/hunger.hpp>
#include <heist/scope.hpp>
#include <heist/semaphore.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// An element that was made for its reader, who may move from it. (C++20's std::move_iterator has no
// random access.)
template <class T>
struct handed_over {
  using value = T;
  using reference = T&&;
  static reference at(T& x) noexcept { return std::move(x); }
};

// What a batch keeps: iterators if the range can be read again, else the elements themselves.
template <class I>
struct batch {
  using item = I;
  using place = batch_place<I, pointed_to<I>>;
  using look = place;  // to look at an element that is needed again

  static item keep(const I& i) { return i; }
  static place at(std::vector<item>& all, std::size_t k) { return place(all.data() + k); }
};
template <class I>
  requires(!std::forward_iterator<I>)
struct batch<I> {
  using item = std::iter_value_t<I>;
  static constexpr bool lasting = std::is_lvalue_reference_v<std::iter_reference_t<I>>;
  using kept = std::conditional_t<std::is_const_v<std::remove_reference_t<std::iter_reference_t<I>>>, const item, item>;
  using place = std::conditional_t<lasting, kept*, batch_place<item, handed_over<item>>>;
  using look = std::conditional_t<lasting, place, const item*>;

  static item keep(const I& i) {
    if constexpr (std::constructible_from<item, std::iter_reference_t<I>>)
      return static_cast<item>(*i);
    else
      return static_cast<item>(std::ranges::iter_move(i));
  }
  static place at(std::vector<item>& all, std::size_t k) { return place(all.data() + k); }
};
// What the algorithms work on instead.
template <class I>
using fed_place = typename batch<I>::place;

// The same for any range: its own iterators and its end, or those of batches.
template <class I, class S, bool fed = is_fed<I, S>>
struct split_ends {
  using place = I;
  using end = S;
};
template <class I, class S>
struct split_ends<I, S, true> {
  using place = fed_place<I>;
  using end = fed_place<I>;
};
template <class I, class S>
using split_place = typename split_ends<I, S>::place;
template <class I, class S>
using split_end = typename split_ends<I, S>::end;

// What has been fed and is not taken yet, by the number of its batch.
template <class Result, class Take>
class feeding {
 public:
  feeding(std::size_t most, Take& take) : done_(most), room_(static_cast<std::ptrdiff_t>(most)), take_(take) {}

  // Waits until fewer batches than allowed are under way.
  void make_room() { room_.acquire(); }
  // Nothing after this matters any more.
  bool over() const noexcept { return over_.load(std::memory_order_relaxed); }
  // The first failure in the order of the range. After the last batch.
  const std::exception_ptr& failure() const noexcept { return failure_; }

  // Calls work(), and takes its result when it is the next; or leaves it to whoever takes the one before.
  template <class Work>
  void run(std::size_t number, Work&& work) noexcept {
    outcome mine;
    try {
      if (!over()) mine.result.emplace(work());
    } catch (...) {
      mine.failure = carry_exception();
    }
    std::unique_lock lock(mutex_);
    if (number != next_) {
      mine.ready = true;
      slot(number) = std::move(mine);
      return;
    }
    for (bool more = true; more; lock.lock()) {
      lock.unlock();
      take_one(mine);
      lock.lock();
      ++next_;
      more = slot(next_).ready;
      if (more) mine = std::exchange(slot(next_), outcome());
      lock.unlock();
      room_.release();  // not before: the slot of the batch that comes in its place is this one's
    }
  }

 private:
  struct HEIST_VERSIONED outcome {
    std::optional<Result> result;
    std::exception_ptr failure;
    bool ready = false;
  };

  outcome& slot(std::size_t number) noexcept { return done_[number % done_.size()]; }

  // One strand at a time: the one whose batch is next. A batch that was stopped yields to a failure in a later one.
  void take_one(outcome& of) noexcept {
    if (over() && !(stopped_ && of.failure)) return;
    try {
      if (of.failure) std::rethrow_exception(of.failure);
      if (of.result && !take_(*std::move(of.result))) over_.store(true, std::memory_order_relaxed);
    } catch (...) {
      stopped_ = handles_cancelled();
      if (failure_ == nullptr || !stopped_) failure_ = carry_exception();
      over_.store(true, std::memory_order_relaxed);
    }
    of.result.reset();
  }

  std::mutex mutex_;
  std::vector<outcome> done_;
  std::size_t next_ = 0;
  counting_semaphore<> room_;
  std::atomic<bool> over_{false};
  std::exception_ptr failure_;
  bool stopped_ = false;  // failure_ is heist::cancelled
  Take& take_;
};

// How batches end: after a number of elements that depends on the batch alone, for what depends on
// where; or also when the range is slow, so that no element waits long.
enum class rhythm : unsigned char { fixed, prompt };

// Calls work(batch of items) for the whole range, possibly in parallel, and take(result) with the
// results in order, one at a time, until it returns false. Returns where the feeder stopped.
template <class I, class S, class Work, class Take, option... O>
I feed(I first, const S& last, rhythm how, Work&& work, Take&& take, const O&... o) {
  using item = typename batch<I>::item;
  using result = std::invoke_result_t<Work&, std::vector<item>&>;
  static constexpr std::size_t most_items = 1024;
  const options_of options(o...);
#if defined(HEIST_RACE)
  // The batches are parallel to each other; filling them and taking their results is the algorithm's own business.
  const race::algorithm own;
  for (std::size_t size = 1; first != last; size = std::min(2 * size, most_items)) {
    options.check();
    std::vector<item> items;
    std::exception_ptr stopped;
    try {
      for (; first != last && items.size() < size; ++first) items.push_back(batch<I>::keep(first));
    } catch (...) {
      stopped = carry_exception();
    }
    if (!items.empty()) {
      if (!take(detail::call_apart([&]() -> result { return work(items); }))) return first;
    }
    if (stopped) std::rethrow_exception(stopped);
  }
  static_cast<void>(how);
  return first;
#endif
  constexpr bool limited = options_of<O...>::has_limit;  // then a batch is one element, and counts as one body
  const auto whole = [&] {
    const bool by_count = splits_by_count();
    std::size_t most_batches = 4 * workers_here() + 4;
    if constexpr (limited) most_batches = std::max(most_batches, options.most_at_once());
    feeding<result, Take> books(most_batches, take);
    std::exception_ptr stopped;
    scope children = [&] {
      if constexpr (limited)
        return scope(limit{options.most_at_once()});
      else
        return scope();
    }();
    std::size_t size = 1;
    bool ended = false;
    for (std::size_t number = 0; !ended && !stopped && !books.over(); ++number) {
      try {
        options.check();
        std::vector<item> items;
        try {
          items.reserve(size);
          const std::uint64_t patience = 10 * ten_microseconds_in_ticks(), start = ticks();
          while (!(ended = first == last) && items.size() < size) {
            items.push_back(batch<I>::keep(first));
            ++first;
            if (how == rhythm::prompt && !by_count && ticks() - start > patience) break;
          }
        } catch (...) {
          stopped = carry_exception();  // what came before is still worked on: it may throw first
        }
        if (items.empty()) continue;
        books.make_room();
        children.spawn([&books, &work, number, all = std::move(items)]() mutable {
          books.run(number, [&] { return work(all); });
        });
      } catch (...) {
        stopped = carry_exception();
      }
      if constexpr (!limited) size = std::min(2 * size, most_items);
    }
    try {
      children.sync();
    } catch (...) {  // after a stop: batches that had not begun were skipped
      if (!stopped) stopped = carry_exception();
    }
    if (books.failure()) std::rethrow_exception(books.failure());
    if (stopped) std::rethrow_exception(stopped);
    if (!books.over()) options.check();
  };
  detail::until_stopped(options, [&] { in_a_pool(whole); });
  return first;
}

// For work that has no result.
struct nothing_made {};
inline constexpr auto take_nothing = [](nothing_made&&) noexcept { return true; };

// A batch as a range: calls f(first, last).
template <class I, class F>
decltype(auto) with_places(std::vector<typename batch<I>::item>& all, F&& f) {
  return f(batch<I>::at(all, 0), batch<I>::at(all, all.size()));
}

}  // namespace heist::detail

HEIST_END

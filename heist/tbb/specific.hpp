#pragma once
// enumerable_thread_specific and combinable: a value for each worker.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/per_worker.hpp>
#include <heist/tbb/ranges.hpp>

#include <compare>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::tbb {

enum ets_key_usage_type { ets_key_per_instance, ets_no_key, ets_suspend_aware };

// The values belong to workers, not to threads: a strand may be at another worker after a fork or a wait, so take local() again
// then. heist::per_worker checks that.
template <class T, class = void, ets_key_usage_type = ets_no_key>
class HEIST_TYPE enumerable_thread_specific {
  struct HEIST_OWN value final : detail::worker_value {
    template <class Make>
    explicit value(const Make& make) : it(make()) {}
    alignas(detail::cache_line) alignas(T) T it;
  };

  template <class Reference>
  class HEIST_OWN walker {
   public:
    using value_type = T;
    using reference = Reference;
    using pointer = std::remove_reference_t<Reference>*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    walker() = default;
    explicit walker(const detail::sole<detail::worker_value>* at) noexcept : at_(at) {}
    // A const_iterator from an iterator.
    template <class Other>
      requires(std::is_same_v<Reference, const T&> && std::is_same_v<Other, T&>)
    walker(const walker<Other>& other) noexcept : at_(other.at_) {}  // NOLINT(google-explicit-constructor)
    reference operator*() const { return static_cast<value&>(**at_).it; }
    pointer operator->() const { return &**this; }
    reference operator[](difference_type n) const { return *(*this + n); }
    walker& operator++() { return ++at_, *this; }
    walker operator++(int) { return walker(at_++); }
    walker& operator--() { return --at_, *this; }
    walker operator--(int) { return walker(at_--); }
    walker& operator+=(difference_type n) { return at_ += n, *this; }
    walker& operator-=(difference_type n) { return at_ -= n, *this; }
    friend walker operator+(walker w, difference_type n) { return w += n; }
    friend walker operator+(difference_type n, walker w) { return w += n; }
    friend walker operator-(walker w, difference_type n) { return w -= n; }
    friend difference_type operator-(const walker& a, const walker& b) { return a.at_ - b.at_; }
    friend auto operator<=>(const walker&, const walker&) = default;

   private:
    template <class Other>
    friend class walker;
    const detail::sole<detail::worker_value>* at_ = nullptr;
  };

 public:
  using value_type = T;
  using reference = T&;
  using const_reference = const T&;
  using size_type = std::size_t;
  using iterator = walker<T&>;
  using const_iterator = walker<const T&>;
  using range_type = blocked_range<iterator>;
  using const_range_type = blocked_range<const_iterator>;

  HEIST_OWN ~enumerable_thread_specific() = default;
  HEIST_OWN enumerable_thread_specific()
    requires std::is_default_constructible_v<T>
      : make_([] { return T(); }) {}
  // A function that makes a value, a value to copy, or arguments for one.
  template <class... X>
    requires(sizeof...(X) > 0 &&
             !(sizeof...(X) == 1 && (std::is_same_v<std::remove_cvref_t<X>, enumerable_thread_specific> && ...)))
  HEIST_OWN explicit enumerable_thread_specific(X&&... x) {
    if constexpr (sizeof...(X) == 1 && (std::is_invocable_r_v<T, std::decay_t<X>&> && ...))
      make_ = std::function<T()>(std::forward<X>(x)...);
    else
      make_ = [... kept = std::decay_t<X>(std::forward<X>(x))] { return T(kept...); };
  }

  // When nobody uses a value of either. A copy has a copy of each worker's value, for the same worker.
  HEIST_OWN enumerable_thread_specific(const enumerable_thread_specific& other) : make_(other.make_) {
    const auto copy = [](const detail::worker_value& of) {
      return detail::sole<detail::worker_value>(new value([&of]() -> const T& { return static_cast<const value&>(of).it; }));
    };
    values_.assign(other.values_, copy);
  }
  // What is left has no values, and makes them in the same way.
  HEIST_OWN enumerable_thread_specific(enumerable_thread_specific&& other) : make_(other.make_) { values_.swap(other.values_); }
  HEIST_OWN enumerable_thread_specific& operator=(const enumerable_thread_specific& other) {
    enumerable_thread_specific copy(other);
    swap(copy);
    return *this;
  }
  HEIST_OWN enumerable_thread_specific& operator=(enumerable_thread_specific&& other) {
    enumerable_thread_specific taken(std::move(other));
    swap(taken);
    return *this;
  }
  HEIST_OWN void swap(enumerable_thread_specific& other) noexcept {
    make_.swap(other.make_);
    values_.swap(other.values_);
  }

  HEIST_OWN reference local() {
    bool exists = false;
    return local(exists);
  }
  HEIST_OWN reference local(bool& exists) {
    detail::worker_value* v = values_.find();
    exists = v != nullptr;
    if (v == nullptr) v = &values_.add(detail::sole<detail::worker_value>(new value(make_)));
    return static_cast<value&>(*v).it;
  }

  HEIST_OWN size_type size() const noexcept { return values_.all().size(); }
  HEIST_OWN bool empty() const noexcept { return size() == 0; }
  HEIST_OWN iterator begin() { return iterator(values_.all().data()); }
  HEIST_OWN iterator end() { return iterator(values_.all().data() + size()); }
  HEIST_OWN const_iterator begin() const { return const_iterator(values_.all().data()); }
  HEIST_OWN const_iterator end() const { return const_iterator(values_.all().data() + size()); }
  // What a parallel loop over all values takes.
  HEIST_OWN range_type range(size_type grainsize = 1) { return range_type(begin(), end(), grainsize); }
  HEIST_OWN const_range_type range(size_type grainsize = 1) const { return const_range_type(begin(), end(), grainsize); }
  HEIST_OWN void clear() noexcept { values_.clear(); }

  // op(op(first, second), …); a fresh value if there is none.
  template <class Op>
  HEIST_OWN T combine(Op op) {
    if (empty()) return make_();
    iterator i = begin();
    T sum = *i;
    while (++i != end()) sum = op(sum, *i);
    return sum;
  }
  template <class F>
  HEIST_OWN void combine_each(F f) {
    for (T& x : *this) f(x);
  }

 private:
  std::function<T()> make_;
  detail::worker_values values_;
};

template <class T>
class HEIST_TYPE combinable {
 public:
  HEIST_OWN ~combinable() = default;
  HEIST_OWN combinable() = default;
  template <class F>
    requires(std::is_invocable_r_v<T, F&>)
  HEIST_OWN explicit combinable(F make) : values_(std::move(make)) {}
  HEIST_OWN combinable(const combinable&) = default;
  HEIST_OWN combinable(combinable&&) = default;
  HEIST_OWN combinable& operator=(const combinable&) = default;
  HEIST_OWN combinable& operator=(combinable&&) = default;

  HEIST_OWN T& local() { return values_.local(); }
  HEIST_OWN T& local(bool& exists) { return values_.local(exists); }
  template <class Op>
  HEIST_OWN T combine(Op op) {
    return values_.combine(std::move(op));
  }
  template <class F>
  HEIST_OWN void combine_each(F f) {
    values_.combine_each(std::move(f));
  }
  HEIST_OWN void clear() noexcept { values_.clear(); }

 private:
  enumerable_thread_specific<T> values_;
};

}  // namespace heist::tbb

HEIST_END

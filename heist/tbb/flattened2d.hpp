#pragma once
// flattened2d: the elements of a container of containers, one after the other, such as what each worker has collected.

#include <heist/base/export.hpp>

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::tbb {

// The container must outlive it, and neither it nor those in it change meanwhile.
template <class Container>
class HEIST_TYPE flattened2d {
  using inner = std::remove_reference_t<decltype(*std::declval<Container&>().begin())>;

  template <class Outer, class Inner, class Reference>
  class HEIST_OWN walker {
   public:
    using value_type = typename std::remove_cv_t<inner>::value_type;
    using reference = Reference;
    using pointer = std::remove_reference_t<Reference>*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;

    walker() = default;
    walker(Outer at, Outer last) : at_(at), last_(last) {
      if (at_ == last_) return;
      in_ = at_->begin();
      skip_empty();
    }
    reference operator*() const { return *in_; }
    pointer operator->() const { return &**this; }
    walker& operator++() {
      ++in_;
      skip_empty();
      return *this;
    }
    walker operator++(int) {
      walker before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const walker& a, const walker& b) {
      return a.at_ == b.at_ && (a.at_ == a.last_ || a.in_ == b.in_);
    }

   private:
    void skip_empty() {
      while (in_ == at_->end()) {
        if (++at_ == last_) return;
        in_ = at_->begin();
      }
    }

    Outer at_{}, last_{};
    Inner in_{};  // if at_ is not last_
  };

 public:
  using value_type = typename std::remove_cv_t<inner>::value_type;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = value_type&;
  using const_reference = const value_type&;
  using iterator = walker<typename Container::iterator, typename inner::iterator, reference>;
  using const_iterator = walker<typename Container::const_iterator, typename inner::const_iterator, const_reference>;

  HEIST_OWN explicit flattened2d(const Container& all) : flattened2d(all, all.begin(), all.end()) {}
  HEIST_OWN flattened2d(const Container& all, typename Container::const_iterator first,
                        typename Container::const_iterator last)
      : all_(const_cast<Container*>(&all)), first_(first - all.begin()), last_(last - all.begin()) {}

  HEIST_OWN iterator begin() { return iterator(all_->begin() + first_, all_->begin() + last_); }
  HEIST_OWN iterator end() { return iterator(all_->begin() + last_, all_->begin() + last_); }
  HEIST_OWN const_iterator begin() const { return const_iterator(outer(first_), outer(last_)); }
  HEIST_OWN const_iterator end() const { return const_iterator(outer(last_), outer(last_)); }
  HEIST_OWN size_type size() const {
    size_type n = 0;
    for (auto i = outer(first_); i != outer(last_); ++i) n += i->size();
    return n;
  }

 private:
  HEIST_OWN typename Container::const_iterator outer(difference_type i) const {
    return std::as_const(*all_).begin() + i;
  }

  Container* all_;
  difference_type first_, last_;
};

template <class Container>
flattened2d<Container> flatten2d(const Container& all) {
  return flattened2d<Container>(all);
}
template <class Container>
flattened2d<Container> flatten2d(const Container& all, typename Container::const_iterator first,
                                 typename Container::const_iterator last) {
  return flattened2d<Container>(all, first, last);
}

}  // namespace heist::tbb

HEIST_END

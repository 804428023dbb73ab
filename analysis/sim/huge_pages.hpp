#pragma once
// An allocator for arrays that are large and visited at random: in huge pages, if the kernel has some. With ordinary ones
// each visit of a machine of 100,000 processors costs a walk through the page tables.

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace heist::analysis {

template <class T>
struct huge_pages {
  using value_type = T;

  huge_pages() = default;
  template <class U>
  huge_pages(const huge_pages<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = (n * sizeof(T) + page - 1) / page * page;
    if (n * sizeof(T) < page) return std::allocator<T>().allocate(n);
    void* const p = std::aligned_alloc(page, bytes);
    if (p == nullptr) throw std::bad_alloc();
    ::madvise(p, bytes, MADV_HUGEPAGE);  // if that is refused, the pages are ordinary ones
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t n) {
    if (n * sizeof(T) < page) return std::allocator<T>().deallocate(p, n);
    std::free(p);
  }
  friend bool operator==(const huge_pages&, const huge_pages&) { return true; }

 private:
  static constexpr std::size_t page = std::size_t{1} << 21;
};

template <class T>
using huge_vector = std::vector<T, huge_pages<T>>;

}  // namespace heist::analysis

#pragma once
// Memory of the detector's own: from the C library directly, past what the detector puts before malloc. What
// is allocated here is not judged.

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

extern "C" {
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void* __libc_memalign(std::size_t, std::size_t) noexcept;
void __libc_free(void*) noexcept;
}

namespace heist::race {

template <class T>
struct own_memory {
  using value_type = T;
  own_memory() noexcept = default;
  template <class U>
  own_memory(const own_memory<U>&) noexcept {}

  T* allocate(std::size_t n) {
    void* const p = __libc_malloc(n * sizeof(T));
    if (p == nullptr) std::abort();
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) noexcept { __libc_free(p); }
  friend bool operator==(const own_memory&, const own_memory&) noexcept { return true; }
};

template <class T>
using own_vector = std::vector<T, own_memory<T>>;
template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
using own_map = std::unordered_map<K, V, Hash, Equal, own_memory<std::pair<const K, V>>>;
template <class K, class V>
using own_tree = std::map<K, V, std::less<K>, own_memory<std::pair<const K, V>>>;
template <class K>
using own_set = std::unordered_set<K, std::hash<K>, std::equal_to<K>, own_memory<K>>;
using own_string = std::basic_string<char, std::char_traits<char>, own_memory<char>>;

template <class T, class... A>
T* make(A&&... arguments) {
  return ::new (own_memory<T>().allocate(1)) T(std::forward<A>(arguments)...);
}
template <class T>
void destroy(T* p) noexcept {
  p->~T();
  __libc_free(p);
}

// An object that start() builds: code that is judged may run before the constructors of the detector's own files, and after
// their destructors.
template <class T>
union late {
  constexpr late() noexcept : none(0) {}
  constexpr ~late() {}
  void build() { ::new (&value) T; }

  char none;
  T value;
};

}  // namespace heist::race

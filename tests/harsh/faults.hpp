#pragma once
// A system that refuses: what heist asks of it goes through faults.cpp first, in a program that is linked with that.

#include <limits>

namespace faults {

enum class kind { mmap, madvise, mprotect, sigaltstack, pthread_create, operator_new, mmap_and_pthread_create };
inline constexpr kind all_kinds[] = {kind::mmap,
                                     kind::madvise,
                                     kind::mprotect,
                                     kind::sigaltstack,
                                     kind::pthread_create,
                                     kind::operator_new,
                                     kind::mmap_and_pthread_create};
const char* name(kind k) noexcept;

// From now on the first-th call of this kind is refused, and `more` after it.
void refuse(kind k, int first, int more) noexcept;
inline constexpr int ever_after = std::numeric_limits<int>::max();

// How many calls of that kind there were since then.
int calls() noexcept;
// From now on nothing is refused.
void relent() noexcept;

}  // namespace faults

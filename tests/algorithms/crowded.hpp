#pragma once
// A program's own functions, of names that heist uses, too: found by the type of the elements, or of the functions.

namespace crowded {

struct number {
  int value;
  friend bool operator<(const number& a, const number& b) { return a.value < b.value; }
  friend bool operator==(const number&, const number&) = default;
  friend number operator+(const number& a, const number& b) { return {a.value + b.value}; }
};

// Functions of a type of its own.
struct is_odd {
  bool operator()(const number& n) const { return n.value % 2 != 0; }
};
struct less {
  bool operator()(const number& a, const number& b) const { return a < b; }
};
struct plus {
  number operator()(const number& a, const number& b) const { return a + b; }
};

template <class... T>
void at(T&&...) = delete;
template <class... T>
void plain(T&&...) = delete;
template <class... T>
void length(T&&...) = delete;
template <class... T>
void loop(T&&...) = delete;
template <class... T>
void halve(T&&...) = delete;
template <class... T>
void work_on(T&&...) = delete;
template <class... T>
void work_through(T&&...) = delete;
template <class... T>
void look(T&&...) = delete;
template <class... T>
void look_on(T&&...) = delete;
template <class... T>
void first_place(T&&...) = delete;
template <class... T>
void first_difference(T&&...) = delete;
template <class... T>
void find_extremes(T&&...) = delete;
template <class... T>
void fold_in_lanes(T&&...) = delete;
template <class... T>
void fold_in_order(T&&...) = delete;
template <class... T>
void fold_leaves(T&&...) = delete;
template <class... T>
void scan_values(T&&...) = delete;
template <class... T>
void insert(T&&...) = delete;
template <class... T>
void insertion_sort(T&&...) = delete;
template <class... T>
void heap_sort(T&&...) = delete;
template <class... T>
void merge_sort(T&&...) = delete;
template <class... T>
void quick_sort(T&&...) = delete;
template <class... T>
void block_partition(T&&...) = delete;

}  // namespace crowded

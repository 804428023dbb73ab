#pragma once
// The names of the demo's programs, in the order in which they run; the command knows them by this file.

namespace demo {

inline constexpr const char *sum_name = "sum of 100 million", *merge_sort_name = "merge sort, 6 million",
                            *fib_name = "fib(38)", *queens_name = "13 queens",
                            *tree_search_name = "tree search, 7.7 million";

inline constexpr const char* names[] = {sum_name, merge_sort_name, fib_name, queens_name, tree_search_name};

}  // namespace demo

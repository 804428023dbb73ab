// The same by the standard library's parallel algorithms.

#include <algorithm>
#include <execution>
#include <numeric>
#include <string>
#include <vector>

void sort_ints(std::vector<int>& v) { std::sort(std::execution::par, v.begin(), v.end()); }
void sort_strings(std::vector<std::string>& v) { std::sort(std::execution::par, v.begin(), v.end()); }
void stable_sort_ints(std::vector<int>& v) { std::stable_sort(std::execution::par, v.begin(), v.end()); }
void stable_sort_strings(std::vector<std::string>& v) { std::stable_sort(std::execution::par, v.begin(), v.end()); }
double sum(const std::vector<double>& v) { return std::reduce(std::execution::par, v.begin(), v.end()); }

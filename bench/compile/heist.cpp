// Two sorts, two stable sorts and a sum by heist, to be compiled: see __main__.py.

#include <heist/heist.hpp>

#include <string>
#include <vector>

void sort_ints(std::vector<int>& v) { heist::sort(v); }
void sort_strings(std::vector<std::string>& v) { heist::sort(v); }
void stable_sort_ints(std::vector<int>& v) { heist::stable_sort(v); }
void stable_sort_strings(std::vector<std::string>& v) { heist::stable_sort(v); }
double sum(const std::vector<double>& v) { return heist::reduce(v, 0.0); }

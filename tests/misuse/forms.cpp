// Calls that fit no form of what they call: something is missing, too much, or in the wrong place.
// Only for alone.sh: of several calls of one function the compiler reports the first.
#include <heist/heist.hpp>

#include <functional>
#include <list>
#include <tuple>
#include <vector>

int main() {
  std::vector<int> v(10), w(10);
  std::list<int> list;
  heist::pool pool;
  auto f = [](int i) { return i; };
  int sum = 0;
  bool found = false;
  heist::for_each(v);                                        // refused: heist::for_each takes a range, or its two ends, and a function of an element
  heist::for_each(f, v);                                     // refused: heist::for_each takes a range, or its two ends, and a function of an element
  heist::for_each(v, f, f, f);                               // refused: heist::for_each takes a range, or its two ends, and a function of an element
  heist::for_each(v.begin(), 3, f);                          // refused: heist::for_each takes a range, or its two ends, and a function of an element
  heist::for_each(&v, f);                                    // refused: heist::for_each takes a range, or its two ends, and a function of an element
  heist::for_each(v, heist::grain{2}, f);                    // refused: heist::for_each takes a range, or its two ends, and a function of an element
  heist::for_each(heist::par, v, f);                         // refused: heist::for_each takes a range, or its two ends, and a function of an element
  heist::for_each_n(v, 3, f);                                // refused: heist::for_each_n takes an iterator, a number of elements, and a function of one
  heist::for_each_index(10, f);                              // refused: heist::for_each_index takes two integers, where to begin and where to end, and a function of one
  heist::for_each_index(v, f);                               // refused: heist::for_each_index takes two integers
  heist::for_each_index(0, 10, 2, f);                        // refused: heist::for_each_index takes two integers
  heist::for_each_index(0, 10, f, 16);                       // refused: heist::for_each_index takes two integers
  heist::for_each_chunk(v, f);                               // refused: heist::for_each_chunk takes a range, the length of a chunk, and a function of a chunk
  heist::transform(v, f);                                    // refused: heist::transform takes a range, or its two ends, or two of those, then an iterator to write to, and a function
  heist::transform(v.begin(), v.end(), f);                   // refused: heist::transform takes a range, or its two ends, or two of those
  sum = heist::reduce(5);                                    // refused: heist::reduce takes a range, or its two ends, then perhaps a first value, and an operation of two values
  sum = heist::reduce(v, 0, std::plus<>(), f, f);            // refused: heist::reduce takes a range, or its two ends, then perhaps a first value
  sum = heist::reduce(&v);                                   // refused: heist::reduce takes a range, or its two ends, then perhaps a first value
  sum = heist::transform_reduce(v, 0);                       // refused: heist::transform_reduce takes a range, or its two ends, a first value, an operation of two values, and a function of an element
  heist::inclusive_scan(v);                                  // refused: heist::inclusive_scan takes a range, or its two ends, and an iterator to write to
  heist::exclusive_scan(v, 0);                               // refused: heist::exclusive_scan takes a range, or its two ends, an iterator to write to, and a first value
  heist::sort();                                             // refused: heist::sort takes a range, or its two ends, then perhaps a comparison and a projection
  heist::sort(v.begin());                                    // refused: heist::sort takes a range, or its two ends, then perhaps a comparison and a projection
  heist::sort(v.begin(), 10);                                // refused: heist::sort takes a range, or its two ends, then perhaps a comparison and a projection
  heist::sort(v.begin(), list.end());                        // refused: heist::sort takes a range, or its two ends, then perhaps a comparison and a projection
  heist::stable_sort(&v);                                    // refused: heist::stable_sort takes a range, or its two ends
  heist::nth_element(v, 3);                                  // refused: heist::nth_element takes a range and an iterator into it, or three iterators
  heist::partial_sort(v, 3);                                 // refused: heist: this algorithm takes a range and an iterator into it, or three iterators
  std::ignore = heist::top_k(v);                                       // refused: heist::top_k and heist::kth take a range, or its two ends, and a number
  sum = heist::max(1, 2);                                    // refused: heist::min, heist::max and heist::minmax take a range, then perhaps a comparison; for two values there are std::min, std::max and std::minmax
  heist::merge(v, w);                                        // refused: heist::merge takes two ranges, or the two ends of each, and an iterator to write to
  heist::set_union(v, w);                                    // refused: heist: this algorithm takes two ranges, or the two ends of each, and an iterator to write to
  std::ignore = heist::search(v);                              // refused: heist: this algorithm takes two ranges, or the two ends of each, then perhaps a comparison
  found = heist::contains(v);                                // refused: heist: this algorithm takes a range, or its two ends, and a value
  found = heist::is_heap(1);                                 // refused: heist: this algorithm takes a range, or its two ends, then perhaps a comparison
  found = heist::is_partitioned(v);                          // refused: heist: this algorithm takes a range, or its two ends, and a predicate
  heist::copy(v);                                            // refused: heist::copy takes a range, or its two ends, and an iterator to write to
  heist::copy_n(v, 3);                                       // refused: heist::copy_n takes an iterator, a number of elements, and an iterator to write to
  heist::copy_if(v, f);                                      // refused: heist::copy_if takes a range, or its two ends, an iterator to write to, and a predicate
  heist::fill(v);                                            // refused: heist::fill takes a range, or its two ends, and a value
  heist::fill(v.begin(), 3);                                 // refused: heist::fill takes a range, or its two ends, and a value
  heist::fill_n(v, 3, 1);                                    // refused: heist::fill_n takes an iterator, a number of elements, and a value
  heist::generate(v);                                        // refused: heist::generate takes a range, or its two ends, and a function of an index, or of nothing
  found = heist::any_of(v);                                  // refused: heist::any_of takes a range, or its two ends, and a predicate
  found = heist::equal(v);                                   // refused: heist::equal takes two ranges, or the two ends of each
  std::ignore = heist::find(v);                               // refused: heist::find takes a range, or its two ends, and a value
  std::ignore = heist::find_if(v, f, f, f);                   // refused: heist::find_if takes a range, or its two ends, and a predicate
  std::ignore = heist::min_element();                         // refused: heist::min_element takes a range, or its two ends
  std::ignore = heist::count(v);                             // refused: heist::count takes a range, or its two ends, and a value
  std::ignore = heist::histogram(v);                           // refused: heist::histogram takes a range, or its two ends, and the number of bins
  std::ignore = heist::partition(v);                         // refused: heist::partition takes a range, or its two ends, and a predicate
  std::ignore = heist::unique();                                // refused: heist::unique takes a range, or its two ends
  heist::rotate(v, 3);                                       // refused: heist::rotate takes a range and an iterator into it, or three iterators
  heist::reverse();                                          // refused: heist::reverse takes a range, or its two ends
  heist::join();                                             // refused: heist::join takes two functions or more
  heist::scope of(pool);                                     // refused: heist::scope takes a std::stop_token, a heist::limit, or both; spawn from inside a pool to have its children there
  heist::scope four(4);                                      // refused: heist::scope takes a std::stop_token, a heist::limit, or both; spawn from inside a pool to have its children there
  heist::with_scope([](heist::scope&) {}, 4);                // refused: heist::with_scope takes a function of a heist::scope&, then perhaps a std::stop_token and a heist::limit
  heist::with_scope();                                       // refused: heist::with_scope takes a function of a heist::scope&
}

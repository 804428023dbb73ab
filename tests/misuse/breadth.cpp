// The algorithms of other headers refuse what they cannot work on by a sentence, too.
#include <heist/heist.hpp>

#include <iterator>
#include <list>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

struct blank {};

int main() {
  std::vector<int> v, w;
  std::vector<bool> packed;
  std::vector<blank> blanks;
  std::vector<std::unique_ptr<int>> owners;
  std::list<int> list;
  std::string text;
  const auto odd = [](int i) { return i % 2 != 0; };
  std::ignore = heist::search(v, blanks);                     // refused: heist: these elements cannot be compared by ==, or by the predicate
  std::ignore = heist::adjacent_find(blanks);                 // refused: heist: these elements cannot be compared by ==, or by the predicate
  std::ignore = heist::contains(v, blank());                  // refused: heist: these elements cannot be compared with the value by ==
  std::ignore = heist::find_last_if(v, [](blank) { return true; });  // refused: heist: the predicate cannot be called with these elements
  std::ignore = heist::is_heap(blanks);                       // refused: heist: the comparison cannot be called with these elements
  std::ignore = heist::min(owners);                           // refused: heist: min, max and minmax return a copy, and these elements cannot be copied
  heist::inclusive_scan(v, std::back_inserter(w));            // refused: heist: the output must be a random-access iterator
  heist::rotate(packed, packed.begin());                      // refused: heist: neighbours in a std::vector<bool> share a byte
  heist::partial_sort(list, list.begin());                    // refused: heist: the algorithms need random access
  heist::unique_copy(v, w);                                   // refused: heist: the output must be a random-access iterator
  heist::swap_ranges(v, owners);                              // refused: heist::swap_ranges: the elements cannot be swapped with each other
  heist::adjacent_difference(v, w.begin(), odd);              // refused: heist::adjacent_difference: the operation cannot be called with two elements
  heist::uninitialized_copy(blanks, v);                       // refused: heist: objects of the output cannot be made from these elements
  heist::uninitialized_fill(packed, true);                    // refused: heist: objects are made in memory
  std::ignore = heist::tabulate(3, [](blank) { return 1; });  // refused: heist::tabulate: the function cannot be called with an index
  std::ignore = heist::tabulate(1.5, odd);                    // refused: heist::tabulate: the number of elements must be an integer
  std::ignore = heist::to_vector(owners);                     // refused: heist: the elements cannot be copied into a vector
  std::ignore = heist::group_by(owners, [](const auto& p) { return *p; });  // refused: heist: the elements cannot be copied into groups
  std::ignore = heist::flatten(v);                            // refused: heist::flatten: the elements are no ranges
  std::ignore = heist::group_by(v, [](int) { return blank(); });  // refused: heist: keys need == and std::hash, or <, to be told apart
  std::ignore = heist::gather(v, std::vector<double>());      // refused: heist: the indices must be integers
  heist::for_each_pair(v, [](int&, int&) {});                 // refused: heist::for_each_pair: the function cannot be called with two elements
  heist::for_each_chunk(v, 3, [](blank) {});                  // refused: heist: the function must take a part of the range
  heist::for_each_index_2d(3, 3, [](int) {});                 // refused: heist: the function cannot be called with one index for each dimension
  std::istringstream stream;
  using words = std::istream_iterator<std::string>;
  std::ignore = heist::find(words(stream), words(), text);    // refused: heist: a range that can be read only once
  heist::for_each(words(stream), words(), [](blank) {});      // refused: heist: the function cannot be called with these elements
  heist::sort_by_cached_key(v, [](int) { return blank(); });  // refused: heist::sort_by_cached_key: the keys cannot be compared
}

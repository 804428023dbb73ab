// What cannot be sorted or filtered in parallel.
#include <heist/heist.hpp>

#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

int main() {
  std::vector<bool> packed;
  std::list<int> list;
  std::vector<int> v;
  const std::vector<long> fixed;
  std::vector<std::unique_ptr<int>> owners;
  auto odd = [](int i) { return i % 2 != 0; };
  heist::sort(packed);                                            // refused: share a byte and cannot be written in parallel
  std::ignore = heist::remove_if(list, odd);                                    // refused: the algorithms need random access
  heist::partition_copy(v, std::back_inserter(v), v.begin(), odd); // refused: heist: the output must be a random-access iterator
  heist::sort(fixed);                                             // refused: heist: the elements are const and cannot be changed
  heist::stable_sort(v, odd);                                     // refused: heist: the comparison cannot be called with these elements
  heist::merge(owners, owners, owners.begin(), std::less<>());    // refused: heist: the elements cannot be copied to the output
  heist::partition(v, [](const std::string&) { return true; });   // refused: heist: the predicate cannot be called with these elements
  std::ignore = heist::unique(v, [](const std::string&, int) { return true; }); // refused: heist: these elements cannot be compared by ==, or by the predicate
}

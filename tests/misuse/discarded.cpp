// What changes nothing, and what says where the rest ends, is not called for nothing.
#include <heist/heist.hpp>

#include <functional>
#include <vector>

int main() {
  std::vector<int> v(10);
  const auto odd = [](int i) { return i % 2 != 0; };
  heist::find(v, 1);                                       // refused: nodiscard
  heist::find(v.begin(), v.end(), 1);                      // refused: nodiscard
  heist::find_if(v, odd);                                  // refused: nodiscard
  heist::find_if(v.begin(), v.end(), odd, {});             // refused: nodiscard
  heist::any_of(v, odd);                                   // refused: nodiscard
  heist::all_of(v.begin(), v.end(), odd);                  // refused: nodiscard
  heist::none_of(v, odd);                                  // refused: nodiscard
  heist::mismatch(v, v);                                   // refused: nodiscard
  heist::mismatch(v.begin(), v.end(), v.begin(), v.end()); // refused: nodiscard
  heist::equal(v, v);                                      // refused: nodiscard
  heist::equal(v.begin(), v.end(), v.begin(), v.end());    // refused: nodiscard
  heist::count(v, 1);                                      // refused: nodiscard
  heist::count_if(v.begin(), v.end(), odd);                // refused: nodiscard
  heist::min_element(v);                                   // refused: nodiscard
  heist::max_element(v.begin(), v.end());                  // refused: nodiscard
  heist::minmax_element(v, {});                            // refused: nodiscard
  heist::is_sorted(v);                                     // refused: nodiscard
  heist::is_sorted_until(v.begin(), v.end());              // refused: nodiscard
  heist::remove_if(v, odd);                                // refused: nodiscard
  heist::unique(v);                                        // refused: nodiscard
  heist::adjacent_find(v);                                 // refused: nodiscard
  heist::search(v, v);                                     // refused: nodiscard
  heist::remove(v, 1);                                     // refused: nodiscard
  heist::min(v);                                           // refused: nodiscard
  heist::includes(v, v);                                   // refused: nodiscard
  heist::tabulate(3, odd);                                 // refused: nodiscard
  heist::top_k(v, 3);                                      // refused: nodiscard
  heist::group_by(v, odd);                                 // refused: nodiscard
  heist::reduce(v);                                        // refused: nodiscard
  heist::reduce(v.begin(), v.end(), 0, std::plus<>());     // refused: nodiscard
  heist::transform_reduce(v, 0, std::plus<>(), odd);       // refused: nodiscard
  heist::histogram(v, 3);                                  // refused: nodiscard
  heist::available_parallelism();                          // refused: nodiscard
  heist::default_pool().workers();                         // refused: nodiscard
  heist::default_pool().stats();                           // refused: nodiscard
}

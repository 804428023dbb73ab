// Chains of stages that cannot be.
#include <heist/heist.hpp>

#include <forward_list>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

namespace stage = heist::stage;

int main() {
  std::vector<int> v{1, 2, 3};
  std::vector<bool> bits(3);
  std::vector<std::unique_ptr<int>> owners(3);
  int calls = 0;
  static_cast<void>(heist::par(v) | stage::transform([](std::string) { return 1; }));     // refused: heist::stage: the function cannot be called with these elements
  static_cast<void>(heist::par(v) | stage::transform([](int) {}));                        // refused: heist::stage::transform: the function returns nothing
  static_cast<void>(heist::par(v) | stage::filter([](int) { return std::string(); }));    // refused: heist::stage: the predicate does not return a bool
  static_cast<void>(heist::par(v) | stage::filter([calls](int) mutable { return ++calls > 1; }));  // refused: heist::stage: the function changes its captures
  static_cast<void>(heist::par(v) | stage::flat_map([](int i) { return i; }));            // refused: heist::stage::flat_map: the function does not return a range
  static_cast<void>(heist::par(v) | stage::filter_map([](int i) { return std::vector<int>(1, i); }));   // refused: heist::stage::filter_map: the function does not return a std::optional
  heist::par(v) | [](int i) { return i; };                                                // refused: heist::stage: a function is no stage; say which, as in heist::stage::transform(f)
  v | stage::transform([](int i) { return i; });                                          // refused: heist::stage: begin with heist::par(range)
  static_cast<void>(v | stage::transform([](int i) { return i; }) | stage::sum());        // refused: heist::stage: begin with heist::par(range)
  static_cast<void>(heist::par(std::views::iota(0)));                                     // refused: heist::par: the range has no end; bound it first
  static_cast<void>(heist::par(v).to<std::forward_list<int>>());                          // refused: heist::to: elements cannot be added to this container one by one
  static_cast<void>(heist::par(17));                                                      // refused: heist::par takes a range, or a first and a last iterator or integer
  heist::par(bits).for_each([](auto&&) {});                                               // refused: heist: neighbours in a std::vector<bool> share a byte
  static_cast<void>(heist::par(owners).to<std::vector>());                                // refused: heist: these elements cannot be copied
  static_cast<void>(heist::par(owners).find_first());                                     // refused: heist: these elements cannot be copied, so a match cannot be returned
  static_cast<void>(heist::par(v).sum(heist::limit{2}));                                  // refused: heist: a heist::limit can be passed to loops
  heist::sort(v, heist::limit{2});                                                        // refused: heist: a heist::limit can be passed to loops
  heist::affinity homes;
  static_cast<void>(heist::reduce(v, 0, std::plus<>(), homes));                           // refused: heist: a heist::affinity can be passed to loops
  heist::sort(v, homes);                                                                  // refused: heist: a heist::affinity can be passed to loops
  static_cast<void>(heist::par(v).collect<std::vector<int>>(std::plus<>()));              // refused: heist: an operation combines the values of a map
}

// What the algorithms cannot work on is refused by a sentence.
#include <heist/heist.hpp>

#include <iterator>
#include <list>
#include <memory>
#include <ranges>
#include <string>
#include <tuple>
#include <vector>

// An element of somebody's packed container.
struct bit {};
template <>
inline constexpr bool heist::shares_memory<bit> = true;

int main() {
  std::vector<int> v;
  const auto bits = std::views::iota(0, 9) | std::views::transform([](int) { return bit(); });
  std::vector<bool> packed;
  std::list<int> list;
  std::vector<std::unique_ptr<int>> owners;
  const auto nothing = [](auto&&) {};
  const auto same = [](auto x) { return x; };
  heist::for_each(std::views::iota(0L), nothing);           // refused: heist: the size of the range is not known in advance
  heist::for_each(packed, nothing);                         // refused: heist: neighbours in a std::vector<bool> share a byte
  heist::for_each(bits, nothing);                           // refused: heist: neighbours in a std::vector<bool> share a byte
  heist::fill(packed, true);                                // refused: heist: neighbours in a std::vector<bool> share a byte
  std::ignore = heist::reduce(v, std::string(), [](std::string s, int) { return s; });  // refused: heist: a fold
  heist::for_each(v, nothing, heist::grain{1}, heist::grain{2});          // refused: heist: a grain is passed twice
  heist::for_each(v, nothing, std::stop_token(), std::stop_token());      // refused: heist: a std::stop_token is passed twice
  heist::generate(v, [](std::string) { return 1; });        // refused: heist::generate: the function must take the index of an element, or no argument
  std::ignore = heist::histogram(v, 10, [](int) { return 0.5; });         // refused: heist::histogram: a bin number must be an integer
  heist::unique_copy(v, std::back_inserter(v));             // refused: heist: the output must be a random-access iterator
  heist::reverse(list);                                     // refused: heist: the algorithms need random access
  heist::inclusive_scan(owners, owners.begin(), [](auto&&...) { return std::make_unique<int>(); });  // refused: heist: the values of a scan must be copyable
}

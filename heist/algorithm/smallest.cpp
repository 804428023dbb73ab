#include <heist/algorithm/smallest.hpp>

namespace heist::detail {

std::vector<std::size_t> every_place(std::size_t n) {
  std::vector<std::size_t> all(n);
  auto some = [&](std::size_t a, std::size_t b) {
    for (; a != b; ++a) all[a] = a;
  };
  for_pieces(n, some, options_of<>(), plain_elements<std::size_t>());
  return all;
}

}  // namespace heist::detail

// Has one race, and links with a library that forks, too.
#include "library.hpp"

#include <heist/join.hpp>

int shared_by_both = 0;

int main() {
  heist::join([] { ++shared_by_both; }, [] { ++shared_by_both; });
  return twice(2) == 4 ? 0 : 1;
}

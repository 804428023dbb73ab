#include "library.hpp"

#include <heist/join.hpp>

int twice(int n) {
  const auto [a, b] = heist::join([=] { return n; }, [=] { return n; });
  return a + b;
}

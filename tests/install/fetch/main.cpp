#include <heist/heist.hpp>

int main() { return heist::reduce(std::views::iota(0, 1000)) == 499'500 ? 0 : 1; }

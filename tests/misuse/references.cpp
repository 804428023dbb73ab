// What a branch gives is kept for the joiner, and then moved to it: by value.
#include <heist/heist.hpp>

#include <mutex>
#include <utility>

int shared = 1;
int& plain() { return shared; }

int main() {
  heist::join([]() -> int& { return shared; }, [] {});                                 // refused: heist::join: a branch returns a reference; return a value or a pointer
  heist::join([] {}, [] { return 1; }, []() -> const int& { return shared; });         // refused: heist::join: a branch returns a reference; return a value or a pointer
  heist::join([] {}, []() -> int&& { return std::move(shared); });                     // refused: heist::join: a branch returns a reference; return a value or a pointer
  heist::join(plain, [] {});                                                           // refused: heist::join: a branch returns a reference; return a value or a pointer
  heist::pool().run([]() -> int& { return shared; });                                  // refused: heist::pool::run: the function returns a reference; return a value or a pointer
  heist::join([] { return std::mutex(); }, [] {});                                     // refused: heist::join: the result of a branch must be movable; return a std::unique_ptr to it
  heist::pool().run([] { return std::mutex(); });                                      // refused: heist::pool::run: the result of the function must be movable; return a std::unique_ptr
}

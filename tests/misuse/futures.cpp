// What comes later is kept in a state, and then moved out of it; the functions of async, detach and then are kept, too.
#include <heist/heist.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <utility>

int shared = 1;
heist::future<int> number;
auto moves = [held = std::make_unique<int>(1)] { return *held; };

int main() {
  (void)heist::async([]() -> int& { return shared; });                  // refused: heist::async: the function returns a reference; return a value or a pointer
  (void)heist::async([] { return std::mutex(); });                      // refused: heist::async: the result of the function must be movable; return a std::unique_ptr to it
  (void)heist::async([](int) {});                                       // refused: heist::async takes a function that can be called without arguments
  (void)heist::async([](int) {}, 3);                                    // refused: heist::async: arguments cannot be passed; let a lambda capture them
  (void)heist::async(heist::default_pool(), [](int) {}, 3);             // refused: heist::async: arguments cannot be passed; let a lambda capture them
  (void)heist::async(moves);                                            // refused: heist::async keeps a copy of its function, and this one cannot be copied; pass it with std::move
  (void)heist::async(heist::default_pool(), [](int) {});                // refused: heist::async takes a function that can be called without arguments
  (void)heist::when_all(1, 2);                                          // refused: heist::when_all takes futures, or a vector of them, which it uses up: not const ones
  (void)heist::when_all(std::as_const(number));                         // refused: heist::when_all takes futures, or a vector of them, which it uses up: not const ones
  (void)heist::when_any(17);                                            // refused: heist::when_any takes futures, or a vector of them
  heist::detach([](int) {});                                            // refused: heist::detach takes a function that can be called without arguments
  heist::default_pool().detach(moves);                                  // refused: heist::detach keeps a copy of its function, and this one cannot be copied; pass it with std::move
  heist::future<int&> reference;                                        // refused: heist::future: the value is a reference; use a value or a pointer
  heist::promise<std::mutex> immovable;                                 // refused: heist::future: the value must be movable; use a std::unique_ptr to it
  number.then([](std::string) {});                                      // refused: heist::future::then takes a function that can be called with the future's value, or without arguments if that is void
  number.then([]() {});                                                 // refused: heist::future::then takes a function that can be called with the future's value, or without arguments if that is void
  number.then([](int) -> int& { return shared; });                      // refused: heist::future::then: the function returns a reference; return a value or a pointer
  (void)heist::scheduler_of(heist::default_pool()).schedule().connect(1);  // refused: heist: a receiver must have set_value() and set_stopped()
}

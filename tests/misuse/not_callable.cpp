// What is given to heist is called without arguments.
#include <heist/heist.hpp>

int main() {
  heist::scope s;
  heist::join([] {}, 17);                              // refused: heist::join takes functions that can be called without arguments
  heist::join([](int i) { return i; }, [] {});         // refused: heist::join takes functions that can be called without arguments
  heist::join([] {}, [] {}, "a string");               // refused: heist::join takes functions that can be called without arguments
  s.spawn([](int) {});                                 // refused: heist::scope: a child must be callable without arguments
  s.spawn([](int) {}, 3);                              // refused: heist::scope: arguments of a child cannot be passed; let a lambda capture them
  s.spawn_later([](int) {}, 3);                        // refused: heist::scope: arguments of a child cannot be passed; let a lambda capture them
  heist::detach([](int) {}, 3);                        // refused: heist::detach: arguments cannot be passed; let a lambda capture them
  heist::default_pool().detach([](int) {}, 3);         // refused: heist::detach: arguments cannot be passed; let a lambda capture them
  s.spawn(17);                                         // refused: heist::scope: a child must be callable without arguments
  s.spawn_later([](int) {});                           // refused: heist::scope: a child must be callable without arguments
  heist::pool().run(17);                               // refused: heist::pool::run takes a function that can be called without arguments
  heist::join([] {});                                  // refused: join
  heist::for_each_index(0.0, 1.0, [](double) {});      // refused: heist::for_each_index: both ends must be integers
}

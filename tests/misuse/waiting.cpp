// Channels, pipelines and graphs that cannot be.
#include <heist/heist.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

struct no_number {};

int main() {
  heist::graph g;
  std::unique_ptr<int> p;
  heist::channel<std::unique_ptr<int>> c(1);
  auto source = []() -> std::optional<int> { return {}; };
  auto f = [](int i) { return i; };
  auto owner = [p = std::make_unique<int>()] {};
  heist::channel<int&> references(1);                                // refused: heist::channel<T>: T is a type of values, not a reference
  heist::channel<std::mutex> locks(1);                               // refused: heist::channel<T>: T must be movable
  c.push(p);                                                         // refused: pass it with std::move
  heist::pipeline(4, source);                                        // refused: heist::pipeline takes a limit, a source and at least one stage
  heist::pipeline(4, source, f);                                     // refused: make each stage with heist::serial, heist::ordered or heist::parallel
  heist::pipeline(4, source, std::stop_token(), heist::serial(f));   // refused: a std::stop_token comes last
  heist::pipeline(4, 17, heist::serial(f));                          // refused: the source must be callable without arguments
  heist::pipeline(4, [] { return 1; }, heist::serial(f));            // refused: the source returns a std::optional
  heist::pipeline(4, source, heist::serial([](no_number) {}));       // refused: a stage cannot be called with what the source
  heist::pipeline(4, source, heist::serial([](int) {}), heist::serial(f));  // refused: a stage returns nothing, but another stage comes after it
  heist::pipeline(4, source, heist::serial([](int&& i) -> int& { return i; }), heist::serial(f));  // refused: a stage returns a reference
  heist::serial(owner);                                              // refused: a stage keeps a copy of its function
  heist::sleep_for(5);                                               // refused: heist::sleep_for takes a duration
  heist::blocking([](int) {}, 5);                                    // refused: heist::blocking: arguments cannot be passed; let a lambda capture them
  heist::sleep_until(5);                                             // refused: heist::sleep_until takes a time of a clock
  heist::join(owner);                                                // refused: heist::join takes two functions or more; call a single one directly
  heist::default_pool().run(f, 3);                                   // refused: heist::pool::run takes a function and perhaps a std::stop_token; let a lambda capture arguments
  heist::pool eight(8);                                              // refused: heist::pool takes options, as in heist::pool({.workers = 8})
  std::ignore = heist::per_worker<std::string>().combine(0, [](int, const std::string&) { return 1; });  // refused: heist::per_worker::combine: the first value is not one of what
  g.node(17);                                                        // refused: a node is a function without arguments
  g.node([](int) {});                                                // refused: a node is a function without arguments
  g.node(owner);                                                     // refused: a node keeps a copy of its function
  g.node(heist::graph());                                            // refused: a node does not own the graph that it runs
  g.condition([](int) { return 1; });                                // refused: a condition is a function without arguments
  g.condition([] { return no_number(); });                           // refused: a condition returns the number of a successor
  g.condition([] {});                                                // refused: a condition returns the number of a successor
}

// What README.md shows under "What you get": the lines are cut from here, and what they give is checked.

#include <heist/heist.hpp>

#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

namespace {

struct person {
  std::string name;
  int age;
};

long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
std::atomic<int> visited = 0;
void visit(int node) { visited += node; }
double half(int i) { return i / 2.0; }

bool tour() {
  auto f = [] { return 1; };
  auto g = [] { return std::string("two"); };
  std::vector<int> tree{1, 2, 3};
  const int n = 1000;
  std::vector<int> in(n, 3);
  std::vector<double> out(n);
  std::vector<person> people{{"Kurt", 71}, {"Ada", 36}, {"Emmy", 53}};
  const std::vector<double> prices{0.5, 1.25, 2};

  // region: calls
  auto [left, right] = heist::join(f, g);                 // run both, wait for both
  heist::with_scope([&](heist::scope& s) {                // any number of children
    for (auto& node : tree) s.spawn([&node] { visit(node); });
  });
  heist::for_each_index(0, n, [&](int i) { out[i] = half(in[i]); });
  heist::sort(people, {}, &person::name);
  double total = heist::reduce(prices);                   // the same bits on any number of workers
  auto later = heist::async([] { return fib(20); });      // begins now; later.get() waits for it
  heist::pool four({.workers = 4});                       // a pool of your own
  auto answer = four.run([] { return fib(30); });
  // end

  return left == 1 && right == "two" && visited == 6 && out[999] == 1.5 && people[0].name == "Ada" && total == 3.75 &&
         later.get() == 6765 && answer == 832040;
}

}  // namespace

int main() {
  const bool right = tour();
  std::printf("%s\n", right ? "the README's calls give what they say" : "the README's calls gave something else");
  return right ? 0 : 1;
}

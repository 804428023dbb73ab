#include <bench/runtimes/async.hpp>
#include <bench/spawn_loop/marks.hpp>

#include <vector>

int main(int argc, char** argv) {
  return bench::contestant_on<spawn_loop::input>(argc, argv, [](auto&, spawn_loop::input& in) {
    std::vector<std::future<void>> children;
    for (unsigned char& mark : in.marks) {
      if (!bench::may_start_thread()) {
        mark = 1;
        continue;
      }
      if (children.size() == 1024) children.clear();  // which waits for them
      children.push_back(std::async(std::launch::async, [&mark] {
        mark = 1;
        bench::end_thread();
      }));
    }
  });
}

#include <bench/runtimes/tbb.hpp>
#include <bench/spawn_loop/marks.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<spawn_loop::input>(argc, argv, [](auto& runtime, spawn_loop::input& in) {
    runtime.enter([&] {
      tbb::task_group g;
      for (unsigned char& mark : in.marks) g.run([&mark] { mark = 1; });
      g.wait();
    });
  });
}

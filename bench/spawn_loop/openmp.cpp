#include <bench/runtimes/openmp.hpp>
#include <bench/spawn_loop/marks.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<spawn_loop::input>(argc, argv, [](auto& runtime, spawn_loop::input& in) {
    runtime.enter([&] {
      for (unsigned char& mark : in.marks) {
#pragma omp task shared(mark)
        mark = 1;
      }
#pragma omp taskwait
    });
  });
}

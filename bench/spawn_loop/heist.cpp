#include <bench/runtimes/heist.hpp>
#include <bench/spawn_loop/marks.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<spawn_loop::input>(argc, argv, [](auto& runtime, spawn_loop::input& in) {
    runtime.enter([&] {
      heist::scope s;
      for (unsigned char& mark : in.marks) s.spawn([&mark] { mark = 1; });
      s.sync();
    });
  });
}

#include <bench/runtimes/serial.hpp>
#include <bench/spawn_loop/marks.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<spawn_loop::input>(argc, argv, [](auto&, spawn_loop::input& in) {
    for (unsigned char& mark : in.marks) mark = 1;
  });
}

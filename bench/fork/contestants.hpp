#pragma once
// The two programs of bench/fork, once for each contestant. Everywhere a node is one real call: see serial.cpp.
//
// fib(n): a fork a node, deep in a recursion.
// flat(n): n times a fork of two tiny functions, with nothing below it in the deque.

#include <bench/common/bench.hpp>

#include <functional>

namespace fork_bench {

BENCH_OPAQUE long tiny(long x);

struct contestant {
  const char* name;
  long (*fib)(int n);
  long (*flat)(long n);
  // Calls the function where fib and flat may be called: one worker, started and warm.
  void (*enter)(const std::function<void()>& f);
};

extern const contestant serial, heist_join, tbb_invoke, tbb_group, openmp;

}  // namespace fork_bench

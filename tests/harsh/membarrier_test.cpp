// A sandbox that refuses membarrier: from the start, or to a pool that is at work already.

#include "tests/harsh/everything.hpp"
#include "tests/harsh/sandboxed.hpp"
#include "tests/sandbox.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace {

using namespace heist_test;

class membarrier_refused : public sandboxed {};

TEST_F(membarrier_refused, from_the_start_leaves_ordinary_fences) {
  in_sandbox([] {
    if (!refuse_membarrier()) std::_Exit(no_sandbox);
    if (a_bit_of_everything() != answer) std::_Exit(2);
    need_a_thief();
    try {
      heist::options o;
      o.fences = heist::fences::asymmetric;
      heist::pool p(o);
      std::_Exit(3);
    } catch (const std::invalid_argument& e) {
      if (std::string(e.what()).find("this kernel refuses membarrier") == std::string::npos) std::_Exit(4);
    }
  });
}

// What owners keep can be stolen no more; from their next push on they share everything.
TEST_F(membarrier_refused, to_a_pool_at_work_leaves_it_working) {
  in_sandbox([] {
    heist::pool p(workers(3));
    p.run(need_a_thief);
    if (!refuse_membarrier()) std::_Exit(no_sandbox);
    // What is pushed before the first thief has met with the refusal stays with its owner.
    const auto lost = p.stats().lost;
    auto met = [&] {
      p.run([] { heist::join([] { ::usleep(1'000); }, [] {}); });  // an owner that does not answer
      return p.run([] { return fib(22); }) == 17711 && p.stats().lost > lost;
    };
    if (!eventually(met)) std::_Exit(5);
    for (int i = 0; i < 20; ++i) {
      if (p.run([] { return fib(18); }) != 2584) std::_Exit(2);
      p.run(need_a_thief);
    }
    // And sleeps when it has nothing to do.
    if (!threads_rest()) std::_Exit(3);
    const auto before = p.stats().sleeps;
    ::usleep(200'000);
    if (p.stats().sleeps > before + 20) std::_Exit(4);
  });
}

}  // namespace

#pragma once
// What when_all and when_any listen with: to several states at once. See README.md, "Futures".

#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>
#include <heist/wait/future_state.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// Tells `target` when all the sources are ready. Lives until then.
class gathering {
 public:
  // Takes over one share of `target`. When all the sources, which `target` owns, are ready, calls `fill(target)` and
  // finishes it; perhaps at once.
  HEIST_API static void all(future_state& target, const std::vector<future_state*>& sources,
                            void (*fill)(future_state&) noexcept);

 private:
  struct part : listener {
    part() noexcept : listener(&gathering::told) {}
    gathering* of = nullptr;
  };

  gathering(future_state& target, std::size_t n, void (*fill)(future_state&) noexcept);
  static void told(listener& l, agenda& later) noexcept;
  void count_down(agenda& later) noexcept;

  future_state& target_;
  void (*const fill_)(future_state&) noexcept;
  std::atomic<std::size_t> out_;  // and one for all(), until it has asked everywhere
  sole<part[]> parts_;
};

}  // namespace heist::detail

HEIST_END

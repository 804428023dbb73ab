#pragma once
// A strand: what it keeps at the worker that runs it, and takes along when it moves. See README.md.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>

#include <cstdint>
#include <memory>

HEIST_BEGIN

namespace heist::detail {

struct belongings;
struct part;
class scope_books;

// The floating-point mode (rounding, flush to zero). A thief takes over its victim's mode;
// otherwise the same program would give other bits on other schedules.
struct fp_mode {
  std::uint64_t bits;
  friend bool operator==(fp_mode, fp_mode) = default;

#if defined(__x86_64__)
  static fp_mode current() noexcept {
    std::uint32_t mxcsr;
    std::uint16_t x87;
    asm volatile("stmxcsr %0" : "=m"(mxcsr));
    asm volatile("fnstcw %0" : "=m"(x87));
    // Without the sticky exception flags: they are results, not a mode.
    return {(std::uint64_t{mxcsr} & ~std::uint64_t{0x3f}) | (std::uint64_t{x87} << 32)};
  }
  void apply() const noexcept {
    const auto mxcsr = static_cast<std::uint32_t>(bits);
    const auto x87 = static_cast<std::uint16_t>(bits >> 32);
    asm volatile("ldmxcsr %0" ::"m"(mxcsr));
    asm volatile("fldcw %0" ::"m"(x87));
  }
#elif defined(__aarch64__)
  static fp_mode current() noexcept {
    std::uint64_t fpcr;
    asm volatile("mrs %0, fpcr" : "=r"(fpcr));
    return {fpcr};
  }
  void apply() const noexcept { asm volatile("msr fpcr, %0" ::"r"(bits)); }
#endif
};

// How a strand begins at a worker that has none.
enum class beginning : unsigned char { root, branch, continuation };

// The terms on which it runs there: those of its root.
struct terms {
  fp_mode mode;
  bool measured;
  const void* root = nullptr;
};

// Each worker has one of these, for the strand that it runs. It is copied whole when the strand
// leaves and when it arrives, so a new thing that strands carry is one new member here and nothing
// else.
struct strand {
  cell<belongings*> own;     // its views of reducers and its clock; null: it has none
  cell<fp_mode> root_mode;   // of its root: thieves take it over
  cell<fp_mode> mode;        // while it is parked: its own
  cell<const void*> root;    // the call from outside that it is a part of, by its address; null: none, or not known
  cell<const void*> mark;    // checked builds: the address of something in the strand's frame
  cell<scope_books*> scope;  // checked builds: the last scope that it has made and not yet destroyed

  // At a worker without a strand: one begins here. What stops `of` stops it, too.
  static void begin(beginning how, const part& of) noexcept;
  // The calling strand leaves its worker, which has no strand from here on.
  [[nodiscard]] static strand depart() noexcept;
  // At a worker without a strand and with an empty deque: this strand continues here.
  void arrive() const noexcept;
  // The same for one that takes its worker's seat along: it leaves, and is back.
  static void pause() noexcept;
  static void go_on() noexcept;
  // The calling strand ends. Returns what it leaves.
  [[nodiscard]] static std::unique_ptr<belongings> end() noexcept;
};

}  // namespace heist::detail

HEIST_END

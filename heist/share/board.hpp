#pragma once
// What the pools of a user tell each other: how many workers each desires and has. See README.md.

#include <heist/base/export.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// What a pool says of itself.
struct notice {
  std::uint32_t process = 0;
  std::uint32_t pool = 0;        // counts the pools of the process
  std::uint32_t desire = 0;      // 0: it is idle
  std::uint32_t workers = 0;
  std::uint32_t efficiency = 0;  // of the last quantum, in percent of the workers' time
  std::uint32_t unused = 0;      // no padding: every byte is summed up
  std::uint64_t steals = 0;
  std::uint64_t work = 0;        // nanoseconds of all workers
  std::uint64_t processor = 0;   // nanoseconds of processor time that the process has used
  std::uint64_t quanta = 0;
  std::array<char, 16> program{};

  HEIST_API std::string name() const;
};

// A file in shared memory with a slot for each pool. A pool holds the kernel's lock on its slot for as long as it lives: what
// a process that has crashed had is free at once. Slots are read and written by system calls, so a file that somebody cuts
// off or fills with garbage does no harm.
class board {
 public:
  static constexpr unsigned slots = 64;

  // The user's board, which is made if there is none: /dev/shm/heist-UID, or what HEIST_BOARD names. If it cannot be used,
  // nobody is there, and one sentence on stderr says why.
  HEIST_API static board& of_user();
  HEIST_API explicit board(std::string path);
  HEIST_API ~board();
  board(const board&) = delete;
  board& operator=(const board&) = delete;

  // Why it cannot be used; empty: it can.
  const std::string& complaint() const noexcept { return complaint_; }

  // A pool's slot, until it is destroyed.
  class HEIST_TYPE place {
   public:
    HEIST_API explicit place(board& on) noexcept;
    HEIST_API ~place();
    place(const place&) = delete;
    place& operator=(const place&) = delete;

    bool taken() const noexcept { return file_ >= 0; }
    unsigned slot() const noexcept { return slot_; }
    HEIST_API void write(const notice& n) const noexcept;

   private:
    int file_ = -1;  // its own, as the kernel's locks belong to open files
    unsigned slot_ = 0;
  };

  struct entry {
    unsigned slot;
    notice what;
  };
  // What living pools have written, by slot. What makes no sense is left out.
  HEIST_API std::vector<entry> read() const;

 private:
  std::string path_, complaint_;
  int file_ = -1;
};

}  // namespace heist::detail

HEIST_END

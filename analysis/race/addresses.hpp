#pragma once
// `heist record --addresses`: instead of looking for races, the program's forks and accesses are written down, for
// `heist sim cache`. analysis/cache/address_file.hpp reads them.

#include <cstddef>
#include <cstdint>

namespace heist::race {

struct addresses {
  // Ends the program with a message if the file cannot be written. Of the blocks of 64 bytes one in `sample` counts.
  static void begin(const char* path, std::uint64_t sample);
  static void access(std::uintptr_t address, std::size_t size) noexcept;

  // What has happened to the running strand.
  enum class event : char {
    begin_branch = '(',
    end_branch = ')',
    joined = 'j',
    begin_child = '[',  // with a group
    end_child = ']',
    synced = 's',  // with a group
    begin_loop = 'l',
    begin_iteration = 'i',
    end_iteration = 'e',
    end_loop = 'L',
  };
  static void note(event e) noexcept {
    if (on) [[unlikely]]
      write(e);
  }
  static void note(event e, std::uint64_t group) noexcept {
    if (on) [[unlikely]]
      write(e, group);
  }
  static void end() noexcept;

  static inline bool on = false;

 private:
  static void write(event e) noexcept;
  static void write(event e, std::uint64_t group) noexcept;
};

}  // namespace heist::race

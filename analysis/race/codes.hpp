#pragma once
// Numbers of 24 bits for code addresses.

#include <analysis/race/shadow.hpp>

#include <cstdint>

namespace heist::race {

// Usually the lower bits of the address. Where two addresses would share a number, the second gets the next free one.
class codes {
 public:
  bool map() noexcept;
  std::uint32_t number(std::uintptr_t code) noexcept {
    const std::uint32_t n = code & mark::code_bits;
    return table_[n] == code ? n : find(code);
  }
  // Whether it is known already, by its usual number.
  bool known(std::uintptr_t code, std::uint32_t& number) const noexcept {
    number = code & mark::code_bits;
    return table_[number] == code;
  }
  const void* address(std::uint32_t number) const noexcept { return reinterpret_cast<const void*>(table_[number]); }

 private:
  std::uint32_t find(std::uintptr_t code) noexcept;

  std::uintptr_t* table_ = nullptr;
  std::uint32_t taken_ = 0;
};

}  // namespace heist::race

#pragma once
// Bytes choose an algorithm, its ranges, a grain and a pool. What heist gives must be what the serial standard library gives,
// or the program aborts and says for which algorithm.

#include <cstddef>
#include <cstdint>

void fuzz_one(const std::uint8_t* data, std::size_t size);

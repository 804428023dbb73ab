#pragma once
// What is fuzzed: any bytes are a computation, or are refused with one line.

#include <cstddef>
#include <cstdint>

// Aborts, with a sentence, if reading, checking or running what was read goes wrong.
void fuzz_one(const std::uint8_t* data, std::size_t size);

#pragma once
// Sorts of others, compiled apart from heist's. `spread_sort` runs on one thread, the others on two.

#include <cstddef>
#include <cstdint>
#include <string>

namespace sorts {

void spread_sort(std::int32_t* at, std::size_t n);
void spread_sort(double* at, std::size_t n);
void spread_sort(std::string* at, std::size_t n);

void std_par_sort(std::int32_t* at, std::size_t n);
void std_par_sort(double* at, std::size_t n);
void std_par_sort(std::string* at, std::size_t n);

void block_indirect_sort(std::int32_t* at, std::size_t n);
void block_indirect_sort(double* at, std::size_t n);
void block_indirect_sort(std::string* at, std::size_t n);

}  // namespace sorts

#include <bench/sorts/peers.hpp>

#include <boost/sort/sort.hpp>
#include <boost/sort/spreadsort/spreadsort.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <execution>

namespace sorts {
namespace {

template <class T>
void par(T* at, std::size_t n) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
  std::sort(std::execution::par, at, at + n);
}

}  // namespace

void spread_sort(std::int32_t* at, std::size_t n) { boost::sort::spreadsort::integer_sort(at, at + n); }
void spread_sort(double* at, std::size_t n) { boost::sort::spreadsort::float_sort(at, at + n); }
void spread_sort(std::string* at, std::size_t n) { boost::sort::spreadsort::string_sort(at, at + n); }

void std_par_sort(std::int32_t* at, std::size_t n) { par(at, n); }
void std_par_sort(double* at, std::size_t n) { par(at, n); }
void std_par_sort(std::string* at, std::size_t n) { par(at, n); }

void block_indirect_sort(std::int32_t* at, std::size_t n) { boost::sort::block_indirect_sort(at, at + n, 2); }
void block_indirect_sort(double* at, std::size_t n) { boost::sort::block_indirect_sort(at, at + n, 2); }
void block_indirect_sort(std::string* at, std::size_t n) { boost::sort::block_indirect_sort(at, at + n, 2); }

}  // namespace sorts

// Recipe: strands that write to one stream, and the text comes out as if there were only one.

#include <heist/heist.hpp>

#include <cstdint>
#include <cstdio>
#include <sstream>

namespace {

using number = std::uint64_t;

// region: data
void write_factors(std::ostream& out, number n) {
  out << n << " =";
  for (number d = 2; d * d <= n; ++d)
    for (; n % d == 0; n /= d) out << ' ' << d;
  if (n > 1) out << ' ' << n;
  out << '\n';
}
// end

// region: serial
void table_serial(std::ostream& out, number first, number last) {
  for (number n = first; n < last; ++n) write_factors(out, n);
}
// end

// region: parallel
void table(std::ostream& to, number first, number last) {
  heist::ostream_reducer out(to);
  heist::for_each_index(first, last, [&](number n) { write_factors(*out, n); });
}
// end

}  // namespace

int main() {
  std::ostringstream found, expected;
  table(found, 100'000'000'000, 100'000'000'200);
  table_serial(expected, 100'000'000'000, 100'000'000'200);
  std::printf("%zu bytes; the first line: %s\n", found.str().size(),
              found.str().substr(0, found.str().find('\n')).c_str());
  return found.str() == expected.str() ? 0 : 1;
}

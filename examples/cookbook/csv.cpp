// Recipe: parse lines of comma-separated values and add them up by a key.

#include <heist/heist.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace {

// region: data
struct total {
  long sales = 0, cents = 0;
  total& operator+=(const total& more) { return sales += more.sales, cents += more.cents, *this; }
  friend bool operator==(const total&, const total&) = default;
};
using totals = std::map<std::string_view, total>;  // by city

// "city,cents"
void add_line(totals& by_city, std::string_view line) {
  const std::size_t comma = line.find(',');
  const char* const last = line.data() + line.size();
  long cents = 0;
  const auto [end, error] = std::from_chars(comma == line.npos ? last : line.data() + comma + 1, last, cents);
  if (end != last || error != std::errc()) throw std::invalid_argument("not a city and a number: " + std::string(line));
  by_city[line.substr(0, comma)] += {1, cents};
}

void add_lines(totals& by_city, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    add_line(by_city, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}
// end

// region: serial
totals sales_serial(std::string_view text) {
  totals by_city;
  add_lines(by_city, text);
  return by_city;
}
// end

// region: parallel
// Where the first line begins that begins at `about` or later.
std::size_t line_edge(std::string_view text, std::size_t about) {
  if (about == 0 || about > text.size()) return std::min(about, text.size());
  const std::size_t end = text.find('\n', about - 1);
  return end == text.npos ? text.size() : end + 1;
}

totals sales(std::string_view text) {
  constexpr std::size_t piece = 16 * 1024;
  heist::reducer<totals, heist::op::merge_maps<totals>> by_city;
  heist::for_each_index(std::size_t{0}, text.size() / piece + 1, [&](std::size_t k) {
    const std::size_t first = line_edge(text, k * piece), last = line_edge(text, (k + 1) * piece);
    add_lines(*by_city, text.substr(first, last - first));
  });
  return by_city.take();
}
// end

std::string message_of(totals (&add)(std::string_view), std::string_view text) {
  try {
    add(text);
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

}  // namespace

int main() {
  constexpr const char* cities[] = {"Aarhus", "Bergen", "Cadiz", "Delft", "Erfurt", "Faro", "Graz"};
  std::string text;
  for (unsigned i = 0; i < 200'000; ++i) {
    const unsigned hash = i * 2654435761u >> 7;
    text += std::string(cities[hash % 7]) + ',' + std::to_string(hash % 10'007) + '\n';
  }
  const totals found = sales(text);
  for (const auto& [city, sum] : found)
    std::printf("%-8.*s%8ld sales%12.2f\n", static_cast<int>(city.size()), city.data(), sum.sales,
                static_cast<double>(sum.cents) / 100);
  bool right = found == sales_serial(text) && sales("") == totals() && sales("Faro,1").size() == 1;
  // The error is that of the first bad line, on every schedule.
  text.replace(text.find('\n', text.size() * 3 / 4) + 1, 1, ",");
  text.replace(text.find('\n', text.size() / 3) + 1, 1, "?,");
  right = right && message_of(sales, text) == message_of(sales_serial, text) && !message_of(sales, text).empty();
  for (const char* bad : {"Faro", "Faro,", "Faro,1x", "Faro,99999999999999999999"})
    right = right && !message_of(sales, bad).empty();
  return right ? 0 : 1;
}

// Recipe: all places of a word in a text, and only the first one.

#include <heist/heist.hpp>

#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using places = std::vector<std::size_t>;

// region: serial
places find_all_serial(std::string_view text, std::string_view word) {
  places found;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) found.push_back(at);
  return found;
}

std::size_t find_first_serial(std::string_view text, std::string_view word) { return text.find(word); }
// end

// region: parallel
places find_all(std::string_view text, std::string_view word) {
  constexpr std::size_t piece = 64 * 1024;
  heist::reducer<places, heist::op::append<places>> found;
  heist::for_each_index(std::size_t{0}, text.size() / piece + 1, [&](std::size_t k) {
    // A word that begins in this piece may end in the next.
    const std::string_view here = text.substr(k * piece, piece + word.size() - 1);
    for (const std::size_t at : find_all_serial(here, word)) found->push_back(k * piece + at);
  });
  return found.take();
}
// end

// region: first
std::size_t find_first(std::string_view text, std::string_view word) {
  const char* const end = text.data() + text.size();
  const auto found = heist::find_if(text, [=](const char& c) { return std::string_view(&c, end).starts_with(word); });
  return found == text.end() ? text.npos : static_cast<std::size_t>(found - text.begin());
}
// end

}  // namespace

int main() {
  std::mt19937 dice(4);
  std::string text(2'000'000, ' ');
  for (char& c : text) c = "heist"[dice() % 5];
  text.replace(64 * 1024 - 2, 5, "heist");  // where two pieces meet
  bool right = true;
  for (const char* word : {"heist", "tttt", "h", "thesethese", "steal"}) {
    const places all = find_all(text, word);
    const std::size_t first = find_first(text, word);
    std::printf("\"%s\" stands there %zu times, first at %ld\n", word, all.size(), static_cast<long>(first));
    right = right && all == find_all_serial(text, word) && first == find_first_serial(text, word);
  }
  return right ? 0 : 1;
}

#include <examples/word_count.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

// Made-up words, few of them often and many seldom, as in a language.
static std::string made_up_text(std::size_t words) {
  std::mt19937 dice(7);
  std::vector<std::string> lexicon(5000);
  for (std::string& word : lexicon)
    for (std::size_t letters = 2 + dice() % 7; letters != 0; --letters) word += static_cast<char>('a' + dice() % 26);
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    const double u = static_cast<double>(dice()) * 0x1p-32;
    text += lexicon[static_cast<std::size_t>(std::pow(5000.0, u)) - 1];
    text += i % 12 == 11 ? ".\n" : " ";
  }
  return text;
}

int main() {
  const std::string text = made_up_text(1'000'000);
  const examples::word_table counts = examples::word_count(text);
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; });
  std::printf("%zu different words in %zu bytes; the most frequent one, \"%s\", stands there %zu times\n",
              counts.size(), text.size(), std::string(most->first).c_str(), most->second);
  return counts == examples::word_count_serial(text) ? 0 : 1;
}

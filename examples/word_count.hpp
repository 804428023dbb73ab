#pragma once
// How often does each word stand in a text? Strands share one table as if they were alone: a reducer gives each that
// was stolen a table of its own and adds them up later, in the order of the text.
//
// Work Θ(n), and for each theft a table of at most as many words as there are different ones. Span Θ(lg n + piece + w):
// a loop over pieces, and adding up tables of w words.

#include <heist/heist.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

namespace examples {

using word_table = std::unordered_map<std::string_view, std::size_t>;

inline bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }

inline void count_words(std::string_view text, word_table& counts) {
  for (auto at = text.begin();;) {
    const auto first = std::find_if(at, text.end(), is_letter);
    if (first == text.end()) return;
    at = std::find_if_not(first, text.end(), is_letter);
    ++counts[std::string_view(first, at)];
  }
}

inline word_table word_count_serial(std::string_view text) {
  word_table counts;
  count_words(text, counts);
  return counts;
}

// Where the piece that begins about here begins: not within a word.
inline std::size_t word_edge(std::string_view text, std::size_t about) {
  while (about > 0 && about < text.size() && is_letter(text[about - 1])) ++about;
  return std::min(about, text.size());
}

inline word_table word_count(std::string_view text) {
  constexpr std::size_t piece = 4096;
  heist::reducer<word_table, heist::op::merge_maps<word_table>> counts;
  heist::for_each_index(std::size_t{0}, text.size() / piece + 1, [&](std::size_t k) {
    const std::size_t first = word_edge(text, k * piece), last = word_edge(text, (k + 1) * piece);
    count_words(text.substr(first, last - first), *counts);
  });
  return counts.take();
}

}  // namespace examples

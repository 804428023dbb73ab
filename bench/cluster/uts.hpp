#pragma once
// The trees of the Unbalanced Tree Search benchmark (Olivier et al., 2006), node for node: a node is the SHA-1 of its parent
// and of its number among the children. The parameters and the numbers of nodes are those that UTS publishes.

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace uts {

using state = std::array<std::uint8_t, 20>;

// SHA-1 (FIPS 180-4) of one block: at most 55 bytes.
template <std::size_t n>
state sha1(const std::array<std::uint8_t, n>& text) {
  static_assert(n <= 55);
  std::array<std::uint32_t, 80> w{};
  for (std::size_t i = 0; i < n; ++i) w[i / 4] |= std::uint32_t{text[i]} << (24 - 8 * (i % 4));
  w[n / 4] |= 0x80u << (24 - 8 * (n % 4));
  w[15] = 8 * n;
  for (std::size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  const std::array<std::uint32_t, 5> start{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  auto [a, b, c, d, e] = start;
  for (std::size_t i = 0; i < 80; ++i) {
    const std::uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                                : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                                : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                         : (b ^ c ^ d) + 0xca62c1d6;
    const std::uint32_t next = std::rotl(a, 5) + mixed + e + w[i];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  const std::array<std::uint32_t, 5> sums{start[0] + a, start[1] + b, start[2] + c, start[3] + d, start[4] + e};
  state out{};
  for (std::size_t i = 0; i < 20; ++i) out[i] = static_cast<std::uint8_t>(sums[i / 4] >> (24 - 8 * (i % 4)));
  return out;
}

struct node {
  state number{};
  int depth = 0;
};

struct tree {
  bool geometric;
  int seed;
  double children;  // of the root; in geometric trees of every node, on average
  int depth;        // geometric: nodes below have none
  double fertile;   // binomial: which part of the other nodes has children …
  int brood;        // … and how many
  long nodes;
};

inline const tree& by_name(const std::string& name) {
  static const struct {
    const char* name;
    tree what;
  } all[] = {
      {"T1", {true, 19, 4, 10, 0, 0, 4'130'071}},
      {"T1L", {true, 29, 4, 13, 0, 0, 102'181'082}},
      {"T3", {false, 42, 2000, 0, 0.124875, 8, 4'112'897}},
      {"T3L", {false, 7, 2000, 0, 0.200014, 5, 111'345'631}},
  };
  for (const auto& each : all)
    if (name == each.name) return each.what;
  throw std::invalid_argument("no such tree: " + name + "; the trees are T1, T1L, T3 and T3L");
}

inline node root(const tree& t) {
  std::array<std::uint8_t, 20> seed{};
  for (int i = 0; i < 4; ++i) seed[static_cast<std::size_t>(16 + i)] = static_cast<std::uint8_t>(t.seed >> (24 - 8 * i));
  return {sha1(seed), 0};
}

inline node child(const node& parent, int i) {
  std::array<std::uint8_t, 24> text{};
  for (std::size_t k = 0; k < 20; ++k) text[k] = parent.number[k];
  for (int k = 0; k < 4; ++k) text[static_cast<std::size_t>(20 + k)] = static_cast<std::uint8_t>(i >> (24 - 8 * k));
  return {sha1(text), parent.depth + 1};
}

inline int children(const tree& t, const node& n) {
  const auto& s = n.number;
  const std::uint32_t bits = (std::uint32_t{s[16]} << 24 | std::uint32_t{s[17]} << 16 | std::uint32_t{s[18]} << 8 | s[19]) & 0x7fffffff;
  const double draw = bits / 2147483648.0;
  if (!t.geometric) {
    if (n.depth == 0) return static_cast<int>(t.children);
    return draw < t.fertile ? t.brood : 0;
  }
  if (n.depth >= t.depth) return 0;
  const int many = static_cast<int>(std::floor(std::log(1 - draw) / std::log(1 - 1 / (1 + t.children))));
  return many < 100 ? many : 100;
}

}  // namespace uts

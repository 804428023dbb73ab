#include <heist/cluster/key.hpp>

#include <bit>
#include <cstring>

namespace heist::cluster::detail {

namespace {

struct sip {
  std::uint64_t a, b, c, d;

  void rounds(int n) noexcept {
    while (n-- > 0) {
      a += b;
      c += d;
      b = std::rotl(b, 13) ^ a;
      d = std::rotl(d, 16) ^ c;
      a = std::rotl(a, 32);
      c += b;
      a += d;
      b = std::rotl(b, 17) ^ c;
      d = std::rotl(d, 21) ^ a;
      c = std::rotl(c, 32);
    }
  }
  void take(std::uint64_t word) noexcept {
    d ^= word;
    rounds(2);
    a ^= word;
  }
};

std::uint64_t half_of(std::string_view text, std::uint64_t seed) noexcept {
  return sip_hash(seed, text.size(), std::as_bytes(std::span(text)))[0];
}

}  // namespace

key sip_hash(std::uint64_t k0, std::uint64_t k1, std::span<const std::byte> text) noexcept {
  sip s{k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du ^ 0xee, k0 ^ 0x6c7967656e657261u, k1 ^ 0x7465646279746573u};
  std::uint64_t last = static_cast<std::uint64_t>(text.size()) << 56;
  for (; text.size() >= 8; text = text.subspan(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    s.take(word);
  }
  for (std::size_t i = 0; i < text.size(); ++i) last |= static_cast<std::uint64_t>(text[i]) << (8 * i);
  s.take(last);
  s.c ^= 0xee;
  s.rounds(4);
  const std::uint64_t first = s.a ^ s.b ^ s.c ^ s.d;
  s.b ^= 0xdd;
  s.rounds(4);
  return {first, s.a ^ s.b ^ s.c ^ s.d};
}

key key_of(std::string_view build, std::uint64_t job_instance, std::string_view function, std::span<const std::byte> arguments) {
  // Build and job choose the hash; the function is a part of the seed of its second half.
  const std::uint64_t k0 = half_of(build, job_instance);
  const std::uint64_t k1 = half_of(function, k0);
  return sip_hash(k0, k1, arguments);
}

}  // namespace heist::cluster::detail

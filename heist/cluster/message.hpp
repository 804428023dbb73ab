#pragma once
// What machines say to each other. All messages have one layout, and this is the only decoder. See README.md, "Messages".

#include <heist/base/export.hpp>
#include <heist/cluster/pack.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

HEIST_BEGIN

namespace heist::cluster::detail {

enum class say : std::uint8_t {
  hello, here, refuse, claim, bye, drain, end, ask, none, task, decline, result, cancel, ping, pong, orphan, adopt,
  look, figures, best, lost,
};
inline constexpr auto last_say = say::lost;

using node_id = std::uint64_t;  // random; 0: nobody
using key = std::array<std::uint64_t, 2>;

// Whose job it is: README.md, "Driver, term and end".
struct term {
  std::uint64_t epoch = 0, instance = 0;
  bool operator==(const term&) const = default;
};

namespace flag {
inline constexpr std::uint8_t driver = 1;    // hello, here: the sender is the driver
inline constexpr std::uint8_t running = 2;   // its root is running
inline constexpr std::uint8_t draining = 4;
inline constexpr std::uint8_t lifeline = 1;  // ask
inline constexpr std::uint8_t probe = 1;     // ping: only whether we are there
inline constexpr std::uint8_t measured = 1;  // task: its work and span are wanted
inline constexpr std::uint8_t failed = 1;    // result
inline constexpr std::uint8_t no_value = 2;  // result: it, or the arguments, cannot be sent; the text says why
}  // namespace flag

struct message {
  say what{};
  std::uint8_t flags = 0;
  node_id from = 0;
  term of;
  std::uint64_t number = 0;    // of a loan, or the id of a best value or of a node
  std::uint64_t request = 0;   // of an ask; 0: none
  std::uint64_t function = 0;  // of a task
  std::uint32_t workers = 0;
  std::string text;                    // a build id, a sentence, or a host's name
  std::vector<std::uint64_t> numbers;  // loans, or figures
  std::vector<key> keys;
  bytes content;  // arguments, a value or a failure
  bytes figures;  // of a result whose task was measured: measured.hpp
};

inline constexpr std::size_t most_text = 1024;
inline constexpr std::size_t most_numbers = 1u << 20;

bytes encode(const message& m);
// Nothing, if it is no message. Uses no more memory than a few times the bytes given.
std::optional<message> decode(std::span<const std::byte> from);

}  // namespace heist::cluster::detail

HEIST_END

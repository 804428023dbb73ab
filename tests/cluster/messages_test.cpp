// Whatever a member says, nobody crashes, the answer is right, and memory is bounded. HEIST_TEST_MESSAGES of each kind, in
// turns to a driver and to a helper that work.

#include "puppet.hpp"
#include "support.hpp"

#include <cstdlib>
#include <random>

namespace {

using heist_test::hcd::bytes;
using heist_test::hcd::message;
using heist_test::hcd::say;
using heist_test::node_process;
using heist_test::puppet;
using heist_test::server;
namespace flag = heist_test::hcd::flag;

// In KiB, now.
long memory_of(const node_process& p) {
  std::ifstream in("/proc/" + std::to_string(p.id()) + "/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmRSS:")) return std::atol(line.c_str() + 6);
  return -1;
}

class storm {
 public:
  // Of one kind, in the job's term and in others, under many names. No value of the root's tasks is as long as the content.
  message any(const puppet& p, say kind) {
    message m = p.says(kind, below(4) == 0 ? dice_() : below(20));
    if (kind == say::hello || kind == say::here)
      m.flags = static_cast<std::uint8_t>(below(2) * flag::draining);  // not a second driver
    else
      m.flags = static_cast<std::uint8_t>(below(4));
    if (below(3) == 0) m.from = 1000 + below(100);
    if (below(8) == 0) m.of.instance = dice_();
    m.request = below(50);
    m.function = dice_();
    for (std::uint64_t n = below(4); n > 0; --n) m.numbers.push_back(below(30));
    for (std::uint64_t n = below(4); n > 0; --n) m.keys.push_back({dice_(), dice_()});
    fill(m.content, 40 + below(40));
    fill(m.figures, below(200));
    return m;
  }

  // Some of its bytes are others, or missing, or too many. Kind and flags stay: other ones are sent in their turn, and a driver
  // of another build would send the helper away.
  bytes bent(bytes data) {
    constexpr std::uint64_t kind_at = 3, first = 5;
    for (std::uint64_t n = 1 + below(4); n > 0; --n) {
      const std::uint64_t at = below(data.size()), behind = std::max(at, first);
      switch (below(5)) {
        case 0:
          if (at < kind_at || at >= first) data[at] ^= static_cast<std::byte>(1u << below(8));
          break;
        case 1: data.resize(first + below(data.size())); break;
        case 2: data.insert(data.begin() + static_cast<std::ptrdiff_t>(behind), static_cast<std::byte>(dice_())); break;
        case 3: data.insert(data.end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(at)); break;
        default:  // a number as large as can be
          for (std::uint64_t i = behind; i < std::min<std::uint64_t>(behind + 8, data.size()); ++i) data[i] = std::byte{0xff};
      }
    }
    return data;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return dice_() % n; }
  void fill(bytes& b, std::uint64_t n) {
    b.resize(n);
    for (auto& each : b) each = static_cast<std::byte>(dice_());
  }

  std::mt19937_64 dice_{1};
};

// `send(puppet, kind)` sends to the one that the puppet has turned to.
template <class Send>
void expect_no_harm(Send send) {
  const char* const many = std::getenv("HEIST_TEST_MESSAGES");
  const int each = many != nullptr ? std::atoi(many) : 300;
  const std::string stop = testing::TempDir() + "heist_cluster_stop_" + std::to_string(::getpid());
  server s;
  node_process helper("helper", s, {"naps", "0"}, {{"HEIST_CLUSTER_SUSPECT_MS", "500"}});
  node_process driver("driver", s, {"naps_until", stop}, {{"TEST_WAIT_FOR_PEERS", "1"}, {"HEIST_CLUSTER_SUSPECT_MS", "500"}});
  driver.await("the root begins");
  puppet to_driver(s.address(), 5), to_helper(s.address(), 6);
  ASSERT_TRUE(to_driver.join_as_helper());
  ASSERT_TRUE(to_helper.join_as_helper());
  const auto other = to_helper.await([&](const message& m) { return m.what == say::here && (m.flags & flag::driver) == 0 && m.from > 1000; });
  ASSERT_TRUE(other);
  to_helper.turn_to(other->from);
  for (auto kind = say::hello; kind <= heist_test::hcd::last_say; kind = static_cast<say>(static_cast<int>(kind) + 1)) {
    if (kind == say::end) continue;  // that ends the job, as it should
    for (int i = 0; i < each; ++i) {
      send(i % 2 == 0 ? to_driver : to_helper, kind);
      if (i % 1000 != 999 && i + 1 != each) continue;
      ASSERT_TRUE(to_driver.catch_up() && to_helper.catch_up()) << static_cast<int>(kind) << driver.said() << helper.said();
    }
  }
  constexpr long most = 200 * 1024;
  EXPECT_LT(memory_of(driver), most);
  EXPECT_LT(memory_of(helper), most);
  std::ofstream(stop).flush();
  EXPECT_EQ(driver.wait(), 0) << driver.said();
  EXPECT_EQ(driver.first_line(), "0") << driver.said();
  EXPECT_EQ(helper.wait(), 0) << helper.said();
  std::filesystem::remove(stop);
}

TEST(cluster_messages, random_ones_of_every_kind_do_no_harm) {
  storm of;
  expect_no_harm([&](puppet& p, say kind) { p.send(of.any(p, kind)); });
}

TEST(cluster_messages, bent_ones_of_every_kind_do_no_harm) {
  storm of;
  expect_no_harm([&](puppet& p, say kind) { p.send_bytes(of.bent(heist_test::hcd::encode(of.any(p, kind)))); });
}

}  // namespace

// Values to bytes and back, exceptions, and messages: what is not one is refused, whatever it is. And calls of tasks, on this
// machine.

#include <heist/cancelled.hpp>
#include <heist/cluster.hpp>
#include <heist/cluster/build_id.hpp>
#include <heist/cluster/failures.hpp>
#include <heist/cluster/message.hpp>
#include <heist/cluster/pack.hpp>

#include <gtest/gtest.h>

#include <any>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <ios>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <ranges>
#include <system_error>
#include <typeinfo>
#include <variant>

#include <cereal/types/memory.hpp>

namespace hc = heist::cluster;
namespace hcd = heist::cluster::detail;

struct plain {
  std::int32_t a, b;
  bool operator==(const plain&) const = default;
};
template <>
inline constexpr bool heist::cluster::plain_bytes<plain> = true;
struct body {
  double x, y;
  float masses[2];
  bool operator==(const body&) const = default;
};
template <>
inline constexpr bool heist::cluster::plain_bytes<body> = true;

namespace {

struct person {
  std::string name;
  std::vector<int> years;
  template <class Archive>
  void serialize(Archive& a) {
    a(name, years);
  }
  bool operator==(const person&) const = default;
};

template <class T>
hcd::bytes packed(const T& value) {
  hcd::bytes to;
  hcd::writer w(to);
  hcd::put(w, value);
  return to;
}
template <class T>
T unpacked(const hcd::bytes& from) {
  hcd::reader r(from);
  T value = hcd::get<T>(r);
  r.must_be_at_end();
  return value;
}
template <class T>
void comes_back(const T& value) {
  const hcd::bytes b = packed(value);
  EXPECT_EQ(unpacked<T>(b), value);
  // Every shorter text is refused.
  for (std::size_t n = 0; n < b.size(); ++n) {
    const hcd::bytes part(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_THROW(unpacked<T>(part), std::exception);
  }
}

enum class colour : std::uint16_t { red, green };

struct system_of_bodies {
  std::map<int, body> all;
  std::optional<body> sun;
  colour of = colour::red;
  template <class Archive>
  void serialize(Archive& a) {
    a(all, sun, of);
  }
  bool operator==(const system_of_bodies&) const = default;
};

TEST(cluster_bytes, values_come_back) {
  comes_back(1);
  comes_back(std::numeric_limits<std::uint64_t>::max());
  comes_back(-1.5);
  comes_back(true);
  comes_back(3.25L);
  comes_back(colour::green);
  comes_back(std::string("text"));
  comes_back(std::array<short, 3>{1, 2, 3});
  comes_back(std::pair(1, std::string("x")));
  comes_back(std::tuple(1, 'c', 2.5f, std::vector<std::string>{"a", "", "bcd"}));
  comes_back(std::vector<bool>{true, false, true});
  comes_back(std::vector<std::vector<int>>{{1}, {}, {2, 3}});
  comes_back(std::optional<int>(4));
  comes_back(std::optional<int>());
  comes_back(plain{1, 2});
  comes_back(std::vector<plain>{{1, 2}, {3, 4}});
  comes_back(std::vector<body>{{1, 2, {3, 4}}});
  comes_back(person{"Ada", {1815, 1852}});
  comes_back(system_of_bodies{{{1, {1, 2, {3, 4}}}}, body{5, 6, {7, 8}}, colour::green});
  comes_back(std::vector<person>{{"Ada", {1815}}, {}});
}

// Nobody need include cereal's headers for these.
TEST(cluster_bytes, containers_of_the_standard_come_back) {
  comes_back(std::map<std::string, std::vector<int>>{{"a", {1}}, {"b", {}}});
  comes_back(std::set<int>{1, 2});
  comes_back(std::unordered_map<int, std::string>{{1, "x"}, {2, "y"}});
  comes_back(std::unordered_multiset<int>{1, 1, 2});
  comes_back(std::deque<short>{1, 2});
  comes_back(std::list<std::string>{"a"});
  comes_back(std::variant<int, std::string>("x"));
  comes_back(std::complex<double>(1, 2));
  comes_back(std::bitset<70>(5));
  comes_back(std::chrono::milliseconds(7));
}

TEST(cluster_bytes, equal_containers_without_an_order_have_equal_bytes) {
  std::unordered_map<int, std::string> one(1), other(1000);
  std::unordered_set<std::string> words(1), others(1000);
  for (int i = 0; i < 50; ++i) {
    one[i] = other[49 - i] = "x";
    other[i] = one[49 - i] = "x";
    words.insert(std::to_string(i));
    others.insert(std::to_string(49 - i));
  }
  EXPECT_EQ(packed(one), packed(other));
  EXPECT_EQ(packed(std::vector{words}), packed(std::vector{others}));
}

static_assert(hcd::without_padding<body>);
struct ends_with_padding {
  double x;
  float y;
};
static_assert(!hcd::without_padding<ends_with_padding>);

TEST(cluster_bytes, padding_is_not_among_them) {
  EXPECT_EQ(packed(std::pair<char, std::uint32_t>('a', 1)).size(), 5u);
  EXPECT_EQ(packed(1.0L).size(), __LDBL_MANT_DIG__ == 64 ? 10u : 16u);
}

TEST(cluster_bytes, a_size_that_lies_is_refused_before_memory_is_taken) {
  hcd::bytes b = packed(std::vector<int>{1, 2});
  const std::uint64_t lie = std::uint64_t{1} << 60;
  std::memcpy(b.data(), &lie, sizeof lie);
  EXPECT_THROW(unpacked<std::vector<int>>(b), hcd::undecodable);
  EXPECT_THROW(unpacked<std::vector<std::string>>(b), hcd::undecodable);
  hcd::bytes p = packed(person{"Ada", {1}});
  std::memcpy(p.data(), &lie, sizeof lie);
  EXPECT_THROW(unpacked<person>(p), hcd::undecodable);
}

template <class E>
void same_exception(const E& e) {
  const std::exception_ptr back = hcd::unpack_failure(hcd::pack_failure(std::make_exception_ptr(e)));
  ASSERT_NE(back, nullptr);
  try {
    std::rethrow_exception(back);
  } catch (const std::exception& got) {
    EXPECT_EQ(typeid(got), typeid(E));
    EXPECT_STREQ(got.what(), e.what());
  }
}

TEST(cluster_bytes, standard_exceptions_come_back_as_what_they_are) {
  same_exception(std::runtime_error("a"));
  same_exception(std::logic_error("b"));
  same_exception(std::invalid_argument("c"));
  same_exception(std::domain_error("d"));
  same_exception(std::length_error("e"));
  same_exception(std::out_of_range("f"));
  same_exception(std::range_error("g"));
  same_exception(std::overflow_error("h"));
  same_exception(std::underflow_error("i"));
  same_exception(std::bad_alloc());
  same_exception(heist::cancelled());
  same_exception(std::system_error(ENOENT, std::generic_category(), "opening"));
  same_exception(std::system_error(EIO, std::system_category()));
  same_exception(heist::cluster::remote_error("j"));
  same_exception(std::exception());
  same_exception(std::bad_exception());
  same_exception(std::bad_array_new_length());
  same_exception(std::bad_cast());
  same_exception(std::bad_any_cast());
  same_exception(std::bad_typeid());
  same_exception(std::bad_function_call());
  same_exception(std::bad_weak_ptr());
  same_exception(std::bad_optional_access());
  same_exception(std::bad_variant_access());
  same_exception(std::future_error(std::future_errc::broken_promise));
  same_exception(std::ios_base::failure("k"));
  same_exception(std::system_error(std::make_error_code(std::io_errc::stream), "l"));
  const std::error_code none = std::make_error_code(std::errc::no_such_file_or_directory);
  same_exception(std::filesystem::filesystem_error("m", none));
  same_exception(std::filesystem::filesystem_error("n", "/there", none));
  same_exception(std::filesystem::filesystem_error("o", "/there", "/here", none));
}

TEST(cluster_bytes, the_codes_and_paths_of_exceptions_come_back) {
  const auto back = [](auto throws) {
    try {
      throws();
    } catch (...) {
      return hcd::unpack_failure(hcd::pack_failure(std::current_exception()));
    }
    return std::exception_ptr();
  };
  try {
    std::rethrow_exception(back([] { std::filesystem::rename("/no/such/file", "/no/such/place"); }));
  } catch (const std::filesystem::filesystem_error& e) {
    EXPECT_EQ(e.path1(), "/no/such/file");
    EXPECT_EQ(e.path2(), "/no/such/place");
    EXPECT_EQ(e.code(), std::errc::no_such_file_or_directory);
  }
  try {
    std::rethrow_exception(back([] {
      std::ifstream in("/no/such/file");
      in.exceptions(std::ios::failbit);
    }));
  } catch (const std::ios_base::failure& e) {
    EXPECT_EQ(e.code(), std::io_errc::stream);
  }
  try {
    std::rethrow_exception(back([] { throw std::future_error(std::future_errc::no_state); }));
  } catch (const std::future_error& e) {
    EXPECT_EQ(e.code(), std::future_errc::no_state);
  }
}

TEST(cluster_bytes, other_exceptions_come_back_with_type_and_text) {
  struct own : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  for (const auto& e : {std::make_exception_ptr(own("mine")), std::make_exception_ptr(7)}) try {
      std::rethrow_exception(hcd::unpack_failure(hcd::pack_failure(e)));
    } catch (const heist::cluster::remote_error& got) {
      const std::string what = got.what();
      EXPECT_TRUE(what.find("own: mine") != what.npos || what.find("of type int") != what.npos) << what;
    }
}

hcd::message some_message(std::mt19937_64& dice) {
  hcd::message m;
  m.what = static_cast<hcd::say>(dice() % (static_cast<unsigned>(hcd::last_say) + 1));
  m.flags = static_cast<std::uint8_t>(dice());
  m.from = dice() | 1;
  m.of = {dice(), dice()};
  m.number = dice();
  m.text.assign(dice() % 20, 'x');
  m.numbers.resize(dice() % 5, dice());
  m.keys.resize(dice() % 5);
  m.content.resize(dice() % 50);
  return m;
}

TEST(cluster_bytes, messages_come_back) {
  std::mt19937_64 dice(1);
  for (int i = 0; i < 1000; ++i) {
    const hcd::message m = some_message(dice);
    const auto back = hcd::decode(hcd::encode(m));
    ASSERT_TRUE(back);
    EXPECT_EQ(hcd::encode(*back), hcd::encode(m));
  }
}

TEST(cluster_bytes, what_is_no_message_is_refused) {
  std::mt19937_64 dice(2);
  long accepted = 0;
  for (int i = 0; i < 100'000; ++i) {
    hcd::bytes b(dice() % 200);
    for (auto& x : b) x = static_cast<std::byte>(dice());
    accepted += hcd::decode(b).has_value();
  }
  EXPECT_EQ(accepted, 0);
  for (int i = 0; i < 100'000; ++i) {
    hcd::bytes b = hcd::encode(some_message(dice));
    const std::size_t whole = b.size();
    for (unsigned n = 1 + static_cast<unsigned>(dice() % 4); n > 0; --n) b[dice() % b.size()] = static_cast<std::byte>(dice());
    b.resize(dice() % 3 == 0 ? dice() % (whole + 1) : whole);
    if (const auto m = hcd::decode(b)) {  // it may be one again: then it is whole
      EXPECT_EQ(hcd::encode(*m), b);
    }
  }
}

TEST(cluster_bytes, a_build_has_an_id) {
  EXPECT_GE(hcd::build_id().size(), 16u);
  EXPECT_EQ(hcd::build_id(), hcd::build_id());
}

// Calls, on this machine ----------------------------------------------------------------------------------------------

int million(int i) { return 1'000'000 + i % 3; }
HEIST_CLUSTER_TASK(million)
bool is_odd(int i) { return i % 2 != 0; }
HEIST_CLUSTER_TASK(is_odd)
short same(short n) { return n; }
HEIST_CLUSTER_TASK(same)
template <class T, int by>
T times(T n) {
  return n * by;
}
HEIST_CLUSTER_TASK(times<long, 3>)
int held(std::unique_ptr<int> p) { return *p; }
HEIST_CLUSTER_TASK(held)

TEST(cluster_calls, a_loop_combines_numbers_in_the_type_that_loses_nothing) {
  EXPECT_EQ(hc::transform_reduce<&million>(0, 9000, 0L), 9'000'009'000L);
  EXPECT_EQ(hc::transform_reduce<&million>(std::vector<int>(3000, 1), 0L), 3'000'003'000L);
  EXPECT_EQ(hc::transform_reduce<&is_odd>(0, 9000, 0), 4500);
}

std::atomic<long> seen{0};
void see(long i) { seen += i; }
HEIST_CLUSTER_TASK(see)

TEST(cluster_calls, loops_take_ranges_that_count_and_those_that_do_not_lie_in_a_row) {
  const auto big = [](long n) { return n * 1'000'000; };
  EXPECT_EQ(hc::transform_reduce<&million>(std::views::iota(0, 9000), 0L), big(9000) + 9000);
  EXPECT_EQ(hc::transform_reduce<&million>(std::list<int>(3, 0), 0L), big(3));
  EXPECT_EQ(hc::transform_reduce<&million>(std::deque<int>(3, 1) | std::views::drop(1), 5L), big(2) + 7);
  hc::for_each<&see>(std::views::iota(1, 4));
  hc::for_each<&see>(std::list<int>{10});
  hc::for_each_index<&see>(-3, std::size_t{2});  // -3 … 1
  EXPECT_EQ(seen, 6 + 10 - 5);
  EXPECT_EQ(hc::transform_reduce<&million>(std::views::iota(3, 3), 7), 7);
}

TEST(cluster_calls, of_vectors_arrays_spans_and_lists_in_braces) {
  const std::array three{hc::task<&same>(short{1}), hc::task<&same>(short{2}), hc::task<&same>(short{3})};
  EXPECT_EQ(hc::sum(three), 6);
  EXPECT_EQ(hc::sum(std::vector(three.begin(), three.end())), 6);
  EXPECT_EQ(hc::sum(std::span(three).first(2)), 3);
  EXPECT_EQ(hc::sum({hc::task<&same>(short{4}), hc::task<&same>(short{5})}), 9);
  EXPECT_EQ(hc::all(three), (std::vector<short>{1, 2, 3}));
  EXPECT_EQ(hc::reduce<std::plus<>>(three), 6);
}

TEST(cluster_calls, templates_are_tasks) { EXPECT_EQ((hc::sum({hc::task<&times<long, 3>>(5L)})), 15); }

TEST(cluster_calls, arguments_may_be_movable_only) {
  const auto [a, b] = heist::join(hc::task<&held>(std::make_unique<int>(1)), hc::task<&held>(std::make_unique<int>(2)));
  EXPECT_EQ(a + b, 3);
}

// Written down in a program, they are checked as those of the environment are.
TEST(cluster_options, that_name_no_server_or_job_are_refused) {
  hc::options o;
  o.as = hc::role::driver;
  o.job = "test";
  EXPECT_THROW(hc::node{o}, std::invalid_argument);
  o.servers = {"127.0.0.1:4222"};
  EXPECT_THROW(hc::node{o}, std::invalid_argument);
  o.servers = {"nats://127.0.0.1:4222"};
  o.job = "all.*";
  EXPECT_THROW(hc::node{o}, std::invalid_argument);
}

}  // namespace

// Text as heist writes it into files: whatever a program calls itself, a JSON string is one.

#include <heist/base/environment.hpp>
#include <heist/base/text.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace {

using namespace heist::detail;
using namespace std::string_literals;

std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

TEST(a_json_string, has_every_character_of_utf_8_as_it_is) {
  for (const char* const text : {"", "plain", " ~\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                                 "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "a\xc3\xa9z", "\xe2\x82\xac\xe2\x82\xac"})
    EXPECT_EQ(json_string(text), in_quotes(text));
}

TEST(a_json_string, has_a_question_mark_for_each_byte_that_begins_no_character) {
  EXPECT_EQ(json_string("\x80"), in_quotes("?"));                // the middle of one
  EXPECT_EQ(json_string("\xbf!"), in_quotes("?!"));
  EXPECT_EQ(json_string("\xc1\xbf"), in_quotes("??"));           // too long a way to say something short
  EXPECT_EQ(json_string("\xe0\x9f\xbf"), in_quotes("???"));
  EXPECT_EQ(json_string("\xf0\x8f\xbf\xbf"), in_quotes("????"));
  EXPECT_EQ(json_string("\xed\xa0\x80"), in_quotes("???"));      // halves of pairs: the first and the last
  EXPECT_EQ(json_string("\xed\xbf\xbf"), in_quotes("???"));
  EXPECT_EQ(json_string("\xf4\x90\x80\x80"), in_quotes("????")); // past the last
  EXPECT_EQ(json_string("\xff\xfe"), in_quotes("??"));
  EXPECT_EQ(json_string("\xc3"), in_quotes("?"));                // they break off
  EXPECT_EQ(json_string("\xe2\x82"), in_quotes("??"));
  EXPECT_EQ(json_string("\xf0\x9f\x98"), in_quotes("???"));
  EXPECT_EQ(json_string("\xc3z\xe2\x82z\xe2zz"), in_quotes("?z??z?zz"));
  EXPECT_EQ(json_string("\xc3\xc3\xa9"), in_quotes("?\xc3\xa9"));
}

TEST(a_json_string, escapes_quotes_backslashes_and_what_has_no_shape) {
  EXPECT_EQ(json_string("say \"\\\""), in_quotes(R"(say \"\\\")"));
  EXPECT_EQ(json_string("\t\x1f\n"), in_quotes(R"(\u0009\u001f\u000a)"));
  EXPECT_EQ(json_string("\0x"s), in_quotes(R"(\u0000x)"));
}

TEST(print, adds_to_what_is_there_and_cuts_a_line_of_512_characters) {
  std::string s = "a";
  print(s, "%d%s", 1, "b");
  EXPECT_EQ(s, "a1b");
  const std::string longest(511, 'x');
  s.clear();
  print(s, "%s", longest.c_str());
  EXPECT_EQ(s, longest);
  print(s, "%sy", longest.c_str());
  EXPECT_EQ(s, longest + longest);
}

TEST(a_number_from_the_environment, is_nothing_or_in_range_or_refused_with_its_text) {
  constexpr const char* name = "HEIST_TEST_OF_NUMBERS";
  ::unsetenv(name);
  EXPECT_EQ(number_from_environment(name, 1, 10), std::nullopt);
  for (const unsigned n : {1u, 7u, 10u}) {
    ::setenv(name, std::to_string(n).c_str(), 1);
    EXPECT_EQ(number_from_environment(name, 1, 10), n);
  }
  for (const char* const wrong : {"0", "11", "-1", "3x", "x3", " 3", "99999999999999999999"}) {
    ::setenv(name, wrong, 1);
    try {
      number_from_environment(name, 1, 10);
      ADD_FAILURE() << wrong;
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(e.what(), "heist: "s + name + " is \"" + wrong + "\", not a number in 1 … 10");
    }
  }
  ::setenv(name, "18446744073709551615", 1);
  EXPECT_EQ(number_from_environment(name, 1, ~std::uint64_t{0}), ~std::uint64_t{0});
  ::unsetenv(name);
}

TEST(a_word_from_the_environment, is_nothing_or_known_or_refused_with_its_text) {
  constexpr const char* name = "HEIST_TEST_OF_WORDS";
  ::unsetenv(name);
  EXPECT_EQ(word_from_environment(name, {"off", "some", "all"}), std::nullopt);
  ::setenv(name, "", 1);
  EXPECT_EQ(word_from_environment(name, {"off", "some", "all"}), std::nullopt);
  ::setenv(name, "off", 1);
  EXPECT_EQ(word_from_environment(name, {"off", "some", "all"}), 0u);
  ::setenv(name, "all", 1);
  EXPECT_EQ(word_from_environment(name, {"off", "some", "all"}), 2u);
  for (const char* const wrong : {"on", "Off", "off ", "o"}) {
    ::setenv(name, wrong, 1);
    try {
      word_from_environment(name, {"off", "some", "all"});
      ADD_FAILURE() << wrong;
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(e.what(), "heist: "s + name + " is \"" + wrong + "\", not off, some or all");
    }
  }
  ::unsetenv(name);
}

}  // namespace

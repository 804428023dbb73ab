// Charts: the ticks cover the data, and what is drawn is well-formed.

#include <analysis/plot/chart.hpp>
#include <analysis/plot/ticks.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace heist::plot;

std::vector<std::string> labels(const axis& a, const std::vector<double>& values) {
  std::vector<std::string> all;
  const ruler r(a, values, 0, 100);
  for (const auto& t : r.ticks()) all.push_back(t.label);
  return all;
}

TEST(Ticks, AreRoundAndCoverTheValues) {
  EXPECT_EQ(labels({"", scale::linear}, {0.3, 9.2}), (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels({"", scale::linear, 0, 1}, {0.4}), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(labels({"", scale::log2}, {1, 16}), (std::vector<std::string>{"1", "2", "4", "8", "16"}));
  EXPECT_EQ(labels({"", scale::log10}, {0.05, 20'000}),
            (std::vector<std::string>{"0.01", "0.1", "1", "10", "100", "1000", "10k", "100k"}));
}

TEST(Rulers, PutTheEndsAtTheEnds) {
  for (const scale s : {scale::linear, scale::log2, scale::log10}) {
    const ruler r({"", s}, {1, 1000}, 10, 110);
    EXPECT_GE(r.place(1), 10);
    EXPECT_LE(r.place(1000), 110);
    EXPECT_DOUBLE_EQ(r.ticks().front().at, 10);
    EXPECT_NEAR(r.ticks().back().at, 110, 30);
  }
}

TEST(Charts, LeaveOutWhatCannotBeShown) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  chart c{"a < b & c", "", {"x", scale::log2}, {"y", scale::log10}, {{"s", {{1, 1}, {2, 0}, {4, nan}, {8, 100}}}}};
  const std::string svg = to_svg(c);
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  std::size_t dots = 0;
  for (auto at = svg.find("r=\"3\""); at != std::string::npos; at = svg.find("r=\"3\"", at + 1)) ++dots;
  EXPECT_EQ(dots, 3u);  // two points, one in the legend
}

TEST(Charts, AreDrawnOfNothingAndOfOnePoint) {
  EXPECT_NE(to_svg({"", "", {"x"}, {"y"}, {}}).find("</svg>"), std::string::npos);
  EXPECT_NE(to_svg({"", "", {"x"}, {"y"}, {{"s", {{3, 3}}}}}).find("</svg>"), std::string::npos);
  EXPECT_THROW(write_svg({}, "/nowhere/at/all.svg"), std::runtime_error);
}

}  // namespace

// A strand's table of views: whatever is added is found, whatever is removed is not, and a merge keeps the order.

#include <heist/base/random.hpp>
#include <heist/reducer.hpp>

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using heist::detail::reducer_base;
using heist::detail::view_kind;
using heist::detail::view_map;

int views_alive = 0;

struct text {
  std::string value;
};
const view_kind kind{[](const heist::detail::reduced&) -> void* {
                       ++views_alive;
                       return new text;
                     },
                     [](const heist::detail::reduced&, void* left, void* right) noexcept {
                       static_cast<text*>(left)->value += static_cast<text*>(right)->value;
                     },
                     [](void* view) noexcept {
                       --views_alive;
                       delete static_cast<text*>(view);
                     }};

// A reducer outside every pool: in no map unless we put it there.
struct subject {
  text own;
  reducer_base base{kind, &own};

  void add_to(view_map& m, const std::string& value) {
    auto* const view = static_cast<text*>(kind.make(base));
    view->value = value;
    m.add(base, view);
  }
  std::string in(const view_map& m) const {
    const void* const view = m.find(base.key);
    return view != nullptr ? static_cast<const text*>(view)->value : "none";
  }
};

TEST(view_map, finds_what_was_added_and_not_what_was_removed) {
  heist::detail::random dice(1);
  std::vector<std::unique_ptr<subject>> subjects;
  for (int i = 0; i < 300; ++i) subjects.push_back(std::make_unique<subject>());
  {
    view_map m;
    std::map<std::uint64_t, std::string> expected;
    for (int step = 0; step < 20'000; ++step) {
      subject& s = *subjects[dice.below(300)];
      if (expected.contains(s.base.key)) {
        m.remove(s.base.key);
        expected.erase(s.base.key);
      } else {
        s.add_to(m, std::to_string(step));
        expected[s.base.key] = std::to_string(step);
      }
      const subject& other = *subjects[dice.below(300)];
      const auto known = expected.find(other.base.key);
      ASSERT_EQ(other.in(m), known == expected.end() ? "none" : known->second);
      if (const void* const view = m.near(other.base.key)) {
        ASSERT_EQ(view, m.find(other.base.key));
      }
    }
    EXPECT_EQ(views_alive, static_cast<int>(expected.size()));
  }
  EXPECT_EQ(views_alive, 0);
}

TEST(view_map, appends_the_right_map_after_its_own) {
  subject both, only_left, only_right;
  {
    view_map left;
    both.add_to(left, "a");
    only_left.add_to(left, "c");
    {
      view_map right;
      both.add_to(right, "b");
      only_right.add_to(right, "d");
      left.append(std::move(right));
    }
    EXPECT_EQ(both.in(left), "ab");
    EXPECT_EQ(only_left.in(left), "c");
    EXPECT_EQ(only_right.in(left), "d");
    EXPECT_EQ(views_alive, 3);
  }
  EXPECT_EQ(views_alive, 0);
}

TEST(view_map, settles_into_the_reducers_own_values) {
  subject a, b;
  a.own.value = "first ";
  view_map m;
  a.add_to(m, "second");
  m.add(b.base, &b.own);  // its own value: there is nothing to settle
  b.own.value = "alone";
  m.settle();
  EXPECT_EQ(a.own.value, "first second");
  EXPECT_EQ(b.own.value, "alone");
}

}  // namespace

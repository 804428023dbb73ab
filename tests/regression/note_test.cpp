// Found by a model (tests/model/README.md, "The note"): a thief noted its victim's floating-point mode right behind its
// fence, before it had looked whether the item was still there. The victim had popped it, unseen until the fence; by
// the time of the second look it had pushed another at the same index, for a root with another mode.
//
// The thief's fence is this test's own, so that the owner can act at that very moment. Nothing of the library is linked
// that would bring the real one.

#include <heist/deque/deque.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace {

using heist::detail::deque;
using heist::detail::steal_result;

std::function<void()> at_the_fence;

struct alignas(8) item {};

}  // namespace

bool heist::detail::heavy_fence() noexcept {
  at_the_fence();
  return true;
}
bool heist::detail::enable_heavy_fence() noexcept { return true; }

namespace {

TEST(a_thief, notes_nothing_of_a_victim_whose_item_is_gone_behind_the_fence) {
  deque<item> d;
  item only;
  ASSERT_TRUE(d.owner().push(&only));
  bool fenced = false, noted = false;
  at_the_fence = [&] {
    fenced = true;
    EXPECT_FALSE(d.owner().take_back());  // a thief has raised the guard: the owner must settle, and has not yet
  };
  EXPECT_EQ(d.thief().steal_kept([&](deque<item>::boundary) { noted = true; }).outcome, steal_result::empty);
  EXPECT_TRUE(fenced);
  EXPECT_FALSE(noted);
  EXPECT_TRUE(d.owner().settle());
}

TEST(a_thief, notes_once_before_it_takes_the_item) {
  deque<item> d;
  item only;
  ASSERT_TRUE(d.owner().push(&only));
  at_the_fence = [] {};
  int notes = 0;
  const auto r = d.thief().steal_kept([&](deque<item>::boundary) {
    ++notes;
    EXPECT_FALSE(d.seems_empty());  // not claimed yet
  });
  EXPECT_EQ(r.outcome, steal_result::stolen);
  EXPECT_EQ(r.item, &only);
  EXPECT_EQ(notes, 1);
}

// The occupant does not change between the note and the claim: an owner that pops meanwhile wins the item.
TEST(a_thief, loses_an_item_that_is_popped_after_its_note) {
  deque<item> d;
  item former, next;
  ASSERT_TRUE(d.owner().push(&former));
  at_the_fence = [] {};
  const auto r = d.thief().steal_kept([&](deque<item>::boundary) {
    EXPECT_EQ(d.owner().pop(), &former);
    EXPECT_TRUE(d.owner().push(&next));
  });
  EXPECT_EQ(r.outcome, steal_result::lost);
  EXPECT_EQ(d.owner().pop(), &next);
}

}  // namespace

// The books of idle workers: who is to be woken, and by whom.

#include <heist/sleep/idle.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using heist::detail::idle;
using heist::detail::sleeper;

TEST(a_push, wakes_nobody_when_nobody_sleeps) {
  idle books;
  EXPECT_EQ(books.rouse(), nullptr);
  EXPECT_FALSE(books.anybody_asleep());
  EXPECT_EQ(books.searching(), 0);
}

TEST(a_push, wakes_one_sleeper_who_counts_as_a_searcher_at_once) {
  idle books;
  sleeper a, b;
  books.add_asleep(a);
  books.add_asleep(b);
  EXPECT_EQ(books.asleep(), 2);
  EXPECT_EQ(books.rouse(), &b);  // the last to lie down
  EXPECT_EQ(books.searching(), 1);
  EXPECT_EQ(books.asleep(), 1);
}

TEST(a_push, wakes_nobody_while_somebody_searches) {
  idle books;
  sleeper a, b;
  books.add_asleep(a);
  books.add_asleep(b);
  EXPECT_NE(books.rouse(), nullptr);
  EXPECT_EQ(books.rouse(), nullptr);  // no storm
  EXPECT_EQ(books.asleep(), 1);
}

TEST(a_napper, is_not_roused_before_its_nap_is_over) {
  idle books;
  sleeper a, b;
  books.add_asleep(a);
  books.add_asleep(b, idle::rest::nap);
  EXPECT_EQ(books.asleep(), 2);
  EXPECT_EQ(books.rouse(), &a);  // though b lay down last
  books.strike();
  EXPECT_EQ(books.rouse(), nullptr);
  books.end_nap(b);
  EXPECT_EQ(books.rouse(), &b);
}

TEST(a_nappers_seat, can_be_borrowed_and_comes_back_as_a_sleepers) {
  idle books;
  sleeper a;
  books.add_asleep(a, idle::rest::nap);
  EXPECT_EQ(books.borrow(), &a);
  books.add_asleep(a);
  EXPECT_EQ(books.rouse(), &a);
}

TEST(the_last_searcher_that_finds_work, is_told_to_wake_the_next) {
  idle books;
  sleeper a, b;
  books.add_asleep(a);
  books.add_asleep(b);
  books.begin_search();
  books.begin_search();
  EXPECT_FALSE(books.end_search());  // another one searches still
  EXPECT_TRUE(books.end_search());
  EXPECT_NE(books.rouse(), nullptr);
  EXPECT_TRUE(books.end_search());
  EXPECT_NE(books.rouse(), nullptr);
  EXPECT_FALSE(books.end_search());  // nobody is left to wake
  EXPECT_EQ(books.asleep(), 0);
}

TEST(a_searcher_that_lies_down, can_be_roused_and_counts_no_longer) {
  idle books;
  sleeper a;
  books.begin_search();
  books.lie_down(a);
  EXPECT_EQ(books.searching(), 0);
  EXPECT_EQ(books.asleep(), 1);
  EXPECT_EQ(books.rouse(), &a);
}

TEST(a_searcher_that_gets_up_again, is_off_the_list_and_counts) {
  idle books;
  sleeper a, b, c;
  books.add_asleep(a);
  books.begin_search();
  books.lie_down(b);
  books.add_asleep(c);
  EXPECT_TRUE(books.get_up(b));  // from the middle of the list
  EXPECT_EQ(books.searching(), 1);
  EXPECT_EQ(books.asleep(), 2);
  EXPECT_FALSE(books.end_search() && books.rouse() == &b);
}

TEST(a_sleeper_that_was_roused, cannot_get_up_by_itself_too) {
  idle books;
  sleeper a;
  books.begin_search();
  books.lie_down(a);
  EXPECT_EQ(books.rouse(), &a);
  EXPECT_FALSE(books.get_up(a));
  EXPECT_EQ(books.searching(), 1);  // counted once
  EXPECT_EQ(books.asleep(), 0);
}

TEST(a_seat_that_is_borrowed, is_roused_by_nobody_until_it_comes_back) {
  idle books;
  sleeper a;
  EXPECT_EQ(books.borrow(), nullptr);
  books.add_asleep(a);
  EXPECT_EQ(books.borrow(), &a);
  EXPECT_EQ(books.searching(), 0);
  EXPECT_EQ(books.rouse(), nullptr);
  EXPECT_FALSE(books.get_up(a));
  books.add_asleep(a);
  EXPECT_EQ(books.rouse(), &a);
}

TEST(a_seat, is_borrowed_even_while_somebody_searches) {
  idle books;
  sleeper a;
  books.add_asleep(a);
  books.begin_search();
  EXPECT_EQ(books.borrow(), &a);
}

TEST(a_roused_sleeper_that_cannot_run, is_struck_off_and_the_next_can_be_roused) {
  idle books;
  sleeper a, b;
  books.add_asleep(a);
  books.add_asleep(b);
  EXPECT_EQ(books.rouse(), &b);
  books.strike();
  EXPECT_EQ(books.searching(), 0);
  EXPECT_EQ(books.rouse(), &a);
}

// Pushers, searchers and borrowers at once: nobody is handed out twice, and the counts come back to nothing.
TEST(the_books, stay_right_while_many_use_them) {
  struct worker : sleeper {
    std::atomic<int> holders{0};
  };
  idle books;
  std::vector<worker> workers(4);
  for (worker& w : workers) books.add_asleep(w);
  std::atomic<bool> twice{false};
  auto hold = [&](sleeper* s) {
    auto& w = static_cast<worker&>(*s);
    if (w.holders.fetch_add(1) != 0) twice = true;
    std::this_thread::yield();
    w.holders.fetch_sub(1);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20'000; ++i) {
        if (t % 2 == 0) {
          sleeper* const s = books.rouse();
          if (s == nullptr) continue;
          hold(s);
          if (i % 3 == 0) {  // found work, and woke the next
            sleeper* const next = books.end_search() ? books.rouse() : nullptr;
            books.add_asleep(*s);
            if (next != nullptr) books.lie_down(*next);
          } else {  // found none
            books.lie_down(*s);
            if (i % 3 == 1 && books.get_up(*s)) {
              hold(s);
              books.lie_down(*s);
            }
          }
        } else if (sleeper* const s = books.borrow()) {
          hold(s);
          books.add_asleep(*s);
        }
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_FALSE(twice);
  EXPECT_EQ(books.searching(), 0);
  EXPECT_EQ(books.asleep(), 4);
  int found = 0;
  while (books.borrow() != nullptr) ++found;
  EXPECT_EQ(found, 4);
}

}  // namespace

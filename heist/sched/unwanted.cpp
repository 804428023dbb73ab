#include <heist/cancelled.hpp>
#include <heist/measure/hooks.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/sched/scope_books.hpp>
#include <heist/sched/this_child.hpp>
#include <heist/sched/unwanted.hpp>
#include <heist/sched/waiter.hpp>
#include <heist/strand/seat.hpp>

#include <cstdint>
#include <utility>

namespace heist::detail {

namespace {

bool says_cancelled(const std::exception_ptr& e) noexcept {
  try {
    std::rethrow_exception(e);
  } catch (const cancelled&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

// Walks up from the strand through what encloses it. Each of these waits for the strand, so it
// exists. A parked forker is a part of what it was when it parked. One that is not parked runs, and
// checks for itself: if it is unwanted, its exception makes the branch unwanted, too.
bool is_unwanted(part p) noexcept {
  while (p.of != nullptr) {
    if (p.number != part::stolen_branch) {
      const auto& scope = *static_cast<const scope_books*>(p.of);
      if (scope.stops(p.number)) return true;
      p = scope.made_by();
      continue;
    }
    // order[job.park]: the waiter whole, and its stack
    // order[alarm.park]: after the alarm has begun; a forker that parks later asks for it
    const std::uintptr_t word = static_cast<const job*>(p.of)->word.load(std::memory_order_seq_cst);
    if (!job::parked(word)) return false;
    const waiter& forker = waiter_in(word);
    if (forker.renounced) return true;
    if (forker.unwinding || forker.parked == nullptr) return false;
    p = forker.parked->part_of.get();
  }
  return false;
}

void look_whether_wanted() {
  seat& s = *this_seat();
  const stack* const mine = s.running.get();
  if (mine == nullptr) return;
  if (thread_at(s).unwinding()) return s.look_at_next_fork();  // when that is over
  if (is_unwanted(mine->part_of.get())) throw cancelled();
}

void throw_if_it_says_more(std::exception_ptr later) {
  if (handles_cancelled() && !says_cancelled(later)) std::rethrow_exception(std::move(later));
}

// Calls with a stop token -------------------------------------------------------------------------------------------

namespace {

// The only child of a scope: a function by its address.
struct body_call {
  explicit body_call(spawned& record) noexcept : body_call(*static_cast<const body_call*>(record.function)) {}
  body_call(void (*what)(void*), void* with) noexcept : body(what), argument(with) {}

  void run() noexcept {
    run([] { this_child::fail(); });
  }
  template <class Fail>
  void run(Fail fail) noexcept {
    try {
      strand_of([this] { body(argument); });
    } catch (...) {
      fail();
    }
  }

  void (*body)(void*);
  void* argument;
};

}  // namespace

void run_until(const std::stop_token& token, void (*body)(void*), void* argument) {
  body_call c(body, argument);
  scope_books books(token);
  spawned child(books, &c);
  if (books.start(child, run_spawned<body_call>) == spawning::here) {
    begin_measured_child(0);
    c.run([&] { books.fail(child.number); });
    end_measured_child(books);
  }
  books.wait();
  if (std::exception_ptr e = books.take_failure()) std::rethrow_exception(std::move(e));
}

}  // namespace heist::detail

#include <heist/base/sanitizer.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/scope_books.hpp>
#include <heist/sched/until.hpp>

#include <exception>
#include <utility>

namespace heist::detail {

namespace {

struct call {
  void (*body)(void*);
  void* argument;

  void run(scope_books& owner, std::int64_t number) const noexcept {
    try {
      strand_of([this] { body(argument); });
    } catch (...) {
      owner.fail(number);
    }
  }
};

// On the child's stack, as in scope::spawn.
stack* run_child(void* self) noexcept {
  tsan_acquire(self);
  auto& record = *static_cast<spawned*>(self);
  const call mine = *static_cast<const call*>(record.function);
  scope_books& owner = *record.owner;
  stack& parent = *record.parent;
  const std::int64_t number = record.number;
  const forked how = leave_parent(record, parent, number);
  mine.run(owner, number);
  return end_child(owner, number, parent, how);
}

}  // namespace

void run_until(const std::stop_token& token, void (*body)(void*), void* argument) {
  call c{body, argument};
  scope_books books(token);
  spawned child(books, &c);
  if (books.start(child, run_child) == spawning::here) {
    begin_measured_child(0);
    c.run(books, child.number);
    end_measured_child(books);
  }
  books.wait();
  if (std::exception_ptr e = books.take_failure()) std::rethrow_exception(std::move(e));
}

}  // namespace heist::detail

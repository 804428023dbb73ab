#include <heist/join.hpp>
#include <heist/measure/hooks.hpp>
#include <heist/sched/wait.hpp>

namespace heist::detail {

namespace {

std::exception_ptr take_failure(std::exception_ptr& from) noexcept {
  std::exception_ptr e;
  e.swap(from);
  from.~exception_ptr();
  return e;
}

}  // namespace

void join_tripped(worker& w, forking_way way, address first, const second_branch& second) {
  tripped(w);
  wait::give_way();
  measured_fork fork;
  try {
    if (way == forking_way::may_stop)
      stop_if_unwanted();
    else
      this_worker()->look_at_next_fork();
    branch_of([&] { first.call(); });
  } catch (...) {
    fork.first_threw();
    if (!this_worker()->jobs.owner().take_back()) abandon(second.fork, second.failure, second.destroy_value);
    throw;
  }
  fork.first_ended();
  if (this_worker()->jobs.owner().take_back())
    second.leave_value.call();
  else
    collect(second.fork, second.failure, second.leave_value);
}

void join_rest(forking_way way, void (*const* calls)(void*), std::size_t n, void* argument) {
  if (n == 1) return calls[0](argument);
  auto first = [&] { calls[0](argument); };
  auto rest = [&] { join_rest(way, calls + 1, n - 1, argument); };
  if (way == forking_way::steady)
    join_pair<forking_way::steady>(*this_worker(), first, rest);
  else
    join_pair<forking_way::may_stop>(*this_worker(), first, rest);
}

void join_outside(forking_way way, address first, const second_branch& second) {
  struct whole {
    forking_way way;
    address first;
    const second_branch& second;
  } all{way, first, second};
  auto run = [](void* argument) {
    const whole& j = *static_cast<whole*>(argument);
    check_no_lock_held();
    worker& w = *this_worker();
    static_cast<void>(w.jobs.owner().push(j.second.item));
    join_tripped(w, j.way, j.first, j.second);
  };
  run_outside(run, &all);
}

void collect(job& fork, std::exception_ptr& failure, address leave_value) {
  switch (reclaim(fork)) {
    case ending::ours: leave_value.call(); break;
    case ending::done: break;
    case ending::failed: std::rethrow_exception(take_failure(failure));
  }
}

void abandon(job& fork, std::exception_ptr& failure, address destroy_value) {
  switch (renounce(fork)) {
    case ending::ours: break;
    case ending::done:
      if (destroy_value.function != nullptr) destroy_value.call();
      break;
    case ending::failed: throw_if_it_says_more(take_failure(failure));
  }
}

}  // namespace heist::detail

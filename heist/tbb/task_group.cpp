#include <heist/race.hpp>
#include <heist/tbb/task_group.hpp>

#include <algorithm>

namespace heist::tbb {

task_group::~task_group() {
  std::unique_lock hold(lock_);
  while (out_ > 0) all_ended_.wait(hold);
  race_acquire(this);
}

void task_group::begin() noexcept {
  const std::lock_guard hold(lock_);
  ++out_;
}

bool task_group::wanted(std::stop_token& token) noexcept {
  const std::lock_guard hold(lock_);
  token = context_ != nullptr ? context_->token() : stop_.get_token();
  return !token.stop_requested();
}

void task_group::fail() noexcept {
  const bool only_stopped = detail::handles_cancelled();
  std::exception_ptr e = detail::carry_exception();
  {
    const std::lock_guard hold(lock_);
    const bool stopped = context_ != nullptr ? context_->is_group_execution_cancelled() : stop_.stop_requested();
    if (failure_ != nullptr || (only_stopped && stopped)) return;
    failure_ = std::move(e);
  }
  cancel();
}

void task_group::end() noexcept {
  race_release(this);  // comes before what follows the wait
  const std::lock_guard hold(lock_);
  if (--out_ == 0) all_ended_.notify_all();
}

task_group_status task_group::wait() {
  std::unique_lock hold(lock_);
  while (out_ > 0) all_ended_.wait(hold);
  race_acquire(this);
  const bool stopped = context_ != nullptr ? context_->is_group_execution_cancelled() : stop_.stop_requested();
  if (stopped) context_ != nullptr ? context_->reset() : void(stop_ = std::stop_source());
  if (std::exception_ptr e = std::exchange(failure_, nullptr)) {
    hold.unlock();
    std::rethrow_exception(std::move(e));
  }
  return stopped ? canceled : complete;
}

void task_group::cancel() {
  std::stop_source stop;
  {
    const std::lock_guard hold(lock_);
    if (context_ == nullptr) stop = stop_;
  }
  context_ != nullptr ? context_->cancel_group_execution() : stop.request_stop();
}

bool task_group::is_canceling() {
  const std::lock_guard hold(lock_);
  return context_ != nullptr ? context_->is_group_execution_cancelled() : stop_.stop_requested();
}

task_arena::~task_arena() = default;

void task_arena::initialize() { mine(); }

void task_arena::terminate() {
  std::unique_ptr<pool> ends;
  const std::lock_guard hold(lock_);
  ends = std::move(own_);
  active_ = false;
}

bool task_arena::is_active() const {
  const std::lock_guard hold(lock_);
  return active_;
}

int task_arena::max_concurrency() const {
  return static_cast<int>(wanted_ > 0 ? static_cast<unsigned>(wanted_) : detail::controlled_pool().workers());
}

pool& task_arena::mine() {
  const std::lock_guard hold(lock_);
  active_ = true;
  if (wanted_ <= 0) return detail::controlled_pool();
  if (own_ == nullptr) {
    options o;
    o.workers = o.most_callers = static_cast<unsigned>(wanted_);
    own_ = std::make_unique<pool>(o);
  }
  return *own_;
}

int this_task_arena::max_concurrency() {
  return static_cast<int>(detail::this_worker() != nullptr ? detail::workers_here() : detail::controlled_pool().workers());
}

bool is_current_task_group_canceling() {
  try {
    detail::stop_if_unwanted();
    return false;
  } catch (const cancelled&) {
    return true;
  }
}

}  // namespace heist::tbb

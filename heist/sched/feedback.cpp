#include <heist/sched/feedback.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/share/equipartition.hpp>
#include <heist/topology/parallelism.hpp>

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <vector>

namespace heist::detail {

namespace {
std::atomic<unsigned> pools{0};
}

feedback::feedback(scheduler& of, mode m, unsigned most) : pool_(of), on_(m == mode::on), most_(most) {
  if (!on_) return;
  place_.emplace(board::of_user());
  notice_.process = static_cast<std::uint32_t>(::getpid());
  notice_.pool = pools.fetch_add(1, std::memory_order_relaxed);
  const std::size_t letters = std::min(std::strlen(program_invocation_short_name), notice_.program.size());
  std::memcpy(notice_.program.data(), program_invocation_short_name, letters);
}

void feedback::begin() noexcept {
  // order[feedback.begin]: after the thread has begun to search or work; look() takes it back, then asks whether all rest
  if (passing_.load(std::memory_order_seq_cst) || passing_.exchange(true, std::memory_order_seq_cst)) return;
  if (!pool_.timers.wake()) passing_.store(false, std::memory_order_relaxed);  // no thread: the pool stays as it is
}

nanoseconds feedback::look() noexcept {
  if (!on_ || !passing_.load(std::memory_order_relaxed)) return never;
  const nanoseconds time = now();
  if (began_ == never) {
    began_ = time;
    worked_ = pool_.worked();
    employ(desire_.get());
    return ends_ = time + length;
  }
  if (time >= ends_) end_quantum(time);
  return ends_;
}

void feedback::end_quantum(nanoseconds time) noexcept {
  const nanoseconds worked = pool_.worked();
  const unsigned had = pool_.workers();
  const double share = static_cast<double>(worked - worked_) / (static_cast<double>(time - began_) * had);
  if (pool_.seats.all_rest()) return rest();
  static_cast<void>(desire_.judge(share, had, most()));
  tell(static_cast<unsigned>(100 * std::clamp(share, 0.0, 1.0)));
  employ(desire_.get());
  began_ = time;
  worked_ = worked;
  ends_ = time + length;
}

void feedback::employ(unsigned desired) noexcept {
  try {
    const unsigned n = std::min({desired, most(), allotment()});
    if (n != pool_.workers()) pool_.employ(n);
  } catch (const std::exception&) {  // no memory: the pool stays as it is
  }
}

// Nothing ticks in an idle pool, and it desires nothing.
void feedback::rest() noexcept {
  desire_.restart();
  began_ = ends_ = never;
  notice_.desire = 0;
  tell(0);
  // order[feedback.begin]: then ask again; a thread that begins later sees this
  passing_.store(false, std::memory_order_seq_cst);
  if (!pool_.seats.all_rest()) begin();
}

// What is left to the pools of this user, divided by desires.
unsigned feedback::allotment() {
  const std::vector<board::entry> others = board::of_user().read();
  const nanoseconds time = now();
  if (time >= look_again_) {
    machine_ = available_parallelism({});
    look_again_ = time + 1'000'000'000;
    if (!place_->taken()) place_.emplace(board::of_user());  // somebody had all slots
  }
  const unsigned processors = machine_ - std::min(machine_ - 1, foreign_.processors(others));
  std::vector<unsigned> desires;
  std::size_t mine = others.size();
  for (const board::entry& e : others) {
    const auto& [slot, what] = e;
    const bool ours = place_->taken() && slot == place_->slot();
    if (what.desire == 0 || (!ours && silence_.has_stopped(e, time))) continue;
    if (ours) mine = desires.size();
    desires.push_back(std::min<unsigned>(what.desire, machine_));
  }
  if (mine >= desires.size()) {  // nobody sees us: as if we stood last
    mine = desires.size();
    desires.push_back(desire_.get());
  }
  return equipartition(processors, desires)[mine];
}

void feedback::tell(unsigned efficiency) noexcept {
  if (began_ != never) notice_.desire = desire_.get();
  notice_.workers = pool_.workers();
  notice_.efficiency = efficiency;
  notice_.steals = pool_.steals();
  notice_.work = static_cast<std::uint64_t>(pool_.worked());
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  notice_.processor = static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(used.tv_nsec);
  ++notice_.quanta;
  place_->write(notice_);
}

}  // namespace heist::detail

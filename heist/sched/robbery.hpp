#pragma once
// One attempt of a worker without work to take something from another one.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/options.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/sched/stock.hpp>
#include <heist/strand/seat.hpp>
#include <heist/topology/shape.hpp>

#include <array>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

class robbery {
 public:
  // `shape` is null if all victims are on one node.
  robbery(scheduler& of, heist::steal how, const machine_shape* shape, pool_thread& thief, seat& victim) noexcept
      : pool_(of), how_(how), shape_(shape), thief_(thief), victim_(victim) {}

  // The thief: the job that it runs first; `what` is null if there was nothing to be had. What else came is in its stock.
  stolen_job run() noexcept;

 private:
  stolen_job rob_stock() noexcept;
  stolen_job rob_deque() noexcept;
  steal_result claim_shared() noexcept;
  steal_result claim_kept() noexcept;
  // The victim shares nothing of what it has: true if it does now.
  bool ask_to_share() noexcept;
  bool may_take_several() noexcept;
  void keep(std::span<const stolen_job> along) noexcept;
  void keep_all_but_first() noexcept;
  stolen_job taken(std::size_t i) const noexcept;
  // The theft has succeeded, and began at `start`; `from` is who had what was stolen.
  void count_steal(unsigned from, nanoseconds start) noexcept;

  // What else must be known about the items of a claim, read before it: deque/README.md, "The note".
  struct note {
    deque<job>::boundary at;
    terms its{};
    std::int64_t measured_from = seat::never;
  };
  auto note_taker() noexcept {
    return [this](deque<job>::boundary at) {
      noted_ = {at, {victim_.now.root_mode.get(), false, victim_.now.root.get()}, victim_.measured_from.get()};
    };
  }

  scheduler& pool_;
  const heist::steal how_;
  const machine_shape* const shape_;
  pool_thread& thief_;
  seat& victim_;

  note noted_;
  std::array<job*, stock::most> seen_;  // the first size_ are claimed, the oldest first
  std::size_t size_ = 0;
  bool travels_ = false;  // if it is one
  reach over_ = reach::own_node;
};

}  // namespace heist::detail

HEIST_END

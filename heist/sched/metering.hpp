#pragma once
// Counts the measurements of a pool. While there is one, every fork takes the path that has the
// meter's hooks.

#include <heist/base/export.hpp>
#include <heist/measure/program_profile.hpp>
#include <heist/sched/victims.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

class metering : public metered_pool {
 public:
  metering(scheduler& of, victim_list& victims) noexcept : pool_(of), victims_(victims) {}

  // Any thread. The pool is measured from the first begin() to the last end().
  void begin() noexcept override;
  void end() noexcept override;
  void count(measurement& m) override;

  // A seat joins the list of victims, or the number has changed; under the list's lock.
  void greet(seat& s) noexcept;

 private:
  scheduler& pool_;
  victim_list& victims_;
  std::atomic<unsigned> meters_{0};
};

// A measurement for the length of a block.
class metered_block {
 public:
  explicit metered_block(metering* of) noexcept : of_(of) {  // null: none
    if (of_ != nullptr) of_->begin();
  }
  ~metered_block() {
    if (of_ != nullptr) of_->end();
  }
  metered_block(const metered_block&) = delete;
  metered_block& operator=(const metered_block&) = delete;

 private:
  metering* const of_;
};

}  // namespace heist::detail

HEIST_END

#pragma once
// progress: how far a long loop has come.

#include <heist/base/cell.hpp>
#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// Passed last to a loop or a fold, which adds the elements of each block when it has done them:
//
//   heist::progress p(files.size(), heist::progress_bar("indexing"));
//   heist::for_each(files, index, p);
//
// The report is called at most so many times a second, by the strands that add, one at a time; and once more, by finish() or
// the destructor, if something has been added since. It should be short. What it throws leaves the loop, except from the
// destructor. Without a report it is a counter, to be read from another thread.
class HEIST_TYPE progress {
 public:
  struct HEIST_TYPE state {
    std::size_t done, total;             // total 0: not known
    std::chrono::nanoseconds elapsed;    // since the progress was made
    bool finished;                       // this is the last report

    // Between 0 and 1; 0 if the total is not known.
    HEIST_OWN double part() const noexcept { return total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total); }
    // The time that the rest will take, at the speed so far; 0 if that is not known.
    HEIST_API std::chrono::nanoseconds remaining() const noexcept;
  };

  HEIST_API explicit progress(std::size_t total = 0);
  template <class Report>
    requires(std::is_invocable_v<Report&, const state&> || std::is_invocable_v<Report&, std::size_t, std::size_t>)
  HEIST_OWN progress(std::size_t total, Report report, double times_a_second = 10)
      : progress(total, wrap(std::move(report)), times_a_second, 0) {}
  HEIST_API ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  // Any thread. Loops call it; call it yourself for work that no loop counts.
  HEIST_OWN void add(std::size_t n = 1) const {
    done_.fetch_add(n, std::memory_order_relaxed);
    if (report_) report_if_due();
  }
  [[nodiscard]] HEIST_OWN std::size_t done() const noexcept { return done_.load(std::memory_order_relaxed); }
  [[nodiscard]] HEIST_OWN std::size_t total() const noexcept { return total_; }
  // The last report, now.
  HEIST_API void finish();

 private:
  using reporter = std::function<void(const state&)>;

  HEIST_API progress(std::size_t total, reporter report, double times_a_second, int);
  template <class Report>
  HEIST_OWN static reporter wrap(Report report) {
    if constexpr (std::is_invocable_v<Report&, const state&>)
      return report;
    else
      return [report = std::move(report)](const state& s) mutable { report(s.done, s.total); };
  }
  HEIST_API void report_if_due() const;
  state now() const;

  alignas(detail::cache_line) mutable std::atomic<std::size_t> done_{0};
  alignas(detail::cache_line) mutable std::atomic<std::uint64_t> due_{0};  // in ticks, of the next report
  mutable std::mutex reporting_;
  mutable std::size_t reported_ = ~std::size_t{0};  // `done` at the last report; under reporting_
  bool finished_ = false;
  const std::size_t total_;
  const reporter report_;
  const std::uint64_t pause_;  // between reports, in ticks
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// A report that draws a bar on the terminal, on stderr:
//   indexing [##########··········]  50 %  1,024 of 2,048  0:12 left
// If stderr is no terminal it writes nothing, except the last line.
class HEIST_TYPE progress_bar {
 public:
  HEIST_OWN_VALUE(progress_bar);
  HEIST_API explicit progress_bar(std::string label);
  HEIST_API void operator()(const progress::state& s) const;
  // The line that it writes, for a terminal of this width.
  [[nodiscard]] HEIST_API std::string line(const progress::state& s, std::size_t width) const;

 private:
  std::string label_;
};

}  // namespace heist

HEIST_END

#include <heist/base/cpu.hpp>
#include <heist/progress.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace heist {

namespace {

std::uint64_t ticks_between(double times_a_second) {
  if (!(times_a_second > 0))
    throw std::invalid_argument("heist: a progress reports a positive number of times a second");
  constexpr double most = 1e15;
  const double pause = 1e5 * static_cast<double>(detail::ten_microseconds_in_ticks()) / times_a_second;
  return static_cast<std::uint64_t>(std::min(pause, most));
}

std::string with_commas(std::size_t n) {
  std::string text = std::to_string(n);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string minutes(std::chrono::nanoseconds t) {
  const long long seconds = std::chrono::duration_cast<std::chrono::seconds>(t).count();
  char text[32];
  if (seconds >= 3600)
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60, seconds % 60);
  else
    std::snprintf(text, sizeof text, "%lld:%02lld", seconds / 60, seconds % 60);
  return text;
}

}  // namespace

std::chrono::nanoseconds progress::state::remaining() const noexcept {
  if (done == 0 || total <= done) return {};
  const double left = static_cast<double>(elapsed.count()) * static_cast<double>(total - done) / static_cast<double>(done);
  return std::chrono::nanoseconds(static_cast<long long>(std::min(left, 9e18)));
}

progress::progress(std::size_t total) : total_(total), pause_(0) {}
progress::progress(std::size_t total, reporter report, double times_a_second, int)
    : total_(total), report_(std::move(report)), pause_(ticks_between(times_a_second)) {
  due_.store(detail::ticks() + pause_, std::memory_order_relaxed);
}
progress::~progress() {
  try {
    finish();
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is nobody to tell
  }
}

progress::state progress::now() const {
  return {done(), total_, std::chrono::steady_clock::now() - began_, false};
}

void progress::report_if_due() const {
  const std::uint64_t time = detail::ticks();
  if (time < due_.load(std::memory_order_relaxed)) return;
  const std::unique_lock one_at_a_time(reporting_, std::try_to_lock);
  if (!one_at_a_time || time < due_.load(std::memory_order_relaxed)) return;
  due_.store(time + pause_, std::memory_order_relaxed);
  const state s = now();
  reported_ = s.done;
  report_(s);
}

void progress::finish() {
  if (!report_) return;
  const std::lock_guard one_at_a_time(reporting_);
  state s = now();
  if (finished_ && s.done == reported_) return;
  s.finished = finished_ = true;
  reported_ = s.done;
  report_(s);
}

progress_bar::progress_bar(std::string label) : label_(std::move(label)) {}

std::string progress_bar::line(const progress::state& s, std::size_t width) const {
  std::string front = label_.empty() ? "" : label_ + " ";
  if (s.total == 0) return front + with_commas(s.done) + "  " + minutes(s.elapsed);
  char percent[16];
  std::snprintf(percent, sizeof percent, " %3.0f %%", std::floor(100 * std::min(s.part(), 1.0)));
  std::string rest = std::string(percent) + "  " + with_commas(s.done) + " of " + with_commas(s.total);
  rest.append("  ").append(minutes(s.finished ? s.elapsed : s.remaining())).append(s.finished ? "" : " left");
  const std::size_t used = front.size() + rest.size() + 2;
  const std::size_t room = width > used + 10 ? std::min<std::size_t>(width - used - 1, 40) : 0;
  if (room == 0) return front + rest.substr(1);
  const auto full = static_cast<std::size_t>(std::min(s.part(), 1.0) * static_cast<double>(room));
  std::string bar("[");
  bar.append(full, '#');
  for (std::size_t k = full; k < room; ++k) bar += "·";
  return front + bar + "]" + rest;
}

void progress_bar::operator()(const progress::state& s) const {
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (!terminal && !s.finished) return;
  winsize size{};
  if (!terminal || ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size.ws_col = 80;
  // One write, so that it is not torn; \033[K clears what a longer line has left.
  std::string text(terminal ? "\r" : "");
  text.append(line(s, size.ws_col)).append(terminal ? "\033[K" : "").append(s.finished ? "\n" : "");
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace heist

#include <cli/progress.hpp>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <system_error>

namespace heist::cli {

using namespace std::chrono_literals;

// A thread paints, so that the bar also moves while a single step takes long.
progress::progress(std::string what, std::size_t all) : what_(std::move(what)), all_(all) {
  if (all == 0 || ::isatty(STDERR_FILENO) != 1) return;
  try {
    painter_ = std::jthread([this](const std::stop_token& over) { watch(over); });
  } catch (const std::system_error&) {  // no thread, no bar
  }
}

progress::~progress() = default;

void progress::watch(const std::stop_token& over) {
  sigset_t all;  // signals are the main thread's
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  const auto start = std::chrono::steady_clock::now();
  std::mutex alone;
  std::condition_variable_any never;
  std::unique_lock hold(alone);
  bool drawn = false;
  for (auto pause = 2000ms; !never.wait_for(hold, over, pause, [&] { return over.stop_requested(); }); pause = 250ms) {
    draw(std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start));
    drawn = true;
  }
  if (drawn) std::fprintf(stderr, "\r\033[K");
}

void progress::draw(std::chrono::seconds passed) const {
  constexpr std::size_t width = 40;
  const std::size_t done = std::min(done_.load(), all_);
  std::string bar(width, ' ');
  if (all_ > 1) {
    bar.replace(0, done * width / all_, done * width / all_, '#');
  } else {
    const auto at = static_cast<std::size_t>(passed.count()) % (width - 3);
    bar.replace(at, 3, "###");
  }
  const std::string count = all_ > 1 ? std::to_string(done) + " of " + std::to_string(all_) + ", " : "";
  std::fprintf(stderr, "\r\033[K%s [%s] %s%lld s", what_.c_str(), bar.c_str(), count.c_str(),
               static_cast<long long>(passed.count()));
  std::fflush(stderr);
}

}  // namespace heist::cli

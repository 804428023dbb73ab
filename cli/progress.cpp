#include <cli/progress.hpp>

#include <unistd.h>

#include <cstdio>

namespace heist::cli {

progress::progress(std::string what, std::size_t all)
    : what_(std::move(what)), all_(all), visible_(all > 0 && ::isatty(STDERR_FILENO) == 1) {}

progress::~progress() {
  if (visible_ && drawn_ > 0) std::fprintf(stderr, "\r\033[K");
}

void progress::step() {
  ++done_;
  // At most a thousand times.
  if (!visible_ || (done_ - drawn_) * 1000 < all_) return;
  drawn_ = done_;
  draw();
}

void progress::draw() const {
  constexpr std::size_t width = 40;
  const std::size_t full = done_ * width / all_;
  std::fprintf(stderr, "\r%s [%s%s] %zu of %zu", what_.c_str(), std::string(full, '#').c_str(),
               std::string(width - full, ' ').c_str(), done_, all_);
  std::fflush(stderr);
}

}  // namespace heist::cli

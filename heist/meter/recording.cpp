#include <heist/meter/recording.hpp>

#include <utility>

namespace heist::detail {

void recording::number(std::uint64_t n) {
  for (; n >= 0x80; n >>= 7) bytes_.push_back(static_cast<unsigned char>(n | 0x80));
  bytes_.push_back(static_cast<unsigned char>(n));
}

void recording::write(step s) {
  flush();
  bytes_.push_back(static_cast<unsigned char>(s));
}

void recording::flush() {
  if (strand_.ticks == 0 && strand_.forks == 0) return;
  bytes_.push_back(static_cast<unsigned char>(step::strand));
  number(strand_.ticks);
  number(strand_.forks);
  strand_ = {};
}

void recording::strand(std::uint64_t ticks) noexcept {
  strand_.ticks += ticks;
  total_.ticks += ticks;
}

void recording::open(step s) {
  bracket b{bytes_.size(), strand_, total_};
  ++total_.forks;
  write(s);
  if (s == step::child) b.from = bytes_.size(), b.before = {};  // the child stays; its content may be cut
  open_.push_back(b);
}

// What was queued in it and has not run is needed: it begins there.
bool recording::small(const bracket& b) const noexcept {
  return total_.ticks - b.total.ticks < grain_ && total_.queued == b.total.queued;
}

void recording::join() {
  if (open_.empty()) {
    ++closed_;
    return write(step::join);
  }
  const bracket b = open_.back();
  open_.pop_back();
  if (!small(b)) return write(step::join);
  bytes_.resize(b.from);
  strand_ = b.before + (total_ - b.total);
}

void recording::child_end(const void* scope) {
  const bracket b = open_.back();
  open_.pop_back();
  if (small(b)) {
    bytes_.resize(b.from);
    strand_ = total_ - b.total;
    --strand_.forks;  // its own spawn is written
  }
  write(step::child_end);
  number(reinterpret_cast<std::uintptr_t>(scope));
}

void recording::queued(const void* scope, std::int64_t n) {
  ++total_.forks;
  ++total_.queued;
  write(step::queued);
  number(reinterpret_cast<std::uintptr_t>(scope));
  number(static_cast<std::uint64_t>(n));
}

void recording::later(const void* scope, std::int64_t n, const recording& child) {
  --total_.queued;
  write(step::later);
  number(reinterpret_cast<std::uintptr_t>(scope));
  number(static_cast<std::uint64_t>(n));
  append(child);
  write(step::child_end);
  number(reinterpret_cast<std::uintptr_t>(scope));
}

void recording::sync(const void* scope) {
  write(step::sync);
  number(reinterpret_cast<std::uintptr_t>(scope));
}

void recording::append(const recording& other) {
  if (other.bytes_.empty()) {  // at most a strand, which goes on
    strand_ = strand_ + other.strand_;
    total_ = total_ + other.total_;
    return;
  }
  flush();
  for (std::size_t n = other.closed_; n > 0; --n) open_.empty() ? static_cast<void>(++closed_) : open_.pop_back();
  for (bracket b : other.open_) {
    b.from += bytes_.size();
    b.total = b.total + total_;
    open_.push_back(b);
  }
  bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
  strand_ = other.strand_;
  total_ = total_ + other.total_;
}

void recording::beside(const recording& other) {
  recording both;
  both.fork();
  both.append(*this);
  both.second();
  both.append(other);
  both.join();
  *this = std::move(both);
}

const std::vector<unsigned char>& recording::finished() {
  flush();
  return bytes_;
}

}  // namespace heist::detail

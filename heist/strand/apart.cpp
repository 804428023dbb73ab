#include <heist/strand/apart.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/worker.hpp>

#include <memory>
#include <utility>

namespace heist::detail {

namespace {
bool stop(strand_clock* c) noexcept {
  if (c == nullptr || !c->running()) return false;
  end_stretch(*c);
  return true;
}
}  // namespace

apart::apart() noexcept : clock_(own_clock()), ran_(stop(clock_)), own_(this_worker()->now.own.replace(nullptr)) {}

apart::~apart() {
  std::unique_ptr<belongings> since = give_belongings();
  this_worker()->now.own.set(own_);
  receive_belongings(std::move(since));
  if (ran_) clock_->begin();
}

}  // namespace heist::detail

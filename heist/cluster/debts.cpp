#include <heist/cluster/debts.hpp>

#include <algorithm>
#include <set>

namespace heist::cluster::detail {

using heist::detail::now;

namespace {
constexpr nanoseconds resend_after = 1'000'000'000;
}

std::shared_ptr<debt> debts::enter(node_id lender, std::uint64_t number, const entry& what, bytes arguments) {
  const std::lock_guard hold(lock_);
  auto& place = here_[{lender, number}];
  if (place != nullptr) return nullptr;
  place = std::make_shared<debt>(lender, number, what, std::move(arguments));
  ++running_;
  return place;
}

bool debts::end(debt& d, const message& result) {
  const std::lock_guard hold(lock_);
  --running_;
  d.ended = true;
  if (d.forgotten) return false;
  d.result = result;
  d.sent = now();
  return true;
}

debts::answer debts::compare(node_id lender, const std::vector<std::uint64_t>& numbers) {
  answer a;
  const std::set<std::uint64_t> listed(numbers.begin(), numbers.end());
  {
    const std::lock_guard hold(lock_);
    for (const std::uint64_t n : listed) {
      const auto at = here_.find({lender, n});
      if (at == here_.end()) {
        a.missing.push_back(n);
      } else if (at->second->ended && now() - at->second->sent > resend_after) {
        at->second->sent = now();
        a.again.push_back(at->second);
      }
    }
    for (auto at = here_.lower_bound({lender, 0}); at != here_.end() && at->first.first == lender;) {
      const bool over = at->second->ended && !listed.contains(at->first.second);
      if (over) at->second->forgotten = true;
      at = over ? here_.erase(at) : std::next(at);
    }
  }
  return a;
}

void debts::drop(node_id lender, std::uint64_t number) {
  std::shared_ptr<debt> d;
  {
    const std::lock_guard hold(lock_);
    const auto at = here_.find({lender, number});
    if (at == here_.end()) return;
    d = std::move(at->second);
    here_.erase(at);
    d->forgotten = true;
  }
  d->stop.request_stop();
}

void debts::drop_all_of(node_id lender) {
  std::vector<std::shared_ptr<debt>> all;
  {
    const std::lock_guard hold(lock_);
    for (auto at = here_.lower_bound({lender, 0}); at != here_.end() && at->first.first == lender; at = here_.erase(at)) {
      at->second->forgotten = true;
      all.push_back(std::move(at->second));
    }
  }
  for (const auto& d : all) d->stop.request_stop();
}

void debts::drop_all() {
  for (const node_id l : lenders()) drop_all_of(l);
}

std::vector<node_id> debts::lenders() const {
  std::vector<node_id> all;
  const std::lock_guard hold(lock_);
  for (const auto& [of, d] : here_)
    if (all.empty() || all.back() != of.first) all.push_back(of.first);
  return all;
}

std::size_t debts::running() const {
  const std::lock_guard hold(lock_);
  return running_;
}

bool debts::empty() const {
  const std::lock_guard hold(lock_);
  return here_.empty();
}

}  // namespace heist::cluster::detail

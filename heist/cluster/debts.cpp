#include <heist/cluster/debts.hpp>

#include <algorithm>
#include <set>

namespace heist::cluster::detail {

using heist::detail::now;

namespace {
constexpr nanoseconds resend_after = 1'000'000'000;

// Outside the table's lock: it runs callbacks of the strand's scopes.
void stop_all(const std::vector<std::shared_ptr<debt>>& unwanted) {
  for (const auto& d : unwanted) d->stop.request_stop();
}
}  // namespace

std::shared_ptr<debt> debts::enter(const debt_name& n, const entry& what, const key& k, bytes arguments) {
  const std::lock_guard hold(lock_);
  auto& place = here_[n];
  if (place != nullptr) return nullptr;
  place = std::make_shared<debt>(what, k, std::move(arguments));
  place->owed_to.push_back(n);
  ++running_;
  return place;
}

// model: cluster.pml, end_task()
owed_result debts::end(debt& d, message result) {
  const std::lock_guard hold(lock_);
  --running_;
  d.ended = true;
  d.result = std::move(result);
  d.sent = now();
  return {d.result, d.owed_to};
}

// model: cluster.pml, compare()
debts::answer debts::compare(node_id lender, const std::vector<std::uint64_t>& numbers) {
  answer a;
  std::vector<std::shared_ptr<debt>> unwanted;
  const std::set<std::uint64_t> listed(numbers.begin(), numbers.end());
  {
    const std::lock_guard hold(lock_);
    for (const std::uint64_t n : listed) {
      const auto at = here_.find({lender, n});
      if (at == here_.end()) {
        a.missing.push_back(n);
      } else if (debt& d = *at->second; d.ended && now() - d.sent > resend_after) {
        d.sent = now();
        a.again.push_back({d.result, {at->first}});
      }
    }
    for (auto at = here_.lower_bound({lender, 0}); at != here_.end() && at->first.first == lender;) {
      const auto here = at++;
      if (listed.contains(here->first.second)) continue;
      if (auto u = release(here)) unwanted.push_back(std::move(u));  // it runs for nothing: the lender has it at home
    }
  }
  stop_all(unwanted);
  return a;
}

// Returns it if it must be stopped.
std::shared_ptr<debt> debts::release(std::map<debt_name, std::shared_ptr<debt>>::iterator at) {
  std::shared_ptr<debt> d = std::move(at->second);
  std::erase(d->owed_to, at->first);
  here_.erase(at);
  return d->owed_to.empty() && !d->orphan && !d->ended ? d : nullptr;
}

void debts::drop(const debt_name& n) {
  std::shared_ptr<debt> d;
  {
    const std::lock_guard hold(lock_);
    if (const auto at = here_.find(n); at != here_.end()) d = release(at);
  }
  if (d) d->stop.request_stop();
}

std::vector<key> debts::orphan_all_of(node_id lender) {
  std::vector<key> keys;
  std::vector<std::shared_ptr<debt>> unwanted;
  {
    const std::lock_guard hold(lock_);
    for (auto at = here_.lower_bound({lender, 0}); at != here_.end() && at->first.first == lender;) {
      const auto here = at++;
      const std::shared_ptr<debt> d = here->second;
      if (!d->orphan && leaves_notes(d->what) && orphans_.try_emplace(d->known_as, d).second) {
        d->orphan = true;
        in_order_.push_back(d->known_as);
        keys.push_back(d->known_as);
      }
      if (auto u = release(here)) unwanted.push_back(std::move(u));
    }
    while (in_order_.size() > most_orphans_) {
      const auto oldest = orphans_.extract(in_order_.front());
      in_order_.pop_front();
      oldest.mapped()->orphan = false;
      if (oldest.mapped()->owed_to.empty() && !oldest.mapped()->ended) unwanted.push_back(oldest.mapped());
    }
  }
  stop_all(unwanted);
  return keys;
}

bool debts::adopt(const key& k, const debt_name& n, owed_result& at_once) {
  const std::lock_guard hold(lock_);
  const auto at = orphans_.find(k);
  if (at == orphans_.end()) return false;
  debt& d = *at->second;
  if (!here_.emplace(n, at->second).second) return true;  // the message came twice
  d.owed_to.push_back(n);
  if (d.ended) at_once = {d.result, {n}};
  return true;
}

void debts::drop_all() {
  std::vector<std::shared_ptr<debt>> unwanted;
  {
    const std::lock_guard hold(lock_);
    for (auto& [n, d] : here_) unwanted.push_back(d);
    for (auto& [k, d] : orphans_) unwanted.push_back(d);
    for (auto& d : unwanted) d->owed_to.clear();
    here_.clear();
    orphans_.clear();
    in_order_.clear();
  }
  stop_all(unwanted);
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

std::vector<key> debts::orphans() const {
  const std::lock_guard hold(lock_);
  return {in_order_.begin(), in_order_.end()};
}

}  // namespace heist::cluster::detail

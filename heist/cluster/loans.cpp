#include <heist/cluster/loans.hpp>

#include <utility>

namespace heist::cluster::detail {

// model: cluster.pml, depart()
bool loans::depart(const std::shared_ptr<loan>& l, node_id to) {
  resumption go_on;
  {
    const std::lock_guard hold(lock_);
    l->rests = true;
    if (l->how == fate::open) {
      l->borrower = to;
      l->number = ++last_;
      out_.emplace(l->number, l);
      return true;
    }
    go_on = std::move(l->strand);
  }
  go_on.resume();
  return false;
}

// model: cluster.pml, close()
bool loans::close(std::uint64_t number, node_id borrower, fate how, bytes content, bytes figures) {
  std::shared_ptr<loan> l;
  resumption go_on;
  {
    const std::lock_guard hold(lock_);
    const auto at = out_.find(number);
    if (at == out_.end() || at->second->borrower != borrower) return false;
    l = std::move(at->second);
    out_.erase(at);
    closed_at_.insert(borrower);
    l->how = how;
    l->content = std::move(content);
    l->figures = std::move(figures);
    go_on = std::move(l->strand);
  }
  go_on.resume();
  return true;
}

bool loans::close(const std::shared_ptr<loan>& l, fate how) {
  resumption go_on;
  {
    const std::lock_guard hold(lock_);
    if (l->how != fate::open) return false;
    l->how = how;
    if (out_.erase(l->number) > 0) closed_at_.insert(l->borrower);
    if (l->rests) go_on = std::move(l->strand);  // otherwise depart() resumes it
  }
  if (go_on) go_on.resume();
  return true;
}

template <class Which>
std::size_t loans::close_those(Which which, fate how) {
  std::vector<resumption> go_on;
  {
    const std::lock_guard hold(lock_);
    for (auto at = out_.begin(); at != out_.end();) {
      loan& l = *at->second;
      if (which(l)) {
        l.how = how;
        closed_at_.insert(l.borrower);
        go_on.push_back(std::move(l.strand));
        at = out_.erase(at);
      } else {
        ++at;
      }
    }
  }
  for (resumption& r : go_on) r.resume();
  return go_on.size();
}

std::size_t loans::close_all_of(node_id borrower, fate how) {
  return close_those([&](const loan& l) { return l.borrower == borrower; }, how);
}

std::size_t loans::close_all(fate how) {
  return close_those([](const loan&) { return true; }, how);
}

std::map<node_id, std::vector<std::uint64_t>> loans::pings() {
  std::map<node_id, std::vector<std::uint64_t>> all;
  const std::lock_guard hold(lock_);
  for (const node_id b : std::exchange(closed_at_, {})) all[b];
  for (const auto& [number, l] : out_) all[l->borrower].push_back(number);
  return all;
}

bool loans::any_pings() const {
  const std::lock_guard hold(lock_);
  return !closed_at_.empty() || !out_.empty();
}

std::vector<std::uint64_t> loans::out_at(node_id borrower) const {
  std::vector<std::uint64_t> numbers;
  const std::lock_guard hold(lock_);
  for (const auto& [number, l] : out_)
    if (l->borrower == borrower) numbers.push_back(number);
  return numbers;
}

std::vector<node_id> loans::borrowers() const {
  std::set<node_id> all;
  const std::lock_guard hold(lock_);
  for (const auto& [number, l] : out_) all.insert(l->borrower);
  return {all.begin(), all.end()};
}

void loans::forget(node_id borrower) {
  const std::lock_guard hold(lock_);
  closed_at_.erase(borrower);
}

bool loans::any() const { return count() > 0; }

std::size_t loans::count() const {
  const std::lock_guard hold(lock_);
  return out_.size();
}

}  // namespace heist::cluster::detail

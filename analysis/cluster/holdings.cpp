#include <analysis/cluster/holdings.hpp>

#include <algorithm>

namespace heist::clusters {

void holdings::add(batch b, double from) {
  if (batches_.empty()) {
    done_ = 0;
    since_ = from;
    batches_.push_back(std::move(b));
  } else {
    batches_.insert(batches_.begin(), std::move(b));  // what is worked on stays so
  }
}

double holdings::work_until(double now, double speed) {
  if (batches_.empty() || now <= since_) return 0;
  const double fresh = (now - since_) * speed;
  since_ = now;
  done_ += fresh;
  std::deque<subtree>& parts = batches_.back().parts;
  while (parts.size() > 1 && done_ >= double(parts.back().nodes)) {
    done_ -= double(parts.back().nodes);
    parts.pop_back();
  }
  return fresh;
}

double holdings::nodes_left(const batch& b) const {
  double nodes = 0;
  for (const subtree& s : b.parts) nodes += double(s.nodes);
  return &b == &batches_.back() ? nodes - done_ : nodes;
}

double holdings::nodes_left() const {
  double nodes = 0;
  for (const batch& b : batches_) nodes += nodes_left(b);
  return nodes;
}

double holdings::batch_ends(double speed) const { return since_ + std::max(0.0, nodes_left(batches_.back())) / speed; }

loan_number holdings::drop_batch(double now) {
  const loan_number ended = batches_.back().loan;
  batches_.pop_back();
  done_ = 0;
  since_ = now;
  return ended;
}

// Replaces the current part by the child in which the work stands, and keeps the other one if it is still to come. What
// is too small to travel is done at once, before what is large: all of a machine's cores are at both.
bool holdings::unfold(const tree& t, double grain) {
  std::deque<subtree>& parts = batches_.back().parts;
  const auto [first, second] = t.split(parts.back());
  const double a = double(first.nodes), b = double(second.nodes);
  if (a < grain && b < grain) return false;
  parts.pop_back();
  done_ -= 1;
  if (a < grain || (b >= grain && done_ >= a)) {
    done_ -= a;
    parts.push_back(second);
  } else if (b < grain) {
    done_ -= b;
    parts.push_back(first);
  } else {
    parts.push_back(second);
    parts.push_back(first);
  }
  return true;
}

std::optional<holdings::gift> holdings::give(const tree& t, double grain, bool half) {
  if (batches_.empty()) return std::nullopt;
  while (half && unfold(t, grain)) {  // half of how many shows only when all of them do
  }
  do {
    for (batch& b : batches_) {
      const bool current = &b == &batches_.back();
      const std::size_t able = b.parts.size() - (current && !b.parts.empty());
      if (able == 0) continue;
      const auto last = b.parts.begin() + std::ptrdiff_t(half ? (able + 1) / 2 : 1);
      gift g{b.loan, {b.parts.begin(), last}};
      b.parts.erase(b.parts.begin(), last);
      return g;
    }
  } while (unfold(t, grain));
  return std::nullopt;
}

}  // namespace heist::clusters

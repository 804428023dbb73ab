#include <analysis/cluster/cluster.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace heist::clusters {

cluster::cluster(const options& o) : o_(o), tree_(o.skew), net_(o_, report_), random_(o.seed), machines_(o.thieves()) {
  report_.path = tree_.long_path({o.seed, o.nodes});
}

report cluster::run() {
  loans_.push_back({.nodes = double(o_.nodes)});
  borrow(0, {0, {{o_.seed, o_.nodes}}});
  for (id m = 1; m < machines_.size(); ++m) seek(m);
  for (std::uint32_t i = 0; i < o_.crashes && machines_.size() > 1; ++i)
    net_.schedule(what::crash, 1 + random_.below(id(machines_.size() - 1)), random_.unit() * o_.best());
  while (!over_) {
    if (net_.silent()) throw std::logic_error("a simulated cluster stands still");
    const event e = net_.next();
    now_ = e.at;
    ++report_.events;
    if (machines_[e.to].alive || e.what >= what::gift)
      handle(e);
    else if (e.what == what::ask)  // the carrier says that nobody is there
      net_.send(what::refusal, e.to, e.from, now_, latency());
  }
  report_.time = now_;
  net_.finish();
  return report_;
}

void cluster::handle(const event& e) {
  switch (e.what) {
    case what::ask:
    case what::lifeline:
      return take_ask(e);
    case what::refusal:
      ++report_.refusals;
      machines_[e.to].waits_for_answer = false;
      ++machines_[e.to].refusals;
      return seek(e.to);
    case what::shout:
      return take_shout(e.to);
    case what::gift:
    case what::feed:
      return take_gift(e);
    case what::decline:
      return come_home(e.number);
    case what::result:
      // A result for a machine that is gone waits until somebody runs the branch again, and adopts it.
      if (!machines_[loans_[e.number].holder].alive)
        return net_.schedule(what::result, e.to, now_ + o_.suspect / 4, e.number);
      return part_done(e.number);
    case what::batch_ends:
      return machines_[e.to].alive ? batch_ended(e) : void();
    case what::crash:
      return crash(e.to);
    case what::death_known:
      return know_death(e);
  }
}

// Asking
// ---------------------------------------------------------------------------------------------------------------

// Asks somebody, if there is nothing to do and nobody is asked already.
void cluster::seek(id m) {
  machine& me = machines_[m];
  const id all = id(machines_.size());
  if (!me.has.empty() || me.waits_for_answer || all == 1) return;
  if (o_.lifelines == lifelines::off || me.refusals < 2) {
    ++report_.asks;
    me.waits_for_answer = true;
    return net_.send(what::ask, m, random_peer(m), now_, latency());
  }
  if (std::exchange(me.silent, true)) return;
  if (o_.lifelines == lifelines::all) {
    report_.asks += all - 1;
    return net_.send_all(what::shout, m, now_, latency());
  }
  for (id bit = 1; bit < all; bit *= 2)
    if ((m ^ bit) < all) {
      ++report_.asks;
      net_.send(what::lifeline, m, m ^ bit, now_, latency());
    }
}

void cluster::take_ask(const event& e) {
  work(e.to);
  if (lend(e.to, e.from, e.what == what::ask ? what::gift : what::feed)) return;
  if (e.what == what::lifeline)
    machines_[e.to].hungry.push_back(e.from);
  else
    net_.send(what::refusal, e.to, e.from, now_, latency());
}

void cluster::take_shout(id from) {
  for (id m = 0; m < machines_.size(); ++m) {
    if (m == from || !machines_[m].alive) continue;
    net_.handled_by(m, now_);
    work(m);
    if (!lend(m, from, what::feed)) machines_[m].hungry.push_back(from);
  }
}

void cluster::feed_hungry(id m) {
  std::vector<id>& hungry = machines_[m].hungry;
  std::size_t fed = 0;
  while (fed < hungry.size() && lend(m, hungry[fed], what::feed)) ++fed;
  hungry.erase(hungry.begin(), hungry.begin() + std::ptrdiff_t(fed));
}

// Lending
// --------------------------------------------------------------------------------------------------------------

bool cluster::lend(id m, id to, what how) {
  std::optional<holdings::gift> g = machines_[m].has.give(tree_, o_.grain, o_.steal == amount::half);
  if (!g) return false;
  settle(m);
  ++report_.loans;
  loan l{.parent = g->from, .holder = to};
  for (const subtree& s : g->parts) l.nodes += double(s.nodes);
  loans_[g->from].lent += l.nodes;
  ++loans_[g->from].open;
  const auto bytes = o_.frame * std::uint32_t(g->parts.size());
  l.parts = std::move(g->parts);
  loan_number number = loan_number(loans_.size());
  if (spare_.empty()) {
    loans_.push_back(std::move(l));
  } else {
    number = spare_.back();
    spare_.pop_back();
    loans_[number] = std::move(l);
  }
  net_.send(how, m, to, now_, latency(), number, bytes);
  return true;
}

void cluster::take_gift(const event& e) {
  machine& me = machines_[e.to];
  std::vector<subtree> parts = std::move(loans_[e.number].parts);
  loans_[e.number].parts.clear();
  if (!me.alive) {  // nobody took it
    loans_[e.number].parts = std::move(parts);
    return net_.schedule(what::death_known, e.to, now_ + o_.suspect, e.number);
  }
  if (e.what == what::feed && !me.has.empty()) {  // another was faster
    ++report_.declined;
    loans_[e.number].parts = std::move(parts);
    return net_.send(what::decline, e.to, e.from, now_, latency(), e.number);
  }
  me.waits_for_answer = me.silent = false;
  me.refusals = 0;
  work(e.to);
  borrow(e.to, {e.number, {parts.begin(), parts.end()}});
  feed_hungry(e.to);
}

void cluster::borrow(id m, holdings::batch b) {
  machine& me = machines_[m];
  if (me.has.empty()) {
    count_at_work(1);
    if (!std::exchange(me.had_work, true) && ++began_ == (9 * machines_.size() + 9) / 10) report_.spread = now_;
  }
  double nodes = 0;
  for (const subtree& s : b.parts) nodes += double(s.nodes);
  // Greedy's bound: C cores need at most n/C and the critical path of what they are given.
  const double path = o_.flat ? 0 : report_.path * std::log(nodes + 2) / std::log(double(o_.nodes) + 2) * o_.node;
  me.has.add(std::move(b), now_ + path);
  settle(m);
}

void cluster::work(id m) { report_.done += machines_[m].has.work_until(now_, o_.speed()); }

void cluster::settle(id m) {
  machine& me = machines_[m];
  if (!me.has.empty()) net_.schedule(what::batch_ends, m, me.has.batch_ends(o_.speed()), ++me.ticket);
}

void cluster::batch_ended(const event& e) {
  machine& me = machines_[e.to];
  if (e.number != me.ticket) return;  // it ends another time
  work(e.to);
  const loan_number l = me.has.drop_batch(now_);
  settle(e.to);
  if (me.has.empty()) count_at_work(-1);
  part_done(l);
  if (!over_) seek(e.to);
}

// Of a loan its own work, or one that was lent on.
void cluster::part_done(loan_number l) {
  if (--loans_[l].open > 0) return;
  if (l == 0) {
    over_ = true;
    return;
  }
  loans_[l].over = true;
  const loan_number parent = loans_[l].parent;
  ++report_.results;
  net_.send(what::result, loans_[l].holder, loans_[parent].holder, now_, latency(), parent, o_.frame);
  spare_.push_back(l);
}

// Crashes
// --------------------------------------------------------------------------------------------------------------

void cluster::crash(id m) {
  machine& dead = machines_[m];
  if (!dead.alive) return;
  ++report_.deaths;
  work(m);
  if (!dead.has.empty()) count_at_work(-1);
  dead.alive = false;
  for (loan_number l = 1; l < loans_.size(); ++l)
    if (loans_[l].holder == m && !loans_[l].over && loans_[l].parts.empty())
      net_.schedule(what::death_known, m, now_ + o_.suspect, l);
}

// The lender of what a dead machine had runs it again: what that had done itself is lost, what it had lent on is
// adopted.
void cluster::know_death(const event& e) {
  loan& l = loans_[e.number];
  if (!machines_[loans_[l.parent].holder].alive)  // its own lender comes first
    return net_.schedule(what::death_known, e.to, now_ + o_.suspect, e.number);
  if (l.parts.empty()) {
    const std::vector<holdings::batch>& had = machines_[e.to].has.batches();
    const auto own = std::ranges::find(had, e.number, &holdings::batch::loan);
    if (own == had.end()) ++l.open;  // it had done its own part
    const double all = std::max(1.0, std::round(l.nodes - l.lent));
    report_.lost += all - (own == had.end() ? 0 : machines_[e.to].has.nodes_left(*own));
    l.parts.push_back({analysis::mix(e.number, o_.seed), std::uint64_t(all)});
  }
  come_home(e.number);
}

// The lender runs it itself.
void cluster::come_home(loan_number number) {
  loan& l = loans_[number];
  const id lender = loans_[l.parent].holder;
  if (!machines_[lender].alive) return net_.schedule(what::decline, lender, now_ + o_.suspect / 4, number);
  holdings::batch again{number, {l.parts.begin(), l.parts.end()}};
  l.parts.clear();
  l.holder = lender;
  work(lender);
  borrow(lender, std::move(again));
  feed_hungry(lender);
}

// --------------------------------------------------------------------------------------------------------------------

void cluster::count_at_work(int change) {
  const std::uint32_t most = std::uint32_t(9 * machines_.size() / 10), before = at_work_;
  at_work_ += std::uint32_t(change);
  if (before >= most && at_work_ < most) report_.thinned = now_;
}

double cluster::latency() { return o_.latency * (0.95 + 0.1 * random_.unit()); }

id cluster::random_peer(id m) {
  const id other = random_.below(id(machines_.size() - 1));
  return other < m ? other : other + 1;
}

report simulate(const options& o) { return cluster(o).run(); }

}  // namespace heist::clusters

#include <heist/cancelled.hpp>
#include <heist/cluster/borrower.hpp>
#include <heist/cluster/failures.hpp>
#include <heist/cluster/key.hpp>
#include <heist/sched/scheduler.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace heist::cluster::detail {

using heist::detail::never;
using heist::detail::now;

namespace {
constexpr nanoseconds answer_within = 250 * ms;
constexpr nanoseconds ask_again = 1000 * ms;   // after lifelines, while a root runs
constexpr nanoseconds spread_within = 1 * ms;  // a borrowed task reaches this machine's other workers
constexpr nanoseconds watch_every = 25 * ms;
constexpr unsigned most_misses = 2;
}  // namespace

bool borrower::hungry() const noexcept { return heist::detail::scheduler_of(pool_).outside.idle_workers() > 0; }

void borrower::probe(node_id lender) {
  message m = said_(say::ping);
  m.flags = flag::probe;
  wire_.send(lender, m);
}

void borrower::doubt(node_id peer) {
  const std::vector<node_id> all = debts_.lenders();
  if (std::ranges::find(all, peer) != all.end()) probe(peer);
}

// Steps 1 and 3 of the borrower.
nanoseconds borrower::tick(nanoseconds at) {
  nanoseconds next = never;
  const node_id me = said_(say::ping).from;
  for (const node_id l : debts_.lenders()) {
    if (l == me) continue;  // an orphan of our own: we do not ping ourselves
    next = at + watch_every;
    const nanoseconds silence = at - peers_.last_heard(l);
    if (silence > suspect_) {
      journal_.lost(l);
      gone(l);
    } else if (silence > 3 * watch_every) {  // its pings have stopped: is it there?
      probe(l);
    }
  }
  const std::lock_guard hold(lock_);
  if (!wanted_ || stopped_) return next;
  if (open_) {
    if (at < give_up_at_) return std::min(next, give_up_at_);
    open_ = false;
    ++misses_;
  }
  if (silent_ && at >= not_before_) {
    silent_ = false;
    misses_ = 0;
  }
  if (silent_ || at < not_before_) return hungry() ? std::min(next, not_before_) : next;
  if (!hungry()) return next;
  ask(at);
  return std::min(next, open_ ? give_up_at_ : not_before_);
}

void borrower::ask(nanoseconds at) {
  message m = said_(say::ask);
  if (misses_ < most_misses) {
    asked_ = peers_.any(asked_);
    if (asked_ == 0) {  // alone: somebody will join
      silent_ = true;
      not_before_ = at + ask_again;
      return;
    }
    m.request = ++requests_;
    open_ = true;
    give_up_at_ = at + answer_within;
    wire_.send(asked_, m);
    return;
  }
  m.flags = flag::lifeline;
  for (const node_id p : peers_.neighbours(m.from)) wire_.send(p, m);
  silent_ = true;
  not_before_ = at + ask_again;
}

// Steps 2 and 4.
void borrower::given(message& m) {
  const entry* const what = find_entry(m.function);
  bool take = false;
  {
    const std::lock_guard hold(lock_);
    const bool answer = open_ && m.request == requests_;
    if (answer) open_ = false;
    take = what != nullptr && wanted_ && !stopped_ && (answer || hungry());
    if (take) {
      misses_ = 0;
      silent_ = false;
      not_before_ = now() + spread_within;
    } else if (silent_) {  // the lifeline there is used up: it asks anew when it is hungry
      misses_ = 0;
      silent_ = false;
      not_before_ = 0;
    }
  }
  if (!take) {
    message no = said_(say::decline);
    no.number = m.number;
    wire_.send(m.from, no);
    return;
  }
  const key k = key_of(build_, m.of.instance, what->name(), m.content);
  const debt_name name{m.from, m.number};
  if (const auto d = debts_.enter(name, *what, k, std::move(m.content))) {
    borrowed_.fetch_add(1, std::memory_order_relaxed);
    d->measured = (m.flags & flag::measured) != 0;
    pool_.detach([this, name, d] { run(name, d); });
  }
}

void borrower::send(const owed_result& r) {
  for (const auto& [to, number] : r.to) {
    message m = r.what;
    m.of = said_(say::result).of;  // the term may have changed while it ran
    m.number = number;
    to_lender_(to, m);
  }
}

namespace {
// A task, while it runs, if its lender wants to know what it takes.
class measuring {
 public:
  measuring(heist::detail::scheduler& in, bool wanted, std::optional<heist::detail::task_figures>& to) : to_(to) {
    if (wanted) task_.emplace(in.meters);
  }
  ~measuring() {
    if (task_) to_ = task_->end();
  }
  measuring(const measuring&) = delete;
  measuring& operator=(const measuring&) = delete;

 private:
  std::optional<heist::detail::task_figures>& to_;
  std::optional<heist::detail::measured_task> task_;
};
}  // namespace

// What a measured task took goes with its result.
void borrower::report(heist::detail::task_figures& took, message& result) {
  heist::detail::leave_out_of_profile();
  measured_strands_.fetch_add(took.here.strands, std::memory_order_relaxed);
  measured_ns_.fetch_add(took.here.ticks, std::memory_order_relaxed);
  result.figures = pack_figures(took);
  if (result.figures.size() + result.content.size() <= wire_.most_bytes()) return;
  took.regions.clear();  // there are very many
  result.figures = pack_figures(took);
}

// Step 5; at a worker.
void borrower::run(const debt_name& name, const std::shared_ptr<debt>& d) {
  journal_.began(name.first, name.second, d->what.plain_name(), lane_here());
  message m = said_(say::result);
  const auto cannot_be_sent = [&m](std::string why) {
    m.flags = flag::no_value;
    m.text = std::move(why);
    m.content = {};
  };
  std::optional<heist::detail::task_figures> took;
  try {
    heist::detail::until(d->stop.get_token(), [&] {
      const measuring here(heist::detail::scheduler_of(pool_), d->measured, took);
      reader arguments(d->arguments);
      writer value(m.content, wire_.most_bytes());
      d->what.run(arguments, value);
    });
  } catch (const too_large&) {
    cannot_be_sent("the result of " + d->what.plain_name() + " takes more than the " +
                   std::to_string(wire_.most_bytes()) + " bytes that may travel");
  } catch (const cannot_travel& c) {
    cannot_be_sent(std::string("the ") + c.what + " of " + d->what.plain_name() + " could not be " +
                   (c.what == std::string_view("result") ? "packed" : "unpacked") + " on another machine");
  } catch (...) {
    m.flags = flag::failed;
    m.content = pack_failure(std::current_exception());
  }
  d->arguments = {};
  if (took) report(*took, m);
  journal_.ended(name.first, name.second);
  send(debts_.end(*d, std::move(m)));
}

void borrower::refused(const message& m) {
  const std::lock_guard hold(lock_);
  if (!open_ || m.request != requests_) return;
  open_ = false;
  ++misses_;
}

// Step 6.
void borrower::pinged(const message& m) {
  debts::answer a = debts_.compare(m.from, m.numbers);
  for (const owed_result& r : a.again) send(r);
  message pong = said_(say::pong);
  pong.numbers = std::move(a.missing);
  pong.request = m.request;  // when the ping was sent, by the lender's clock; and by ours:
  pong.number = static_cast<std::uint64_t>(now());
  wire_.send(m.from, pong);
}

// model: cluster_orphans.pml, cancel()
void borrower::cancelled(const message& m) { debts_.drop({m.from, m.number}); }

// README.md, "Orphans", step 1.
void borrower::gone(node_id peer) {
  message m = said_(say::orphan);
  m.keys = debts_.orphan_all_of(peer);
  if (!m.keys.empty()) {
    notes_.held_by(m.from, m.keys);
    wire_.send_all(m);
  }
  const std::lock_guard hold(lock_);
  if (open_ && asked_ == peer) {
    open_ = false;
    ++misses_;
  }
}

// Step 3.
void borrower::adopted(const message& m) {
  owed_result at_once;
  if (m.keys.size() == 1 && debts_.adopt(m.keys[0], {m.from, m.number}, at_once)) return send(at_once);
  message no = said_(say::decline);
  no.number = m.number;
  no.keys = m.keys;
  to_lender_(m.from, no);
}

void borrower::tell_orphans_to(node_id peer) {
  message m = said_(say::orphan);
  m.keys = debts_.orphans();
  if (!m.keys.empty()) wire_.send(peer, m);
}

void borrower::hope() {
  const std::lock_guard hold(lock_);
  wanted_ = true;
  silent_ = false;
  misses_ = 0;
  not_before_ = 0;
}

void borrower::rest() {
  const std::lock_guard hold(lock_);
  wanted_ = false;
  open_ = false;
}

void borrower::drop_all() { debts_.drop_all(); }

void borrower::stop_asking() {
  const std::lock_guard hold(lock_);
  stopped_ = true;
}

}  // namespace heist::cluster::detail

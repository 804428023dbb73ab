#include <heist/base/fatal.hpp>
#include <heist/blocking.hpp>
#include <heist/cluster/key.hpp>
#include <heist/cluster/lender.hpp>
#include <heist/cluster/measured.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/wait/unwanted_watch.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace heist::cluster::detail {

using heist::detail::never;
using heist::detail::now;

namespace {
constexpr nanoseconds ping_every = 25 * ms;
constexpr std::size_t most_lifelines = 1024;  // of its log2 P neighbours, and of those that see others than we do
constexpr nanoseconds push_soonest = 1 * ms, push_latest = 16 * ms;
}  // namespace

// A theft by this thread, until the strand rests.
struct lender::departure {
  lender& by;
  std::shared_ptr<loan> away = nullptr;
  const entry* what = nullptr;
  bytes arguments = {};
  unsigned lane = 0;  // of the trace
  bool measured = false;

  static thread_local departure* here;
};
thread_local lender::departure* lender::departure::here = nullptr;

namespace {
// The lender of this process, for tasks that run: null, or alive for as long as they run.
std::atomic<lender*> the_lender{nullptr};
}  // namespace

lender::lender(wire& out, peers& them, notes& known, journal& written, heist::detail::scheduler& pool, nanoseconds suspect, std::string build,
               std::function<message(say)> said, std::function<void(node_id, message&)> to_holder)
    : wire_(out),
      peers_(them),
      notes_(known),
      journal_(written),
      pool_(pool),
      suspect_(suspect),
      build_(std::move(build)),
      said_(std::move(said)),
      to_holder_(std::move(to_holder)) {
  the_lender.store(this, std::memory_order_release);  // order[cluster.lender]: a task that sees it sees it made
}

lender::~lender() { the_lender.store(nullptr, std::memory_order_relaxed); }  // no task runs any more

namespace {
// A strand that is back: what its task took elsewhere, if it was measured there.
void count_measured(const loan& l) {
  if (l.figures.empty()) return;
  if (const auto took = unpack_figures(l.figures)) heist::detail::count_task(*took);
}
}  // namespace

// A strand that is back. What a lost borrower has noted need not be computed again: README.md, "Durable jobs", step 3.
arrival lender::arrived(loan& l) {
  count_measured(l);
  if (l.how != fate::lost) return {l.how, std::move(l.content)};
  if (ledger* const from = ledger_.load(std::memory_order_acquire))  // order[cluster.ledger]: as it was made
    heist::blocking([&] { static_cast<void>(from->read_news([this](const key& k, bytes value) { notes_.keep(k, std::move(value)); })); });
  return {fate::home, {}};
}

arrival send_away(const entry& what, std::optional<bytes> arguments) {
  lender::departure* const d = lender::departure::here;
  const heist::detail::seat* const s = heist::detail::this_seat();
  // Without a stack of its own the strand cannot leave this thread.
  if (d == nullptr || s == nullptr || s->running.get() == nullptr) return {fate::home, {}};
  lender& by = d->by;
  const auto l = std::make_shared<loan>();
  if (!arguments) l->how = fate::home;
  d->away = l;
  d->what = &what;
  d->lane = lane_here();
  d->measured = heist::detail::strand_is_measured();
  if (arguments) d->arguments = std::move(*arguments);
  struct watched {
    lender& by;
    const std::shared_ptr<loan>& away;
  } me{by, l};
  const heist::detail::unwanted_watch watch([](void* p) noexcept {
    const auto& w = *static_cast<watched*>(p);
    w.by.cancel(w.away);
  }, &me);
  heist::suspend([l](resumption r) { l->strand = std::move(r); });
  // The table has let go of it: it is ours.
  by.journal_.came_back(l->number);
  return by.arrived(*l);
}

namespace {
lender* lender_here() noexcept {
  return the_lender.load(std::memory_order_acquire);  // order[cluster.lender]: as it was made
}
}  // namespace

std::size_t most_bytes() noexcept {
  const lender* const l = lender_here();
  return l != nullptr ? l->wire_.most_bytes() : 0;
}

void report_too_large(const entry& what) noexcept {
  static std::atomic<bool> said{false};
  if (!said.exchange(true, std::memory_order_relaxed))
    std::fprintf(stderr, "heist: cluster: the arguments of %s take more than the %zu bytes that may travel; it runs at home\n",
                 what.plain_name().c_str(), most_bytes());
}

bool may_adopt() noexcept {
  const lender* const l = lender_here();
  return l != nullptr && l->notes_.any();
}

nanoseconds note_from() noexcept {
  const lender* const l = lender_here();
  if (l == nullptr || l->ledger_.load(std::memory_order_relaxed) == nullptr) return never;
  return now() + l->note_after_.load(std::memory_order_relaxed);
}

// README.md, "Durable jobs", step 2.
void leave_note(const entry& what, const bytes& arguments, const bytes& value) noexcept {
  lender* const l = lender_here();
  ledger* const to = l != nullptr ? l->ledger_.load(std::memory_order_acquire) : nullptr;  // order[cluster.ledger]: as it was made
  if (to == nullptr || value.size() > l->wire_.most_bytes() || !leaves_notes(what)) return;
  const key k = key_of(l->build_, l->said_(say::adopt).of.instance, what.name(), arguments);
  heist::blocking([&] { static_cast<void>(to->put(k, value)); });
}

void lender::note_to(ledger* to, nanoseconds longer_than) {
  note_after_.store(longer_than, std::memory_order_relaxed);
  ledger_.store(to, std::memory_order_release);  // order[cluster.ledger]: a task that sees it sees it made
  notes_.write_notes(to != nullptr);
}

// README.md, "Orphans", step 2.
// model: cluster_orphans.pml, call()
arrival adopt(const entry& what, const bytes& arguments, about_to what_for) {
  lender* const l = lender_here();
  if (l == nullptr || !leaves_notes(what)) return {fate::home, {}};
  const key k = key_of(l->build_, l->said_(say::adopt).of.instance, what.name(), arguments);
  const auto n = l->notes_.find(k);
  if (!n || (n->holder != 0 && what_for == about_to::run_borrowed)) return {fate::home, {}};
  l->adopted_.fetch_add(1, std::memory_order_relaxed);
  if (n->holder == 0) return {fate::value, n->value};
  arrival back = l->adopt_from(n->holder, k);
  if (back.how != fate::home) return back;
  const auto noted = l->notes_.find(k);  // by a holder that was lost
  return noted && noted->holder == 0 ? arrival{fate::value, noted->value} : std::move(back);
}

arrival lender::adopt_from(node_id holder, const key& k) {
  const auto l = std::make_shared<loan>();
  struct watched {
    lender& by;
    const std::shared_ptr<loan>& away;
  } me{*this, l};
  const heist::detail::unwanted_watch watch([](void* p) noexcept {
    const auto& w = *static_cast<watched*>(p);
    w.by.cancel(w.away);
  }, &me);
  heist::suspend([this, l, holder, k](resumption r) {
    l->strand = std::move(r);
    const std::lock_guard hold(sending_);
    if (!loans_.depart(l, holder)) return;
    message m = said_(say::adopt);
    m.number = l->number;
    m.keys = {k};
    to_holder_(holder, m);
  });
  arrival back = arrived(*l);
  if (back.how == fate::home) notes_.strike(k, holder);
  return back;
}

void report_undecodable(const entry& what) noexcept {
  static std::atomic<bool> said{false};
  if (!said.exchange(true, std::memory_order_relaxed))
    std::fprintf(stderr, "heist: cluster: a result of %s could not be decoded; the task runs at home\n", what.plain_name().c_str());
}

// Steps 1 to 4 of the lender.
bool lender::lend(node_id to, std::uint64_t request) {
  for (int attempts = 0; attempts < 4; ++attempts) {
    departure d{*this};
    departure::here = &d;
    const bool stolen = pool_.outside.steal();
    departure::here = nullptr;
    if (!stolen) return false;
    const std::lock_guard hold(sending_);
    if (d.away == nullptr || !loans_.depart(d.away, to)) continue;
    message m = said_(say::task);
    m.number = d.away->number;
    m.request = request;
    m.function = d.what->id();
    if (d.measured) m.flags = flag::measured;
    m.content = std::move(d.arguments);
    lent_.fetch_add(1, std::memory_order_relaxed);
    journal_.lent(m.number, to, d.lane, m.content.size());
    if (wire_.send(to, m)) return true;
    if (loans_.close(m.number, to, fate::home)) came_home_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  return false;
}

void lender::asked(const message& m) {
  if (lend(m.from, m.request)) return;
  if ((m.flags & flag::lifeline) != 0) {
    const std::lock_guard hold(lock_);
    const bool noted = std::find(lifelines_.begin(), lifelines_.end(), m.from) != lifelines_.end();
    if (!noted && lifelines_.size() < most_lifelines) lifelines_.push_back(m.from);
  } else {
    message none = said_(say::none);
    none.request = m.request;
    wire_.send(m.from, none);
  }
}

void lender::returned(message& m) {
  if ((m.flags & flag::no_value) != 0) {
    static std::atomic<bool> said{false};
    if (!said.exchange(true, std::memory_order_relaxed))
      std::fprintf(stderr, "heist: cluster: %s; the task runs at home\n", m.text.c_str());
    if (loans_.close(m.number, m.from, fate::home)) came_home_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const fate how = (m.flags & flag::failed) != 0 ? fate::failure : fate::value;
  if (loans_.close(m.number, m.from, how, std::move(m.content), std::move(m.figures))) returned_.fetch_add(1, std::memory_order_relaxed);
}

void lender::declined(const message& m) {
  if (loans_.close(m.number, m.from, fate::home)) came_home_.fetch_add(1, std::memory_order_relaxed);
}

void lender::missing(const message& m) {
  journal_.clock_of(m.from, static_cast<nanoseconds>(m.request), static_cast<nanoseconds>(m.number), now());
  for (const std::uint64_t n : m.numbers)
    if (loans_.close(n, m.from, fate::lost)) came_home_.fetch_add(1, std::memory_order_relaxed);
}

void lender::drains(node_id peer) {
  const std::lock_guard hold(lock_);
  std::erase(lifelines_, peer);
}

void lender::gone(node_id peer) {
  drains(peer);
  came_home_.fetch_add(loans_.close_all_of(peer, fate::lost), std::memory_order_relaxed);
  loans_.forget(peer);
}

void lender::recall_all() { came_home_.fetch_add(loans_.close_all(fate::home), std::memory_order_relaxed); }

void lender::forget_lifelines() {
  const std::lock_guard hold(lock_);
  lifelines_.clear();
}

// Some thread, under a lock of the alarm.
void lender::cancel(const std::shared_ptr<loan>& l) noexcept {
  if (!loans_.close(l, fate::unwanted) || l->number == 0) return;
  message m = said_(say::cancel);
  m.number = l->number;
  to_holder_(l->borrower, m);
}

void lender::suspect_silent(nanoseconds at) {
  for (const node_id borrower : loans_.borrowers())
    if (borrower != said_(say::ping).from && at - peers_.last_heard(borrower) > suspect_) {
      journal_.lost(borrower);
      gone(borrower);
    }
}

void lender::send_ping(node_id to, std::vector<std::uint64_t> numbers) {
  message m = said_(say::ping);
  if (m.from == to) return;  // an orphan of our own
  m.numbers = std::move(numbers);
  m.request = static_cast<std::uint64_t>(now());
  wire_.send(to, m);
}

// Step 7. The last ping to a borrower has no numbers: then it forgets the results that it keeps for us.
void lender::ping() {
  const std::lock_guard hold(sending_);
  for (auto& [borrower, numbers] : loans_.pings()) send_ping(borrower, std::move(numbers));
}

// The last ping may have been lost: without this the borrower would keep its results for ever.
void lender::probed(node_id by) {
  const std::lock_guard hold(sending_);
  send_ping(by, loans_.out_at(by));
}

// model: cluster.pml, lender_ticks()
nanoseconds lender::tick(nanoseconds at, bool active) {
  nanoseconds next = never;
  if (loans_.any_pings()) {
    if (at >= next_ping_) {
      suspect_silent(at);
      ping();
      next_ping_ = at + ping_every;
    }
    next = next_ping_;
  }
  node_id first = 0;
  {
    const std::lock_guard hold(lock_);
    if (!lifelines_.empty()) first = lifelines_.front();
  }
  if (first == 0 || !active) {
    push_every_ = 0;
    return next;
  }
  if (push_every_ == 0) next_push_ = at + (push_every_ = push_soonest);
  if (at >= next_push_) {
    if (lend(first, 0)) {
      const std::lock_guard hold(lock_);
      std::erase(lifelines_, first);
      push_every_ = push_soonest;
      next_push_ = at;  // the next lifeline at once
    } else {
      next_push_ = at + push_every_;
      push_every_ = std::min(2 * push_every_, push_latest);
    }
  }
  return std::min(next, next_push_);
}

lender::figures lender::so_far() const noexcept {
  return {lent_.load(std::memory_order_relaxed), returned_.load(std::memory_order_relaxed),
          came_home_.load(std::memory_order_relaxed), adopted_.load(std::memory_order_relaxed)};
}

}  // namespace heist::cluster::detail

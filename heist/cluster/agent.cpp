#include <heist/cluster/agent.hpp>
#include <heist/cluster/best.hpp>
#include <heist/cluster/build_id.hpp>
#include <heist/cluster/key.hpp>
#include <heist/measure/program_profile.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sleep/inheritance.hpp>

#include <unistd.h>

#include <csignal>
#include <algorithm>
#include <cstdio>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>

namespace heist::cluster::detail {

using heist::detail::never;
using heist::detail::now;

namespace {
constexpr nanoseconds grace = 1000 * ms;  // after a connection came back
constexpr nanoseconds to_announce = 5 * ms;  // what borrowers have of a lender that is lost
constexpr nanoseconds stall = 100 * ms;   // a thread that wakes so late was not given the processor

std::uint64_t random_word() {
  std::random_device device;
  std::uint64_t word = 0;
  while (word == 0) word = (static_cast<std::uint64_t>(device()) << 32) | device();
  return word;
}

void say_line(const std::string& text) { std::fprintf(stderr, "heist: cluster: %s\n", text.c_str()); }

sigset_t signals_to_leave() noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

// A helper takes its signals in serve(): the client's threads, which are made later, must not have them.
const options& with_signals_blocked(const options& wanted) noexcept {
  const sigset_t set = signals_to_leave();
  if (wanted.as == role::helper) ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return wanted;
}

// The pool's workers ring it when they lie down, perhaps while the agent ends.
struct bell {
  std::mutex lock;
  void (*ring)(agent&) noexcept = nullptr;
  agent* of = nullptr;

  static bell& get() {
    static auto* const one = new bell;  // never destroyed: workers outlive main()
    return *one;
  }
  static void rung(void* self) noexcept {
    auto& b = *static_cast<bell*>(self);
    const std::lock_guard hold(b.lock);
    if (b.of != nullptr) b.ring(*b.of);
  }
  void hand_to(agent* to, void (*call)(agent&) noexcept) {
    const std::lock_guard hold(lock);
    of = to;
    ring = call;
  }
};
}  // namespace

agent::agent(const options& wanted, heist::pool& pool)
    : wanted_(wanted),
      me_(random_word()),
      build_(build_id()),
      wire_(with_signals_blocked(wanted), me_),
      journal_(me_),
      ledger_(wire_, wanted.job, me_, wanted.give_up),
      pool_(heist::detail::scheduler_of(pool)),
      lender_(wire_, peers_, notes_, journal_, pool_, std::chrono::nanoseconds(wanted.suspect).count(), build_,
              [this](say w) { return say_this(w); }, [this](node_id to, message& m) { send(to, m); }),
      borrower_(wire_, peers_, notes_, journal_, pool, wanted, build_, [this](say w) { return say_this(w); },
                [this](node_id to, message& m) {
                  if (m.what == say::result) gossip_.tell(to);  // on the same connection: it is there first
                  send(to, m);
                }),
      gossip_(wire_, [this](say w) { return say_this(w); }, [this] { wake(); }) {
  try {
    listen();
    if (wanted_.as == role::driver) claim_job();
  } catch (...) {
    wire_.close();  // it delivers messages to members that are about to be destroyed
    throw;
  }
  wire_.send_all(say_this(say::hello));
  shared_values::when_reset([this] { settle(); });
  bell::get().hand_to(this, [](agent& self) noexcept { self.wake(); });
  pool_.outside.tell(&bell::rung, &bell::get());
  thread_ = pool_.seats.inherited().start("heist-agent", [this] { keep_time(); });
  if (wanted_.verbose) say_line("joined " + wanted_.job + (wanted_.as == role::driver ? " as its driver" : " as a helper"));
}

void agent::listen() {
  wire_.listen({
      [this](message& m) { message_came(m); },
      [this](node_id peer) { nobody_at(peer); },
      [this] {
        const std::lock_guard hold(lock_);
        if (claim_ == claim_state::open) claim_ = claim_state::won;
        changed_.notify_all();
      },
      [this] {
        const std::lock_guard hold(lock_);
        lost_at_ = now();
        changed_.notify_all();
      },
      [this] {
        {
          const std::lock_guard hold(lock_);
          lost_at_ = 0;
          trust_from_ = now() + grace;
        }
        peers_.forgive();
        wire_.send_all(say_this(say::hello));
        wake();
      },
  });
}

agent::~agent() {
  shared_values::when_reset(nullptr);
  bell::get().hand_to(nullptr, nullptr);
  tell_profile();
  if (wanted_.as == role::driver) wire_.send_all(say_this(say::end));
  wire_.send_all(say_this(say::bye));
  {
    const std::lock_guard hold(lock_);
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
  stop_borrowed(std::numeric_limits<heist::detail::nanoseconds>::max());
  journal_.write(wanted_.as == role::driver, wire_.so_far().bytes_sent);
  wire_.close();
}

// Any thread. Lender and borrower may be one machine. A cancel comes with a lock of the alarm held, which stopping a task takes,
// too: the agent's thread does that later.
void agent::send(node_id to, message& m) {
  if (to != me_) {
    wire_.send(to, m);
  } else if (m.what == say::cancel) {
    const std::lock_guard hold(lock_);
    own_cancels_.push_back(std::move(m));
    woken_ = true;
    changed_.notify_all();
  } else {
    loan_message(m);
  }
}

// Any thread. What every message says of its sender.
message agent::say_this(say what) {
  message m;
  m.what = what;
  m.from = me_;
  const std::lock_guard hold(lock_);
  m.of = term_;
  if (what == say::hello || what == say::here) {
    if (wanted_.as == role::driver) m.flags = static_cast<std::uint8_t>(flag::driver | (running_ ? flag::running : 0));
    if (draining_) m.flags |= flag::draining;
    m.workers = pool_.workers();
    m.text = build_;
  }
  return m;
}

// README.md, "Driver, term and end", steps 1 and 2.
void agent::claim_job() {
  {
    const std::lock_guard hold(lock_);
    if (!wanted_.durable) term_ = {0, random_word()};  // else the ledger says which it is
    claim_ = claim_state::open;
  }
  wire_.listen_as_driver();
  wire_.send_driver(say_this(say::claim));
  std::unique_lock hold(lock_);
  changed_.wait_for(hold, std::chrono::seconds(2), [&] { return claim_ != claim_state::open; });
  if (claim_ == claim_state::lost) throw std::runtime_error(refusal_);
  claim_ = claim_state::won;
}

void agent::message_came(message& m) {
  const bool known = peers_.heard(m.from);
  bool same_term;
  {
    const std::lock_guard hold(lock_);
    same_term = m.of == term_ && term_.instance != 0;
    doubted_.erase(m.from);
  }
  switch (m.what) {
    case say::hello:
    case say::here: return member(m);
    case say::claim: {
      bool refuse;
      {
        const std::lock_guard hold(lock_);
        refuse = claim_ == claim_state::won || me_ > m.from;
        if (claim_ == claim_state::open && !refuse) {
          claim_ = claim_state::lost;
          refusal_ = "heist: cluster: the job " + wanted_.job + " has a driver already";
          changed_.notify_all();
        }
      }
      message answer = say_this(say::refuse);
      answer.text = "heist: cluster: the job " + wanted_.job + " has a driver already";
      answer.flags = refuse ? 0 : 1;
      wire_.send(m.from, answer);
      return;
    }
    case say::refuse: {
      const std::lock_guard hold(lock_);
      if (claim_ != claim_state::open) return;
      claim_ = m.flags == 0 ? claim_state::lost : claim_state::won;
      refusal_ = m.text;
      changed_.notify_all();
      return;
    }
    case say::bye: return gone(m.from);
    case say::drain: peers_.set_draining(m.from); return lender_.drains(m.from);
    case say::lost: return doubt(m.number);
    case say::look: return show_figures(m.from);
    case say::figures: return hear_figures(m);
    case say::end:
      if (same_term && wanted_.as == role::helper) leave(0);
      return;
    default: break;
  }
  if (!same_term) return;
  if (!known) peers_.enter(m.from, 0, 0);  // taken out wrongly: whoever knows the term is a member
  loan_message(m);
  wake();
}

// Of lenders and borrowers, in our term.
void agent::loan_message(message& m) {
  switch (m.what) {
    case say::ask: lender_.asked(m); break;
    case say::none: borrower_.refused(m); break;
    case say::task: borrower_.given(m); break;
    case say::decline: lender_.declined(m); break;
    case say::result: lender_.returned(m); break;
    case say::cancel: borrower_.cancelled(m); break;
    case say::ping: (m.flags & flag::probe) != 0 ? lender_.probed(m.from) : borrower_.pinged(m); break;
    case say::pong: lender_.missing(m); break;
    case say::orphan: notes_.held_by(m.from, m.keys); break;
    case say::adopt: borrower_.adopted(m); break;
    case say::best: gossip_.heard(m); break;
    default: break;
  }
}

// For those that only look: observer.hpp.
void agent::show_figures(node_id to) {
  const figures f = so_far();
  message m = say_this(say::figures);
  m.flags = static_cast<std::uint8_t>(wanted_.as == role::driver ? flag::driver : 0);
  {
    const std::lock_guard hold(lock_);
    if (running_) m.flags |= flag::running;
    if (draining_) m.flags |= flag::draining;
  }
  m.workers = pool_.workers();
  char host[256] = "";
  if (::gethostname(host, sizeof host - 1) == 0) m.text = host;
  m.numbers = {static_cast<std::uint64_t>(::getpid()), f.lent.lent, f.lent.returned, f.lent.came_home, f.borrowed,
               f.traffic.messages_sent, f.traffic.bytes_sent};
  wire_.send(to, m);
}

void agent::hear_figures(const message& m) {
  const auto told = figures_in(m);
  if (!told || peers_.last_heard(m.from) == 0) return;
  const std::lock_guard hold(lock_);
  told_[m.from] = *told;
  changed_.notify_all();
}

// A driver that is profiled, when it ends: what all machines have sent. One that does not answer is left out.
void agent::tell_profile() {
  heist::detail::program_profile* const to = heist::detail::program_profile::get();
  if (to == nullptr || wanted_.as != role::driver) return;
  wire_.send_all(say_this(say::look));
  const figures mine = so_far();
  heist::measurement::crossing all{1, mine.lent.lent, mine.traffic.messages_sent, mine.traffic.bytes_sent};
  std::unique_lock hold(lock_);
  changed_.wait_for(hold, std::chrono::milliseconds(500), [&] { return told_.size() >= mine.peers; });
  for (const auto& [id, n] : told_) {
    ++all.machines;
    all.loans += n.lent;
    all.messages += n.messages_sent;
    all.bytes += n.bytes_sent;
  }
  hold.unlock();
  to->add(all, borrower_.measured());
}

// README.md, "Members".
void agent::member(const message& m) {
  const bool driver = (m.flags & flag::driver) != 0;
  if (m.text != build_) {
    if (driver && wanted_.as == role::helper) {
      if (leaving()) return;  // it has been said
      say_line("this program is another build than the driver of " + wanted_.job + "; start the driver's build (here " +
               build_.substr(0, 12) + ", there " + m.text.substr(0, 12) + ")");
      leave(1);
    } else if (m.what == say::hello) {
      wire_.send(m.from, say_this(say::here));  // it finds out by itself
    }
    return;
  }
  const bool fresh = peers_.enter(m.from, m.flags, m.workers);
  if (m.what == say::hello) wire_.send(m.from, say_this(say::here));
  if (driver) follow(m);
  if (fresh) {
    borrower_.tell_orphans_to(m.from);
    gossip_.tell(m.from);
  }
  bool hope;
  {
    const std::lock_guard hold(lock_);
    hope = running_ && !cleaning_;
  }
  if (fresh && hope) borrower_.hope();
  wake();
}

// A driver has said which term it is, and whether its root runs.
// model: cluster_driver.pml, helper(); cluster_best.pml, handler()
void agent::follow(const message& m) {
  if (wanted_.as == role::driver) return;
  const bool running = (m.flags & flag::running) != 0;
  bool anew, began, ended;
  {
    const std::lock_guard hold(lock_);
    if (m.of.instance == 0 || (m.of.instance == term_.instance && m.of.epoch < term_.epoch)) return;
    anew = m.of.instance != term_.instance;  // a durable job that goes on keeps what it has
  }
  if (anew) gossip_.rest();  // before the term changes: else what is known of the former root could be told under this one's
  {
    const std::lock_guard hold(lock_);
    began = running && (m.of != term_ || !running_);
    ended = !running && running_;
    term_ = m.of;
    driver_ = m.from;
    running_ = running;
  }
  if (anew) {
    lender_.recall_all();
    lender_.forget_lifelines();
    borrower_.drop_all();
    notes_.clear();
    forget_best_values();
  }
  if (began && m.of.epoch > 0) {
    ledger_.begin(m.of.instance);
    lender_.note_to(&ledger_, std::chrono::nanoseconds(wanted_.note_after).count());
  }
  if (began && !cleaning()) borrower_.hope();
  if (ended) {
    borrower_.rest();
    lender_.note_to(nullptr, 0);
  }
}

bool agent::cleaning() const {
  const std::lock_guard hold(lock_);
  return cleaning_;
}

// Best values are those of one root. What still runs of the one before may yet offer some. Until it has ended, nothing is
// borrowed, and nobody hears of them: gossip_ rests already. What runs is asked first: it may end while we forget.
void agent::forget_best_values() {
  const bool busy = borrower_.table().running() > 0 && shared_values::any();
  gossip_.forget();
  if (!busy) return gossip_.begin({});
  borrower_.rest();
  const std::lock_guard hold(lock_);
  cleaning_ = true;
}

// The agent's thread.
// model: cluster_best.pml, agent()
nanoseconds agent::clean_up(nanoseconds at) {
  if (!cleaning()) return never;
  if (borrower_.table().running() > 0) {
    lender_.recall_all();  // it may lend on
    return at + 2 * ms;
  }
  gossip_.forget();
  gossip_.begin({});
  bool hope;
  {
    const std::lock_guard hold(lock_);
    cleaning_ = false;
    hope = running_;
  }
  if (hope) borrower_.hope();
  return at;
}

// A best value is about to be reset, between two roots: what we have borrowed offers nothing afterwards, if it ends within ten
// seconds.
void agent::settle() {
  const std::lock_guard one_at_a_time(roots_lock_);
  if (roots_ == 0) stop_borrowed(now() + 10'000 * ms);
}

// Each root has a term of its own. So what was said of the one before, and may still be under way, counts no more; above all its
// best values.
void agent::begin_root(const entry& what, const bytes& arguments) {
  const std::lock_guard one_at_a_time(roots_lock_);
  if (roots_ > 0) {
    if (wanted_.durable) throw std::logic_error("heist: cluster: the durable job " + wanted_.job + " has one root at a time");
    ++roots_;  // of the same term
    return;
  }
  term mine;
  if (wanted_.durable) mine = ledger_.take_over(key_of(build_, 0, what.name(), arguments));
  {
    const std::lock_guard hold(lock_);
    if (!wanted_.durable) mine = std::exchange(had_root_, true) ? term{0, random_word()} : term_;
    term_ = mine;
  }
  roots_ = 1;
  gossip_.begin(mine);
  if (wanted_.durable) {
    const nanoseconds until = now() + std::chrono::nanoseconds(wanted_.give_up).count();
    while (!ledger_.read_news([this](const key& k, bytes value) { notes_.keep(k, std::move(value)); }) && now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // a server that is left may be about to take over
    lender_.note_to(&ledger_, std::chrono::nanoseconds(wanted_.note_after).count());
  }
  {
    const std::lock_guard hold(lock_);
    running_ = true;
  }
  borrower_.hope();
  wire_.send_all(say_this(say::hello));
  wake();
}

void agent::rest() noexcept {
  {
    const std::lock_guard hold(lock_);
    running_ = false;
  }
  borrower_.rest();
  lender_.forget_lifelines();
  lender_.note_to(nullptr, 0);
  lender_.recall_all();
  borrower_.drop_all();
  notes_.clear();
  gossip_.rest();
  wire_.send_all(say_this(say::hello));
}

// README.md, "Durable jobs", step 4: also if the root has thrown. An overtaken driver throws nothing of its root either.
void agent::end_root() {
  const std::lock_guard one_at_a_time(roots_lock_);
  if (--roots_ > 0) return;
  rest();
  if (!wanted_.durable) return;
  switch (ledger_.end_job()) {
    case ledger::change::done: return;
    case ledger::change::overtaken:
      throw std::runtime_error("heist: cluster: another driver has taken the durable job " + wanted_.job + " over; this one returns nothing");
    case ledger::change::unknown:
      throw std::runtime_error("heist: cluster: the server does not say who drives the durable job " + wanted_.job +
                               "; this driver returns nothing; start it again, and it goes on from its notes");
  }
}

void agent::gone(node_id peer) {
  peers_.remove(peer);
  {
    const std::lock_guard hold(lock_);
    lost_.erase(peer);
    doubted_.erase(peer);
    told_.erase(peer);
  }
  notes_.strike_all_of(peer);
  gossip_.gone(peer);
  lender_.gone(peer);
  borrower_.gone(peer);
  bool over;
  {
    const std::lock_guard hold(lock_);
    over = peer == driver_ && std::exchange(running_, false);
  }
  if (over) borrower_.rest();
  wake();
}

// README.md, "Members", step 4.
// model: cluster_lost.pml, nobody_at()
void agent::nobody_at(node_id peer) {
  bool news;
  {
    const std::lock_guard hold(lock_);
    if (now() < trust_from_ || !lost_.emplace(peer, now() + to_announce).second) return;
    news = doubted_.erase(peer) == 0 && peers_.last_heard(peer) != 0;  // else it is doubted, or was taken out
  }
  journal_.lost(peer);
  if (news) {
    message m = say_this(say::lost);
    m.number = peer;
    wire_.send_all(m);
  }
  borrower_.gone(peer);
  wake();
}

// model: cluster_lost.pml, doubt()
void agent::doubt(node_id peer) {
  {
    const std::lock_guard hold(lock_);
    if (peers_.last_heard(peer) == 0) return;
    doubted_.insert(peer);
  }
  borrower_.doubt(peer);
}

// The agent's thread.
nanoseconds agent::bury(nanoseconds at) {
  std::vector<node_id> dead;
  nanoseconds next = never;
  {
    const std::lock_guard hold(lock_);
    for (const auto& [peer, when] : lost_)
      if (when <= at)
        dead.push_back(peer);
      else
        next = std::min(next, when);
    for (const node_id peer : dead) lost_.erase(peer);
  }
  for (const node_id peer : dead) gone(peer);
  return next;
}

// Any thread; called when a worker lies down.
void agent::wake() noexcept {
  const std::lock_guard hold(lock_);
  woken_ = true;
  changed_.notify_all();
}

// If this machine, or this process, was stopped for a while, that says nothing about the others: what they have said lies
// in the socket.
void agent::forgive_if_late(nanoseconds wanted_at) {
  if (wanted_at != never && now() - wanted_at > stall) peers_.forgive();
}

void agent::keep_time() {
  std::unique_lock hold(lock_);
  nanoseconds next = never;
  while (!stopping_) {
    forgive_if_late(next);
    woken_ = false;
    std::vector<message> cancels = std::exchange(own_cancels_, {});
    const bool root = running_ && wanted_.as == role::driver;
    const nanoseconds lost = lost_at_;
    hold.unlock();
    for (const message& m : cancels) borrower_.cancelled(m);
    const nanoseconds at = now();
    const bool active = root || borrower_.table().running() > 0;
    next = std::min({bury(at), clean_up(at), lender_.tick(at, active), borrower_.tick(at), gossip_.tick(at)});
    if (lost != 0 && wanted_.as == role::helper) {
      const nanoseconds end = lost + std::chrono::nanoseconds(wanted_.give_up).count();
      if (at >= end) {
        say_line("the server has been gone for " + std::to_string(wanted_.give_up.count()) + " ms; this helper gives up");
        leave(1);
        next = never;
      } else {
        next = std::min(next, end);
      }
    }
    hold.lock();
    auto roused = [&] { return woken_ || stopping_; };
    if (next == never)
      changed_.wait(hold, roused);
    else
      changed_.wait_for(hold, std::chrono::nanoseconds(std::max<nanoseconds>(next - now(), 0)), roused);
  }
}

// A helper ----------------------------------------------------------------------------------------------------------

void agent::leave(int status) {
  const std::lock_guard hold(lock_);
  if (left_with_ >= 0) return;
  left_with_ = status;
  if (serving_) ::pthread_kill(*serving_, SIGTERM);
}

bool agent::leaving() const {
  const std::lock_guard hold(lock_);
  return left_with_ >= 0;
}

void agent::drain() {
  {
    const std::lock_guard hold(lock_);
    draining_ = true;
  }
  borrower_.stop_asking();
  wire_.send_all(say_this(say::drain));
  if (wanted_.verbose) say_line("draining");
}

bool agent::drained() { return borrower_.table().empty() && !lender_.table().any(); }

// Nobody wants what we borrowed. It stops at its next loop block, slow fork or wait, and until then may lend on.
void agent::stop_borrowed(heist::detail::nanoseconds until) {
  borrower_.drop_all();
  while (borrower_.table().running() > 0 && heist::detail::now() < until) {
    lender_.recall_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

int agent::serve() {
  const sigset_t set = signals_to_leave();
  {
    const std::lock_guard hold(lock_);
    serving_ = ::pthread_self();
  }
  bool draining = false;
  for (;;) {
    if (leaving()) break;
    const timespec look_again{0, 20'000'000};
    const int signal = draining ? ::sigtimedwait(&set, nullptr, &look_again) : ::sigwaitinfo(&set, nullptr);
    if (signal > 0 && !leaving()) {  // not the one by leave()
      if (draining) break;
      draining = true;
      drain();
    }
    if (draining && drained()) leave(0);
  }
  if (wanted_.verbose) say_line("left " + wanted_.job);
  // Tasks get a moment to leave their scopes. Those that do not look end with the process.
  stop_borrowed(heist::detail::now() + 200'000'000);
  journal_.write(false, wire_.so_far().bytes_sent);
  const std::lock_guard hold(lock_);
  return std::max(left_with_, 0);
}

agent::figures agent::so_far() const {
  return {lender_.so_far(), borrower_.borrowed(), peers_.count(), wire_.so_far()};
}

}  // namespace heist::cluster::detail

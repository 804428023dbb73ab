#pragma once
// Lends branches of this machine's pool. See README.md, "A loan, seen by its lender".

#include <heist/base/export.hpp>
#include <heist/cluster/journal.hpp>
#include <heist/cluster/ledger.hpp>
#include <heist/cluster/loans.hpp>
#include <heist/cluster/notes.hpp>
#include <heist/cluster/peers.hpp>
#include <heist/cluster/registry.hpp>
#include <heist/cluster/wire.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

HEIST_BEGIN

namespace heist::detail {
class scheduler;
}

namespace heist::cluster::detail {

// How a strand that was away comes back.
struct arrival {
  fate how;
  bytes content;
};

// The strand of a branch that a thief from outside has stolen. Returns when the branch has come back, on some worker.
// Without arguments: they could not be packed, and it comes back at once.
HEIST_API arrival send_away(const entry& what, std::optional<bytes> arguments);
// More bytes of arguments than this do not travel.
HEIST_API std::size_t most_bytes() noexcept;
HEIST_API void report_too_large(const entry& what) noexcept;
// A strand that is about to run a task here, while notes_known is not 0.
HEIST_API bool may_adopt() noexcept;
// What is about to happen here: a call within a task, or the task itself that was borrowed. That one does not wait for an
// orphan with its key: it may be the orphan, or be waited for by it.
enum class about_to : unsigned char { call, run_borrowed };
// The value, if it was noted, or if somebody has it or computes it; else fate::home, at once.
HEIST_API arrival adopt(const entry& what, const bytes& arguments, about_to what_for);
// From when on a task counts as long, if it began now; never, if nothing is noted.
HEIST_API nanoseconds note_from() noexcept;
HEIST_API void leave_note(const entry& what, const bytes& arguments, const bytes& value) noexcept;
// A result came that is none: one line, the first time.
HEIST_API void report_undecodable(const entry& what) noexcept;

class lender {
 public:
  // `said(m)` fills in who we are.
  lender(wire& out, peers& them, notes& known, journal& written, heist::detail::scheduler& pool, nanoseconds suspect, std::string build,
         std::function<message(say)> said, std::function<void(node_id, message&)> to_holder);
  ~lender();

  // Durable jobs: results of tasks that ran longer than that go there.
  void note_to(ledger* to, nanoseconds longer_than);

  // Messages.
  void asked(const message& m);
  void returned(message& m);
  void declined(const message& m);
  void missing(const message& m);
  // That one asks whether we are there, and what it has of ours.
  void probed(node_id by);
  // That one takes no more.
  void drains(node_id peer);
  // That machine is lost, or has left.
  void gone(node_id peer);
  // Everything is run here.
  void recall_all();
  void forget_lifelines();

  // The agent's thread. Pings, suspects, and pushes work to lifelines; returns when it wants to be called again.
  nanoseconds tick(nanoseconds at, bool active);

  struct figures {
    std::uint64_t lent = 0, returned = 0, came_home = 0, adopted = 0;
  };
  figures so_far() const noexcept;
  const loans& table() const noexcept { return loans_; }

 private:
  friend arrival send_away(const entry&, std::optional<bytes>);
  friend std::size_t most_bytes() noexcept;
  friend bool may_adopt() noexcept;
  friend arrival adopt(const entry&, const bytes&, about_to);
  friend nanoseconds note_from() noexcept;
  friend void leave_note(const entry&, const bytes&, const bytes&) noexcept;
  struct departure;

  bool lend(node_id to, std::uint64_t request);
  arrival adopt_from(node_id holder, const key& k);
  arrival arrived(loan& l);
  void send_ping(node_id to, std::vector<std::uint64_t> numbers);  // under sending_
  void suspect_silent(nanoseconds at);
  void ping();
  void cancel(const std::shared_ptr<loan>& l) noexcept;

  wire& wire_;
  peers& peers_;
  notes& notes_;
  journal& journal_;
  heist::detail::scheduler& pool_;
  const nanoseconds suspect_;
  const std::string build_;
  const std::function<message(say)> said_;
  const std::function<void(node_id, message&)> to_holder_;
  loans loans_;
  std::atomic<ledger*> ledger_{nullptr};
  std::atomic<nanoseconds> note_after_{0};
  std::mutex lock_;
  std::vector<node_id> lifelines_;  // under lock_; the first to ask comes first
  // Held while a task leaves, and while pings are made and sent. So a ping lists what was sent before it, and nothing else.
  std::mutex sending_;
  nanoseconds next_ping_ = 0, next_push_ = 0, push_every_ = 0;  // the agent's thread
  std::atomic<std::uint64_t> lent_{0}, returned_{0}, came_home_{0}, adopted_{0};
};

}  // namespace heist::cluster::detail

HEIST_END

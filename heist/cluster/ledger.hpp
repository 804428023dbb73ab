#pragma once
// What the server keeps of a durable job: who drives it, and notes. See README.md, "Durable jobs".

#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

HEIST_BEGIN

namespace heist::cluster::detail {

class wire;

// The driver of the job, as the server keeps it.
struct entry_of_driver {
  term of;  // of epoch 0: the job has ended
  key fingerprint{};
  node_id by = 0;  // that has written it: two drivers that take a job over would write the same otherwise
  bool operator==(const entry_of_driver&) const = default;
};

class ledger {
 public:
  // `patience`: how long it waits for a server that does not answer.
  ledger(wire& by, const std::string& job, node_id me, std::chrono::nanoseconds patience);
  ~ledger();
  ledger(const ledger&) = delete;
  ledger& operator=(const ledger&) = delete;

  // The driver. Takes the job over, or begins it: its new term. Throws std::runtime_error with one sentence if the server keeps
  // nothing, another driver is faster, or the job is another one.
  term take_over(const key& fingerprint);
  // The driver: it has ended, and its value may be returned if nobody else has taken the job over. Then its notes are deleted.
  enum class change : unsigned char { done, overtaken, unknown };
  change end_job();

  // Another job, or another driver: what was put before counts no more.
  void begin(std::uint64_t instance);
  // Any strand, or a helper's thread. False if it was not kept. Best values are kept before it: they may be what it rests on.
  bool put(const key& k, const bytes& value) noexcept;
  // A driver that starts, or a strand whose loan was lost: the notes of this job that were not read before. Best values are
  // heard before. A call that had to wait for another one, which began later, does nothing. False if the server does not tell
  // them all.
  bool read_news(const std::function<void(const key&, bytes)>& one) noexcept;

 private:
  struct bucket;
  struct found_entry;
  bool open() noexcept;
  bool make();
  found_entry look_up() const;
  change write(const entry_of_driver& wanted, std::uint64_t over);
  bool read_since(std::uint64_t& seen, std::uint64_t instance, const std::function<void(const key&, bytes)>& one);
  static std::string name_of_kind(const char* kind, std::uint64_t instance);
  void purge(std::uint64_t instance) noexcept;
  bool put_best_values(std::uint64_t& instance);

  wire& wire_;
  const std::string name_;
  std::unique_ptr<bucket> b_;
  // The driver's: its entry, and the revision of that.
  entry_of_driver mine_;
  std::uint64_t revision_ = 0;
  const node_id id_;
  const std::string me_;
  const std::chrono::nanoseconds patience_;
  std::mutex news_lock_;  // of what follows
  std::uint64_t seen_ = 0, seen_of_ = 0;  // the last revision that was read, of that instance
  std::int64_t read_began_ = 0;
  std::mutex best_lock_;  // of what follows
  std::uint64_t instance_ = 0;
  std::map<std::uint64_t, std::uint64_t> best_kept_;  // the version of each best value that is there
};

}  // namespace heist::cluster::detail

HEIST_END

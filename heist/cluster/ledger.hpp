#pragma once
// What the server keeps of a durable job: who drives it, and notes. See README.md, "Durable jobs".

#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

HEIST_BEGIN

namespace heist::cluster::detail {

class wire;

class ledger {
 public:
  ledger(wire& by, const std::string& job, node_id me);
  ~ledger();
  ledger(const ledger&) = delete;
  ledger& operator=(const ledger&) = delete;

  // The driver. Takes the job over, or begins it: its new term. Throws std::runtime_error with one sentence if the server keeps
  // nothing, another driver is faster, or the job is another one.
  term take_over(const key& fingerprint);
  // The driver: whether nobody else has taken the job over. The job has ended then: its notes are deleted.
  bool end_job();

  // Another job, or another driver: what was put before counts no more.
  void begin();
  // Any strand, or a helper's thread. False if it was not kept. Best values are kept before it: they may be what it rests on.
  bool put(const key& k, const bytes& value) noexcept;
  // All notes. Best values are heard.
  void read(const std::function<void(const key&, bytes)>& one);

 private:
  struct bucket;
  bool open() noexcept;
  void make();
  void remove() noexcept;
  bool put_best_values();

  wire& wire_;
  const std::string name_;
  std::unique_ptr<bucket> b_;
  std::uint64_t revision_ = 0;  // of the driver's entry
  const std::string me_;
  std::mutex best_lock_;
  std::map<std::uint64_t, std::uint64_t> best_kept_;  // under best_lock_: the version of each best value that is there
};

}  // namespace heist::cluster::detail

HEIST_END

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

// Who drives the job, as the server keeps it.
struct entry_of_driver {
  term of;  // of epoch 0: the job has ended
  key fingerprint{};
};

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
  void begin(std::uint64_t instance);
  // Any strand, or a helper's thread. False if it was not kept. Best values are kept before it: they may be what it rests on.
  bool put(const key& k, const bytes& value) noexcept;
  // The driver: all notes of its job. Best values are heard.
  void read(const std::function<void(const key&, bytes)>& one);

 private:
  struct bucket;
  bool open() noexcept;
  void make();
  static std::string name_of_kind(const char* kind, std::uint64_t instance);
  void purge(std::uint64_t instance) noexcept;
  bool put_best_values(std::uint64_t& instance);

  wire& wire_;
  const std::string name_;
  std::unique_ptr<bucket> b_;
  // The driver's: its entry, and the revision of that.
  entry_of_driver mine_;
  std::uint64_t revision_ = 0;
  const std::string me_;
  std::mutex best_lock_;  // of what follows
  std::uint64_t instance_ = 0;
  std::map<std::uint64_t, std::uint64_t> best_kept_;  // the version of each best value that is there
};

}  // namespace heist::cluster::detail

HEIST_END

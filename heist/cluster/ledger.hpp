#pragma once
// What the server keeps of a durable job: who drives it, and notes. See README.md, "Durable jobs".

#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

HEIST_BEGIN

namespace heist::cluster::detail {

class wire;

class ledger {
 public:
  ledger(wire& by, const std::string& job);
  ~ledger();
  ledger(const ledger&) = delete;
  ledger& operator=(const ledger&) = delete;

  // The driver. Takes the job over, or begins it: its new term. Throws std::runtime_error with one sentence if the server keeps
  // nothing, another driver is faster, or the job is another one.
  term take_over(const key& fingerprint);
  // The driver: whether nobody else has taken the job over. The job has ended then: its notes are deleted.
  bool end_job();

  // Any strand, or a helper's thread. False if it was not kept.
  bool put(const key& k, const bytes& value) noexcept;
  // All notes.
  void read(const std::function<void(const key&, bytes)>& one);

 private:
  struct bucket;
  bool open() noexcept;

  wire& wire_;
  const std::string name_;
  std::unique_ptr<bucket> b_;
  std::uint64_t revision_ = 0;  // of the driver's entry
};

}  // namespace heist::cluster::detail

HEIST_END

#pragma once
// Results that need not be computed again: who holds which orphan, and notes of former drivers. See README.md, "Orphans".

#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <span>

HEIST_BEGIN

namespace heist::cluster::detail {

// How many are known in this process. A task's call reads it, and looks further if there are any.
HEIST_API extern constinit std::atomic<std::size_t> notes_known;

class notes {
 public:
  struct note {
    node_id holder = 0;  // whom to ask; 0: the value is here
    bytes value;
  };

  ~notes() { clear(); }
  void held_by(node_id holder, std::span<const key> keys);
  void keep(const key& k, bytes value);
  std::optional<note> find(const key& k) const;
  // That one does not have it after all.
  void strike(const key& k, node_id holder);
  void strike_all_of(node_id holder);
  void clear();

 private:
  void count();  // under lock_

  mutable std::mutex lock_;
  std::map<key, note> known_;
  std::size_t counted_ = 0;
};

}  // namespace heist::cluster::detail

HEIST_END

#pragma once
// Where a scope was made: by which strand, and where that strand is now.

#include <heist/base/export.hpp>
#include <heist/strand/worker.hpp>

#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class stack;

class place_of_scope {
 public:
  place_of_scope();  // throws what default_pool() throws

  bool outside() const noexcept { return thread_ != nullptr; }
  scheduler& pool() const noexcept { return *pool_; }            // where children run
  const stack* home() const noexcept { return home_; }           // of the strand that made the scope; null: a native one
  bool ended() const noexcept;                                   // the scope is gone
  void end() noexcept;

  // The calling thread is in the scope's pool.
  bool in_pool() const noexcept { return this_worker() != nullptr && &this_worker()->pool == pool_; }
  // The calling strand is the scope's, or a branch of a join that runs in its place.
  bool on_strand() const noexcept;
  // Ends the program with a message if the calling strand is another one; in checked builds, also
  // if it is a branch of the scope's.
  void must_be_on_strand() const noexcept;

  // On the strand: whether every join that it has begun since it made the scope has ended. See
  // base_.
  bool at_base() const noexcept;
  void note_base() noexcept;
  // On the strand: whether a join is open whose branch is in the deque.
  bool inside_fork() const noexcept;

 private:
  scheduler* pool_;
  const stack* home_ = nullptr;
  const void* thread_ = nullptr;  // outside any pool: who made the scope
  const void* mark_ = nullptr;    // checked builds: of the strand that made it
  // Where the strand is when no join is open: the worker, and the next index of its deque. An open
  // join has pushed an item, so the index differs, even if the item was stolen. A strand that has
  // moved since may be back at the same worker and the same index inside a join: so its stack's
  // moves must be the same, too.
  const worker* base_on_ = nullptr;
  std::int64_t base_ = 0;
  std::uint32_t moves_ = 0;
};

[[noreturn]] HEIST_COLD void end_of_life() noexcept;

}  // namespace heist::detail

HEIST_END

#pragma once
// Where a scope was made: by which strand, and how far its strand has come since.

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
  // Ends the program with a sentence if the calling strand is another; in checked builds, also a branch of it.
  void must_be_on_strand() const noexcept;

  // On the strand: no join is open that it has begun since it made the scope. See base_.
  bool at_base() const noexcept;
  void note_base() noexcept;
  // On the strand: a join is open, and its branch lies in the deque.
  bool inside_fork() const noexcept;

 private:
  scheduler* pool_;
  const stack* home_ = nullptr;
  const void* thread_ = nullptr;  // outside any pool: who made the scope
  const void* mark_ = nullptr;    // checked builds: of the strand that made it
  // Where the strand stands when no join is open: at which worker, and the next index in the deque. A join that is open has
  // pushed an item there, and be it stolen, the index is another.
  const worker* base_on_ = nullptr;  // null: not known any more
  std::int64_t base_ = 0;
};

[[noreturn]] HEIST_COLD void end_of_life() noexcept;

}  // namespace heist::detail

HEIST_END

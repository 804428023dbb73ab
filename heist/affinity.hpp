#pragma once
// affinity: repeated loops over the same data, with the same parts on the same workers.

#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>
#include <heist/for_each.hpp>

#include <cstddef>
#include <memory>

HEIST_BEGIN

namespace heist {

namespace detail {
class affinity_map;
using affinity_piece = void(void* loop, std::size_t first, std::size_t last);
}  // namespace detail

// Remembers which worker had which part of a loop. Passed last to for_each_index, for_each, transform and other loops, also
// beside a grain, a stop token or a progress, loop after loop over the same data, it makes each worker begin with the parts
// that it had before, which may still be in its caches. When it has done those, it takes parts of others, and what is left of
// a part is split when a worker is idle. So a loop is as balanced as without, and on one worker it runs in order.
//
// If the number of elements changes, it begins anew, and so it does if there are four times as many workers as before. When
// workers leave, others take their parts; those that soon return have theirs again. A loop that begins while another one with
// the same affinity is under way runs without, and so do loops with a heist::limit or over ranges without random access. After
// Acar, Blelloch and Blumofe, "The data locality of work stealing" (2000).
class HEIST_TYPE affinity {
 public:
  HEIST_API affinity();
  HEIST_API ~affinity();
  affinity(const affinity&) = delete;
  affinity& operator=(const affinity&) = delete;

  // Any thread: calls piece(loop, a, b) for pieces of [0, n), of at most `most` elements each; 0: as long as suits.
  HEIST_API void run(std::size_t n, detail::affinity_piece* piece, void* loop, std::size_t most = 0) const;

 private:
  detail::sole<detail::affinity_map> map_;
};

}  // namespace heist

HEIST_END

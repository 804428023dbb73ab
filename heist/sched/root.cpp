#include <heist/sched/root.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist::detail {

void run_root(scheduler& s, root& r) { s.callers.run(r); }

}  // namespace heist::detail

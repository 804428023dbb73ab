#include <heist/sched/default_scheduler.hpp>
#include <heist/sched/root.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist::detail {

void run_root(scheduler& s, root& r) { s.callers.run(r); }
void run_root(root& r) { run_root(default_scheduler(), r); }

}  // namespace heist::detail

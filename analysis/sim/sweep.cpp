#include <analysis/sim/sweep.hpp>

#include <analysis/sim/invariants.hpp>

#include <heist/heist.hpp>

#include <mutex>

namespace heist::analysis {

void in_parallel(std::size_t n, const std::function<void(std::size_t)>& f, const std::function<void()>& done) {
  std::mutex one_at_a_time;
  heist::for_each_index(
      std::size_t{0}, n,
      [&](std::size_t i) {
        f(i);
        const std::lock_guard lock(one_at_a_time);
        done();
      },
      heist::grain{1});
}

std::vector<report> sweep(const computation& c, const std::vector<options>& all, const std::function<void()>& done) {
  std::vector<report> reports(all.size());
  in_parallel(
      all.size(), [&](std::size_t i) { reports[i] = simulate(c, all[i]); }, done);
  return reports;
}

}  // namespace heist::analysis

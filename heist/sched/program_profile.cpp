#include <heist/base/fatal.hpp>
#include <heist/base/process.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/meter/report.hpp>
#include <heist/sched/program_profile.hpp>
#include <heist/sched/scheduler.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace heist::detail {

void count_pool(scheduler& pool, measurement& m) {
  const statistics s = pool.stats();
  m.steals += s.steals;
  m.steal_attempts += s.steal_attempts;
  m.suspends += s.suspends;
  m.stack_bytes_peak += s.stack_bytes_peak;
  for (const scheduler::share& w : pool.shares()) m.workers.push_back({w.strands, static_cast<double>(w.busy_ticks)});
}

program_profile::program_profile(bool json, std::string file, unit in) : json_(json), file_(std::move(file)), in_(in) {
  total_.drop();
  calibration::get();  // not in the middle of the program
}

program_profile* program_profile::get() {
  static program_profile* const the_one = from_environment();
  return the_one != nullptr && the_one->began_in_ == this_process() ? the_one : nullptr;
}

program_profile* program_profile::from_environment() {
  const char* const wanted = std::getenv("HEIST_PROFILE");
  if (wanted == nullptr || *wanted == '\0') return nullptr;
  const std::string_view text(wanted);
  const auto colon = text.find(':');
  const std::string_view form = text.substr(0, colon);
  const std::string file(colon == text.npos ? "" : text.substr(colon + 1));
  if ((form != "text" && form != "json") || (colon != text.npos && file.empty()))
    throw std::invalid_argument("heist: HEIST_PROFILE is \"" + std::string(text) +
                                "\", not text, json, text:FILE or json:FILE");
  const char* const unit_wanted = std::getenv("HEIST_PROFILE_UNIT");
  const std::string_view in(unit_wanted == nullptr ? "time" : unit_wanted);
  if (in != "time" && in != "strand")
    throw std::invalid_argument("heist: HEIST_PROFILE_UNIT is \"" + std::string(in) + "\", not time or strand");
  auto* const p = new program_profile(form == "json", file, in == "strand" ? unit::strand : unit::time);
  std::atexit([] {
    if (program_profile* const still = get()) still->write();
  });
  return p;
}

void program_profile::enlist(scheduler& pool) {
  const std::lock_guard hold(lock_);
  pools_.push_back(&pool);
  pool.begin_metering();
}

void program_profile::strike(scheduler& pool) {
  const std::lock_guard hold(lock_);
  std::erase(pools_, &pool);
  count_pool(pool, sums_);
}

void program_profile::add(const scheduler& pool, strand_clock&& root) {
  learn_burden(pool.steal_cost());
  const std::lock_guard hold(lock_);
  total_.append(std::move(root));
}

void program_profile::write() noexcept {
  const std::lock_guard hold(lock_);
  measurement m = sums_;
  for (scheduler* const p : pools_) count_pool(*p, m);
  m.in = in_;
  describe(total_, m);
  const std::string text = json_ ? as_json(m) : as_text(m);
  std::FILE* const to = file_.empty() ? stderr : std::fopen(file_.c_str(), "w");
  if (to == nullptr) return say(("HEIST_PROFILE: " + file_ + " cannot be written").c_str());
  std::fwrite(text.data(), 1, text.size(), to);
  if (to != stderr) std::fclose(to);
}

}  // namespace heist::detail

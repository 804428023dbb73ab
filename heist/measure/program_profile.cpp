#include <heist/base/environment.hpp>
#include <heist/base/fatal.hpp>
#include <heist/base/file.hpp>
#include <heist/base/process.hpp>
#include <heist/base/text.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/measure/report.hpp>
#include <heist/measure/program_profile.hpp>
#include <heist/topology/parallelism.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace heist::detail {

program_profile::program_profile(wishes w) : wanted_(std::move(w)), from_(this_run(available_parallelism({}))) {
  const double ns_per_tick = calibration::get().ns_per_tick;  // measured now, not in the middle of the program
  if (!wanted_.recording_file.empty())
    recording::begin(static_cast<std::uint64_t>(static_cast<double>(wanted_.recording_grain) / ns_per_tick), wanted_.recorded_loops);
  total_.emplace().drop();
}

program_profile* program_profile::get() {
  static program_profile* const the_one = []() -> program_profile* {
    wishes w = from_environment();
    if (w.report == form::none && w.recording_file.empty()) return nullptr;
    auto* const p = new program_profile(std::move(w));
    std::atexit([] {
      if (program_profile* const still = get()) still->write();
    });
    return p;
  }();
  return the_one != nullptr && the_one->began_in_ == this_process() ? the_one : nullptr;
}

namespace {

[[noreturn]] void refuse(const char* name, std::string_view value, const char* instead) {
  throw std::invalid_argument(std::string("heist: ") + name + " is \"" + std::string(value) + "\", not " + instead);
}

}  // namespace

program_profile::wishes program_profile::from_environment() {
  wishes w;
  if (const std::string_view text = text_from_environment("HEIST_PROFILE"); !text.empty()) {
    const auto colon = text.find(':');
    const std::string_view kind = text.substr(0, colon);
    if (colon != text.npos) w.report_file = text.substr(colon + 1);
    if ((kind != "text" && kind != "json") || (colon != text.npos && w.report_file.empty()))
      refuse("HEIST_PROFILE", text, "text, json, text:FILE or json:FILE");
    w.report = kind == "json" ? form::json : form::text;
  }
  if (const std::string_view in = text_from_environment("HEIST_PROFILE_UNIT"); in == "strand")
    w.in = unit::strand;
  else if (!in.empty() && in != "time")
    refuse("HEIST_PROFILE_UNIT", in, "time or strand");
  w.recording_file = text_from_environment("HEIST_RECORD");
  const auto grain = number_from_environment("HEIST_RECORD_GRAIN", 0, 1'000'000'000);
  w.recording_grain = static_cast<unsigned>(grain.value_or(w.recording_grain));
  if (word_from_environment("HEIST_RECORD_LOOPS", {"time", "count"}) == 1) w.recorded_loops = recording::loops::by_count;
  return w;
}

void program_profile::enlist(metered_pool& pool) {
  learn_burden();
  const std::lock_guard hold(lock_);
  pools_.push_back(&pool);
  pool.begin();
}

void program_profile::strike(metered_pool& pool) {
  const std::lock_guard hold(lock_);
  std::erase(pools_, &pool);
  pool.count(sums_);
}

void program_profile::add(strand_clock&& root, place where) {
  const std::lock_guard hold(lock_);
  std::optional<strand_clock>& all = where == place::last ? last_ : total_;
  if (!all) all.emplace().drop();
  all->note_depth(0);
  all->append(std::move(root));
}

void program_profile::begin(const void* future) {
  const std::lock_guard hold(lock_);
  total_->note_depth(0);
  total_->queue_child(future, 0);
}

void program_profile::join(const void* future, strand_clock&& computation) {
  const std::lock_guard hold(lock_);
  total_->note_depth(0);
  std::vector<strand_clock::queued_child> asked{{0, &computation}};
  total_->join_queued(future, asked);  // one that began in a pool counts from here
  total_->sync(future);
}

void program_profile::add(const measurement::crossing& between, const measurement::share& done_here) {
  const std::lock_guard hold(lock_);
  measurement::crossing& all = sums_.crossed;
  all.machines = std::max(all.machines, between.machines);
  all.loans += between.loans;
  all.messages += between.messages;
  all.bytes += between.bytes;
  lent_to_us_.strands += done_here.strands;
  lent_to_us_.busy += done_here.busy;
}

void program_profile::write() noexcept try {
  const std::lock_guard hold(lock_);
  const plain_numbers here;
  if (last_) total_->append(std::move(*std::exchange(last_, std::nullopt)));
  if (wanted_.report != form::none) write_report();
  if (!wanted_.recording_file.empty()) write_recording();
} catch (const std::bad_alloc&) {
  say("no memory to write the program's profile or recording");
}

void program_profile::write_report() {
  measurement m = sums_;
  for (metered_pool* const p : pools_) p->count(m);
  m.in = wanted_.in;
  describe(*total_, before_, m);
  m.elsewhere.strands -= std::min(m.elsewhere.strands, lent_to_us_.strands);
  m.elsewhere.busy -= std::min(m.elsewhere.busy, lent_to_us_.busy);
  const std::string text = wanted_.report == form::json ? as_json(m, from_) : as_text(m, from_);
  const auto write_to = [&](std::FILE* to) { std::fwrite(text.data(), 1, text.size(), to); };
  if (wanted_.report_file.empty())
    write_to(stderr);
  else
    write_file("HEIST_PROFILE", wanted_.report_file, write_to);
}

// A line that says what it is, a line with what is needed to read it, and the steps.
void program_profile::write_recording() {
  const std::vector<unsigned char>& steps = total_->recorded()->finished();
  write_file("HEIST_RECORD", wanted_.recording_file, [&](std::FILE* to) {
    std::fprintf(to, "heist recording 1\n{\"ns_per_tick\": %.9g, \"grain\": %u, \"bytes\": %zu}\n",
                 calibration::get().ns_per_tick, wanted_.recording_grain, steps.size());
    std::fwrite(steps.data(), 1, steps.size(), to);
  });
}

}  // namespace heist::detail

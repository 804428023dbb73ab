#include <cli/computation_option.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/replay/as_dag.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <string_view>

namespace heist::cli {
namespace {

using namespace analysis;

bool is_recording(const std::string& path) {
  constexpr std::string_view first = "heist recording";
  std::string begins(first.size(), '\0');
  std::ifstream from(path, std::ios::binary);
  return from.read(begins.data(), static_cast<std::streamsize>(begins.size())) && begins == first;
}

// What a dag may be called.
std::string named_after(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1).substr(0, 60);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') c = '_';
  return name;
}

// In which the strands are ten steps long on average, as a round number.
double step_for(const recorded_run& run, const dag& d) {
  const double ten = run.work / (10.0 * d.instructions());
  const double power = std::pow(10, std::floor(std::log10(ten)));
  return std::max(0.001, (ten >= 5 * power ? 5 : ten >= 2 * power ? 2 : 1) * power);
}

// A strand takes a step at least.
void warn_of_long_steps(const recorded_run& run, const dag& d, double step) {
  double steps = 0;
  for (const std::uint32_t n : d.durations) steps += n;
  if (steps > 1.1 * run.work / step + 1)
    fmt::print(
        stderr,
        "heist: a step of {:g} ns is too long for this recording: strands take at least one, so the work is {:.0f} "
        "steps instead of {:.0f}; use --step {:g}\n",
        step, steps, run.work / step, step_for(run, d));
}

opened_computation open_recording(const std::string& path, double step, std::uint64_t threads) {
  recorded_run run = read_recording(path);
  if (run.work <= 0)
    throw bad_input(path + ": nothing was recorded; only what runs in a pool is: in join, a scope, a loop or pool.run");
  if (step == computation_option::finest) step = std::max(1.0, run.work / 5e8);
  opened_computation o;
  o.ns_per_step = step;
  const std::size_t all = threads_of(run);
  o.note = fmt::format("a recording: work {:.6g} ms, span {:.4g} ms, {} forks, {} threads; a step is {:g} ns",
                       run.work / 1e6, run.span / 1e6, run.all_forks, all, step);
  if (threads > 0 && all > threads) {
    run = collapse(run, threads);
    o.collapsed = true;
    o.note += fmt::format("; the {} smallest threads are collapsed into strands", all - threads_of(run));
  }
  dag d = to_dag(run, step);
  warn_of_long_steps(run, d, step);
  d.name = named_after(path);
  o.what = std::make_unique<stored_computation>(std::move(d));
  return o;
}

}  // namespace

void computation_option::add_to(CLI::App& app, const char* text) {
  app.add_option("computation", name, text)->required();
  add_recording_options(app);
}

void computation_option::add_recording_options(CLI::App& app) {
  app.add_option("--step", step, "recordings: the time of a step, in ns")
      ->check(CLI::Range(0.001, 1e9))
      ->capture_default_str();
  app.add_option("--collapse", threads,
                 "recordings: keep at most this many threads; smaller ones become part of the strand around them")
      ->check(CLI::Range(1, 1 << 24));
}

opened_computation computation_option::open(const std::string& spec) const {
  if (is_recording(spec)) return open_recording(spec, step, threads);
  if (threads > 0) throw bad_input(fmt::format("{} is no recording: --collapse cannot be used with it", spec));
  opened_computation o;
  o.what = open_computation(spec);
  return o;
}

}  // namespace heist::cli

#include <cli/computation_option.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/replay/as_dag.hpp>

#include <fmt/format.h>

#include <cctype>
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

opened_computation open_recording(const std::string& path, double step, std::uint64_t threads) {
  recorded_run run = read_recording(path);
  if (run.work <= 0) throw bad_input(path + ": nothing was recorded; did the program use heist?");
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

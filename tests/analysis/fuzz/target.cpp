#include "target.hpp"

#include <analysis/dag/error.hpp>
#include <analysis/dag/io.hpp>
#include <analysis/dag/measure.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/dag/strict.hpp>
#include <analysis/replay/replay.hpp>
#include <analysis/sim/invariants.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace heist::analysis;

void must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

void check_message(const bad_input& e) {
  const std::string_view what = e.what();
  must(!what.empty() && what.find('\n') == std::string_view::npos, "a message is not one line");
  must(what.size() < 1000, "a message is too long");
}

// Every form of it reads back as the same.
void check_forms(const dag& d) {
  must(to_text(read(to_text(d), "text")) == to_text(d), "the text does not come back");
  must(to_json(read(to_json(d), "json")) == to_json(d), "the JSON does not come back");
  must(!to_graphviz(d).empty(), "no drawing");
}

void check_runs(const dag& d) {
  const measures m = measure(d);
  const stored_computation c(d);
  for (const policy p : {policy::greedy, policy::busy_leaves, policy::work_stealing, policy::help_first,
                         policy::sharing, policy::static_partition}) {
    for (const std::uint32_t processors : {1u, 3u}) {
      options o;
      o.policy = p;
      o.processors = processors;
      o.check = m.work < 2000;
      const report r = simulate(c, o);
      must(r.violations.empty(), r.violations.empty() ? "" : r.violations[0].c_str());
      must(r.work == m.work && r.of.span == m.span && r.of.stack == m.stack, "the run has other measures than the dag");
    }
  }
}

void check_recording(std::string_view text) {
  try {
    const recorded_run run = parse_recording(text, "input");
    must(run.span <= run.work * (1 + 1e-9), "the span is longer than the work");
    for (const stealing how : {stealing::flat, stealing::fence, stealing::ask})
      for (const std::uint32_t workers : {1u, 3u}) replay(run, {}, workers, 1, how);
  } catch (const bad_input& e) {
    check_message(e);
  }
}

}  // namespace

void fuzz_one(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with("heist rec")) {
    // As it is, and with a header that fits, so that what is wrong in the steps is reached.
    check_recording(text);
    const std::size_t end = std::min(text.find('\n', text.find('\n') + 1), text.size() - 1);
    const std::string steps(text.substr(end + 1));
    return check_recording(
        fmt::format("heist recording 1\n{{\"ns_per_tick\": 0.5, \"bytes\": {}}}\n{}", steps.size(), steps));
  }
  dag d;
  try {
    if (size < 100) make_shape(std::string(text));
    d = read(text, "input");
  } catch (const bad_input& e) {
    check_message(e);
    return;
  }
  if (d.instructions() > 2000) return;
  must(topological_order(d).size() == d.instructions(), "a cycle was let through");
  check_forms(d);
  oddities(d);
  try {
    const moved strict = make_fully_strict(d);
    must(classify(strict.result).kind == strictness::fully_strict, "what was made fully strict is not");
    must(topological_order(strict.result).size() == strict.result.instructions(), "what was made strict has a cycle");
  } catch (const bad_input& e) {
    check_message(e);
  }
  check_runs(d);
}

// heist sim show: a computation's measures, its class, and its other forms.

#include <cli/computation_option.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/io.hpp>
#include <analysis/dag/measure.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/dag/strict.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace heist::cli {
namespace {

using namespace analysis;

struct show_settings {
  computation_option computation;
  std::string form;
  bool strict = false, fully_strict = false, critical = false, json = false;
};

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

std::string named(const dag& d, const edge& e) { return fmt::format("{} -> {}", d.label(e.from), d.label(e.to)); }

std::string table(const dag& d, const measures& m, const classification& c) {
  std::string out = fmt::format(
      "{}\n  work            T1     {}\n  critical path   Tinf   {}\n  parallelism            {:.2f}\n"
      "  stack depth     S1     {}\n  largest frame   Smax   {}\n  threads                {}\n"
      "  joins to parent n_d    {}\n  class                  {}",
      d.name.empty() ? "computation" : d.name, m.work, m.span, m.parallelism(), m.stack, m.frame, m.threads, m.joins,
      to_string(c.kind));
  if (c.offender) {
    const char* const why = c.kind == strictness::strict ? "goes past the parent" : "does not go to an ancestor";
    out += fmt::format(": the join {} {}", named(d, *c.offender), why);
  }
  return out + "\n";
}

nlohmann::json as_json(const dag& d, const measures& m, const classification& c, const std::vector<std::string>& odd) {
  nlohmann::json j = {{"name", d.name},   {"work", m.work},       {"span", m.span},   {"stack", m.stack},
                      {"frame", m.frame}, {"threads", m.threads}, {"joins", m.joins}, {"class", to_string(c.kind)},
                      {"oddities", odd}};
  if (c.offender) j["offender"] = named(d, *c.offender);
  return j;
}

int show(const show_settings& with) {
  std::optional<progress> bar(std::in_place, with.computation.name, 1);
  const opened_computation opened = with.computation.open();
  dag d = expand(*opened.what);
  std::string change = opened.note.empty() ? "" : "  " + opened.note + "\n";
  if (with.strict || with.fully_strict) {
    const std::uint64_t before = measure(d).span;
    moved m = with.fully_strict ? make_fully_strict(d) : make_strict(d);
    const std::uint64_t after = measure(m.result).span;
    change += fmt::format("  moved {} joins, added {} instructions: the critical path went from {} to {}\n", m.joins,
                          m.instructions, before, after);
    d = std::move(m.result);
  }
  const auto write = [&](const std::string& text) {
    bar.reset();
    print(text);
    return ok;
  };
  if (with.form == "text") return write(to_text(d));
  if (with.form == "json") return write(to_json(d));
  if (with.form == "dot") return write(to_graphviz(d, {with.critical, opened.ns_per_step}));
  const std::vector<std::string> odd = oddities(d);
  if (with.json) {
    write(as_json(d, measure(d), classify(d), odd).dump(1) + "\n");
  } else {
    write(table(d, measure(d), classify(d)) + change);
    constexpr std::size_t shown = 5;  // a recording may have thousands
    for (std::size_t i = 0; i < odd.size() && i < shown; ++i) print("  odd: " + odd[i] + "\n");
    if (odd.size() > shown) print(fmt::format("  and {} more like this; --json has all\n", odd.size() - shown));
  }
  return odd.empty() ? ok : check_failed;
}

}  // namespace

void add_show(CLI::App& sim, action& chosen) {
  CLI::App& app =
      *sim.add_subcommand("show", "Print the measures and the class of a computation; exit code 1 if it has an oddity");
  auto with = std::make_shared<show_settings>();
  with->computation.add_to(app);
  app.add_option("--to", with->form, "print it as text, json or dot (Graphviz) instead")
      ->check(CLI::IsMember({"text", "json", "dot"}));
  app.add_flag("--critical-path", with->critical, "with --to dot: mark a longest path");
  app.add_flag("--make-strict", with->strict, "move joins up until it is strict");
  app.add_flag("--make-fully-strict", with->fully_strict, "move joins up until it is fully strict");
  app.add_flag("--json", with->json, "print the measures as JSON");
  app.callback([with, &chosen] { chosen = [with] { return show(*with); }; });
}

}  // namespace heist::cli

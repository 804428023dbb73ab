// heist sim deques: what is in every deque, step by step; and pictures of spawns, stalls, deaths and enabled threads.

#include <cli/computation_option.hpp>
#include <cli/machine_options.hpp>
#include <cli/program.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/sim/deque_figure.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct deques_settings {
  computation_option computation;
  std::uint32_t processors = 2;
  std::uint64_t seed = 1;
  std::string folder;
};

void keep(const std::string& folder, const std::string& name, const std::string& svg) {
  new_file file(folder + "/" + name + ".svg");
  file.write(svg);
  file.keep();
  fmt::print("{}/{}.svg\n", folder, name);
}

// What there was no step for is said, not drawn.
void draw(const dag& d, const deque_table& table, const std::string& folder) {
  std::error_code none_needed;
  std::filesystem::create_directories(folder, none_needed);
  const auto title = [&](deque_event e, deque_moment when) -> std::string {
    const deque_view& after = table.at(when.step, when.processor).after;
    const bool has_work = after.works_on.thread != none || !after.deque.empty();
    switch (e) {
      case deque_event::spawn: return "A spawn: the parent goes to the bottom, the child is worked on";
      case deque_event::stall:
        return has_work ? "A stall: the processor goes on with the bottom of its deque"
                        : "A stall: the deque is empty, so the processor will steal";
      case deque_event::death: return "A death: the processor goes on with the bottom of its deque";
      case deque_event::enable: return "An enabled thread goes to the bottom of the deque of the processor that enabled it";
      case deque_event::theft: return "A theft: the thief works on what was on top of its victim's deque";
    }
    return "";
  };
  if (const auto when = longest_deque(table))
    keep(folder, "deque", structure(d, table, *when, "A deque: each thread was spawned by the one above it"));
  for (const deque_event e :
       {deque_event::spawn, deque_event::stall, deque_event::death, deque_event::enable, deque_event::theft}) {
    if (const auto when = best_moment(table, e))
      keep(folder, to_string(e), before_and_after(d, table, *when, title(e, *when)));
    else
      fmt::print("no {} in this run: try another seed, or more processors\n", to_string(e));
  }
}

int show_deques(const deques_settings& with) {
  analysis::options o;
  o.policy = policy::work_stealing;
  o.processors = with.processors;
  o.seed = with.seed;
  validate(o);
  const opened_computation opened = with.computation.open();
  const stored_computation single(unit(expand(*opened.what)), stretches::single_instructions);
  machine m(single, o);
  deque_table table(*single.stored());
  m.add(table);
  const report r = m.run();
  if (!opened.note.empty()) fmt::print("{}\n", opened.note);
  if (with.folder.empty())
    fmt::print("{}\nT_P {}, {} thefts of {} attempts\n", table.to_string(), r.time, r.steals, r.attempts);
  else
    draw(*single.stored(), table, with.folder);
  return ok;
}

}  // namespace

void add_deques(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand("deques", "Print each processor's deque after every step; draw spawns and deaths");
  auto with = std::make_shared<deques_settings>();
  with->computation.add_to(app);
  app.add_option("-p,--processors", with->processors, "processors")->capture_default_str();
  app.add_option("--seed", with->seed, "seed for the choice of victims")->capture_default_str();
  app.add_option("--draw", with->folder,
                 "instead of the table, write drawings to this folder: the longest deque, and a deque before and after "
                 "a spawn, a stall, a death, an enabled thread and a theft");
  app.footer(
      "Examples:\n  heist sim deques analysis/examples/figure1.dag -p 2\n"
      "  heist sim deques fib:5 -p 3 --draw figures");
  app.callback([with, &chosen] { chosen = [with] { return show_deques(*with); }; });
}

}  // namespace heist::cli

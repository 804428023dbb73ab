// heist sim cache: programs with memory traces on processors with caches; misses against steals.

#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>
#include <cli/trials.hpp>

#include <analysis/cache/address_file.hpp>
#include <analysis/cache/misses.hpp>
#include <analysis/dag/error.hpp>
#include <analysis/sim/sweep.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct cache_settings {
  std::vector<std::string> programs = traced_examples();
  machine_options machine;
  cache_size size;
  std::uint64_t seeds = 5;
  table_options table;
};

struct cache_trial {
  std::size_t program;
  analysis::options with;
};

std::unique_ptr<traced_program> open_program(const std::string& name) {
  return std::filesystem::is_regular_file(name) ? read_addresses(name) : make_traced(name);
}

// If only some blocks of memory are in the trace, only as large a part of the cache is theirs.
cache_size share_of(cache_size whole, const traced_program& p, const std::string& name) {
  if (p.sample() == 1) return whole;
  if (whole.line > 8)
    throw bad_input(fmt::format("{} has a sample of blocks of 8 words: lines cannot be longer", name));
  whole.words = static_cast<std::uint32_t>(whole.words / p.sample());
  if (whole.places() < 8)
    throw bad_input(fmt::format("of a cache so small, 1/{} has no room for 8 lines; record {} with a smaller --sample",
                                p.sample(), name));
  return whole;
}

int run_cache(const cache_settings& with) {
  if (with.seeds < 1 || with.seeds > 10'000) throw bad_input("seeds must be from 1 to 10000");
  std::vector<std::unique_ptr<traced_program>> programs;
  std::vector<cache_size> sizes;
  std::vector<cache_run> serial;
  for (const std::string& name : with.programs) {
    programs.push_back(open_program(name));
    sizes.push_back(share_of(with.size, *programs.back(), name));
    serial.push_back(run_with_caches(*programs.back(), {}, sizes.back()));
  }
  std::vector<cache_trial> trials;
  for (std::size_t p = 0; p < programs.size(); ++p)
    for (const analysis::options& o : with.machine.all()) trials.push_back({p, o});
  const std::size_t seeds = with.seeds;
  std::vector<cache_run> runs(trials.size() * seeds);
  {
    progress bar("programs", runs.size());
    in_parallel(
        runs.size(),
        [&](std::size_t i) {
          analysis::options o = trials[i / seeds].with;
          o.seed += i % seeds;
          const std::size_t p = trials[i / seeds].program;
          runs[i] = run_with_caches(*programs[p], o, sizes[p]);
        },
        [&] { bar.step(); });
  }
  figures table({{"program"},
                 {"P"},
                 {"T1"},
                 {"Tinf"},
                 {"T_P"},
                 {"steals", 1},
                 {"Q1"},
                 {"Q_P"},
                 {"Q_P/Q1", 2},
                 {"per move", 2},
                 {"of 2*M/B", 3},
                 {"of P*(M/B)*Tinf", 5},
                 {"kept", 3}});
  const double places = with.size.places();
  std::uint64_t exceptions = 0, judged = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    double time = 0, steals = 0, misses = 0, moves = 0, parts = 0, kept = 0;
    const std::size_t program = trials[i].program;
    const cache_run& one = serial[program];
    const auto sample = static_cast<double>(programs[program]->sample());
    for (std::size_t k = 0; k < seeds; ++k) {
      const cache_run& r = runs[i * seeds + k];
      const auto n = static_cast<double>(seeds);
      time += static_cast<double>(r.seen.time) / n;
      steals += static_cast<double>(r.seen.steals) / n;
      moves += static_cast<double>(r.moves()) / n;
      misses += sample * static_cast<double>(r.misses) / n;
      parts += static_cast<double>(r.seen.parts);
      kept += static_cast<double>(r.seen.parts_kept);
      if (!misses_bounded(trials[i].with)) continue;
      ++judged;
      if (r.misses > one.misses + 2 * sizes[program].places() * r.seen.steals) ++exceptions;
    }
    const double serially = sample * static_cast<double>(one.misses);
    const double more = misses - serially, p = trials[i].with.processors;
    const double each = moves > 0 ? more / moves : 0;
    table.add({with.programs[program], p, static_cast<double>(one.seen.of.work), static_cast<double>(one.seen.of.span),
               time, steals, serially, misses, misses / serially, each, each / (2 * places),
               more / (p * places * static_cast<double>(one.seen.of.span)), parts > 0 ? kept / parts : 0});
  }
  if (with.table.plotted()) {
    const std::string of_size = fmt::format("caches of {} words, lines of {}", with.size.words, with.size.line);
    table.draw({"Misses against those of one processor", "Q_P / Q₁, " + of_size, {"processors P", plot::scale::log2},
                {"Q_P / Q₁", plot::scale::linear, 1, 1}, {}},
               "P", "Q_P/Q1", {"program"}, with.table.file("cache_misses.svg"));
    plot::chart moves{"More misses, by steals",
                      "Q_P − Q₁ for each run; the line is the bound, 2·M/B a steal; " + of_size,
                      {"steals", plot::scale::log10},
                      {"Q_P − Q₁", plot::scale::log10},
                      {}};
    plot::series bound{"2·(M/B)·steals", {}, plot::mark::dashed, 5};
    double most = 1;
    for (std::size_t p = 0; p < programs.size(); ++p) {
      plot::series s{with.programs[p], {}, plot::mark::points};
      for (std::size_t i = 0; i < runs.size(); ++i) {
        if (trials[i / seeds].program != p || runs[i].misses <= serial[p].misses) continue;
        const auto x = static_cast<double>(runs[i].moves());
        s.points.push_back({x, static_cast<double>(runs[i].misses - serial[p].misses)});
        most = std::max(most, x);
      }
      moves.series.push_back(s);
    }
    bound.points = {{1, 2 * places}, {most, 2 * places * most}};
    moves.series.push_back(bound);
    plot::write_svg(moves, with.table.file("cache_steals.svg"));
  }
  with.table.show(
      table,
      fmt::format("Caches of M = {} words, lines of B = {}; least recently used lines go. Q1, Q_P: misses.",
                  with.size.words, with.size.line),
      fmt::format("per move: (Q_P - Q1) / steals, what affinity hands over included. Q_P <= Q1 + 2*(M/B)*steals in {} "
                  "runs: {}",
                  judged,
                  judged == 0       ? "not proved for these options"
                  : exceptions == 0 ? "no exception" : fmt::format("{} BROKEN", exceptions)));
  return exceptions == 0 ? ok : check_failed;
}

}  // namespace

void add_cache(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand(
      "cache", "Simulate programs with memory traces on processors with caches; exit code 1 if the bound breaks");
  auto with = std::make_shared<cache_settings>();
  with->machine.processors = {"2..64"};
  std::string names;
  for (const std::string& e : traced_examples()) names += (names.empty() ? "" : ", ") + e;
  app.add_option("programs", with->programs, "such as " + names + "; or files of heist record --addresses");
  with->machine.add_to(app);
  app.add_option("--words", with->size.words, "M: the words of a cache")->capture_default_str();
  app.add_option("--line", with->size.line, "B: the words of a line")->capture_default_str();
  app.add_option("--seeds", with->seeds, "runs of each")->capture_default_str();
  with->table.add_to(app, "cache_misses, cache_steals");
  app.footer(
      "Examples:\n"
      "  heist sim cache heat:64 -p 2..64 --words 2048 --affinity\n"
      "  heist record --addresses -- ./program-race && heist sim cache heist.addresses --words 4096");
  app.callback([with, &chosen] { chosen = [with] { return run_cache(*with); }; });
}

}  // namespace heist::cli

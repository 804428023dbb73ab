// heist demo: the classic programs in one table, and their report page.

#include <cli/command.hpp>
#include <cli/page.hpp>
#include <cli/program.hpp>

#include <heist/pool.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace heist::cli {
namespace {

namespace fs = std::filesystem;

struct settings {
  std::string page = "heist-demo.html", traced = "merge sort";
  unsigned workers = available_parallelism(), rounds = 5;
};

// The demo is a program of its own, compiled as programs are, with no argument parser in it.
std::string demo_program() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& p : {here / "heist_demo", here / "examples" / "heist_demo"})
    if (fs::exists(p)) return p;
  throw analysis::bad_input(
      "there is no heist_demo beside the command; build it: cmake --build build --target heist_demo");
}

int demo(const settings& with) {
  new_file page(with.page), figures(with.page + ".figures"), trace(with.page + ".trace");
  const auto words = [&](std::vector<std::string> more) {
    std::vector<std::string> all{demo_program(), "--workers", std::to_string(with.workers)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const program table{words({"--rounds", std::to_string(with.rounds), "--figures", figures.draft()}), 0};
  if (const int status = table.run({}, program::output::own); status != 0) return status;
  const program traced{words({"--once", with.traced}), 0};
  if (const int status = traced.run({{"HEIST_TRACE", trace.draft()}}, program::output::own); status != 0) return status;
  page.write(make_page({read_run_file(figures.draft()), read_run_file(trace.draft())}, "heist: the demo"));
  page.keep();
  fmt::print("\n{}: open it in a browser: speed-up, work and span, a timeline of {}, space, steals.\n", with.page,
             with.traced);
  return ok;
}

}  // namespace

void add_demo(CLI::App& heist, action& chosen) {
  CLI::App& app = *heist.add_subcommand("demo", "Classic programs, serial and parallel: one table and one page");
  auto with = std::make_shared<settings>();
  app.add_option("-o,--output", with->page, "the page")->capture_default_str();
  app.add_option("-w,--workers", with->workers, "how many")->check(CLI::Range(1, 4096))->capture_default_str();
  app.add_option("--rounds", with->rounds, "of each program; the best counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--trace", with->traced, "the program whose timeline is shown")->capture_default_str();
  app.footer("Examples:\n  heist demo\n  heist demo --workers 8 --rounds 1 -o eight.html");
  app.callback([with, &chosen] { chosen = [with] { return demo(*with); }; });
}

}  // namespace heist::cli

// heist demo: the classic programs in one table, and their report page.

#include <cli/command.hpp>
#include <cli/page.hpp>
#include <cli/profiled.hpp>
#include <cli/program.hpp>
#include <cli/progress.hpp>

#include <heist/pool.hpp>

#include <analysis/dag/error.hpp>
#include <cli/demo_names.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

namespace heist::cli {
namespace {

namespace fs = std::filesystem;

struct demo_settings {
  std::string page = "heist-demo.html", traced = "13 queens";
  unsigned workers = available_parallelism(), rounds = 5;
};

// The demo is a program of its own, compiled as programs are, with no argument parser in it.
std::string demo_program() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& p : {here / "heist_demo", here / HEIST_DEMO_FOLDER / "heist_demo"})  // built, or installed
    if (fs::exists(p)) return p.lexically_normal();
  throw analysis::bad_input(
      fmt::format("there is no heist_demo in {} or {}; build it: cmake --build build --target heist_demo",
                  here.string(), (here / HEIST_DEMO_FOLDER).lexically_normal().string()));
}

// Runs heist_demo. After a failure, which has been printed, its exit status is thrown.
struct failed {
  int status;
};
program demo_with(const demo_settings& with, std::vector<std::string> words) {
  words.insert(words.begin(), {demo_program(), "--workers", std::to_string(with.workers)});
  return {words, 0};
}
void run(const demo_settings& with, const std::vector<std::string>& words,
         const std::pair<std::string, std::string>& variable) {
  const program p = demo_with(with, words);
  if (const int status = p.tell(p.run({variable}, program::output::own)); status != 0) throw failed{status};
}

// Makes three to nine runs, and after ten seconds no more than three. Three whose spans agree within a tenth are enough;
// two might each have lost a time slice.
run_file profile(const demo_settings& with, const std::string& name) {
  const auto start = std::chrono::steady_clock::now();
  const auto enough = [&](std::vector<double> spans) {
    if (spans.size() < 3) return false;
    std::ranges::sort(spans);
    return spans[2] <= 1.1 * spans[0] || std::chrono::steady_clock::now() - start > std::chrono::seconds(10);
  };
  const program p = demo_with(with, {"--once", name});
  profiled all = profile_several(p, {{"HEIST_PROFILE_UNIT", "time"}}, program::output::own, {9, enough}, [] {});
  if (!all.kept) throw failed{p.left_nothing(all.how, "profile")};
  if (const int status = p.tell(all.how); status != 0) throw failed{status};
  all.kept->json["program"] = name;
  return std::move(*all.kept);
}

std::string all_names() {
  std::string all;
  for (const char* const name : ::demo::names) all += fmt::format("{}\"{}\"", all.empty() ? "" : ", ", name);
  return all;
}

// The first name with this beginning.
std::string full_name(const std::string& beginning) {
  for (const std::string name : ::demo::names)
    if (name.starts_with(beginning)) return name;
  throw analysis::bad_input(fmt::format("there is no program \"{}\"; the programs are {}", beginning, all_names()));
}

int demo(demo_settings with) try {
  with.traced = full_name(with.traced);
  new_file page(with.page), figures(with.page + ".figures"), trace(with.page + ".trace");
  run(with, {"--rounds", std::to_string(with.rounds), "--figures", figures.draft()}, {"HEIST_PROFILE", ""});
  std::vector<run_file> files{read_run_file(figures.draft())};
  {
    progress bar("work and span", std::size(::demo::names) + 1);
    for (const char* const name : ::demo::names) {
      files.push_back(profile(with, name));
      bar.step();
    }
    run(with, {"--once", with.traced}, {"HEIST_TRACE", trace.draft()});
  }
  files.push_back(read_run_file(trace.draft()));
  files[0].json["traced"] = with.traced;
  page.write(make_page(files, "heist: the demo"));
  page.keep();
  fmt::print("\n{}: open it in a browser. It shows speed-up, work and span, a timeline of {}, space and steals.\n",
             with.page, with.traced);
  return ok;
} catch (const failed& f) {
  return f.status;
}

}  // namespace

void add_demo(CLI::App& heist, action& chosen) {
  CLI::App& app =
      *heist.add_subcommand("demo", "Run classic programs, serial and parallel; print a table and make a page");
  auto with = std::make_shared<demo_settings>();
  app.add_option("-o,--output", with->page, "write the page to this file")->capture_default_str();
  app.add_option("-w,--workers", with->workers, "the largest number of workers")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option("--rounds", with->rounds, "runs of each program; the best one counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--trace", with->traced,
                 "the program whose timeline is shown: " + all_names() + ", or the start of a name")
      ->capture_default_str();
  app.footer("Examples:\n  heist demo\n  heist demo --workers 8 --rounds 1 -o eight.html");
  app.callback([with, &chosen] { chosen = [with] { return demo(*with); }; });
}

}  // namespace heist::cli

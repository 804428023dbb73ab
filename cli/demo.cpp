// heist demo: the classic programs in one table, and their report page.

#include <cli/command.hpp>
#include <cli/page.hpp>
#include <cli/program.hpp>
#include <cli/progress.hpp>

#include <heist/pool.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

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
  for (const fs::path& p : {here / "heist_demo", here / "examples" / "heist_demo"})
    if (fs::exists(p)) return p;
  throw analysis::bad_input(
      "there is no heist_demo beside the command; build it: cmake --build build --target heist_demo");
}

// Runs heist_demo; a failure has been said, and its exit status is thrown.
struct failed {
  int status;
};
void run(const demo_settings& with, std::vector<std::string> words, const std::pair<std::string, std::string>& variable) {
  words.insert(words.begin(), {demo_program(), "--workers", std::to_string(with.workers)});
  if (const int status = program{words, 0}.run({variable}, program::output::own); status != 0) throw failed{status};
}

// Those of the figures, in their order.
std::vector<std::string> programs_of(const nlohmann::json& figures) {
  std::vector<std::string> names;
  for (const auto& s : figures.at("space")) names.push_back(s.at("program"));
  return names;
}

int demo(const demo_settings& with) try {
  new_file page(with.page), figures(with.page + ".figures"), profile(with.page + ".profile"),
      trace(with.page + ".trace");
  run(with, {"--rounds", std::to_string(with.rounds), "--figures", figures.draft()}, {"HEIST_PROFILE", ""});
  std::vector<run_file> files{read_run_file(figures.draft())};
  const std::vector<std::string> names = programs_of(files[0].json);
  {
    progress bar("work and span", names.size() + 1);
    for (const std::string& name : names) {
      run(with, {"--once", name}, {"HEIST_PROFILE", "json:" + profile.draft()});
      files.push_back(read_run_file(profile.draft()));
      files.back().json["program"] = name;
      bar.step();
    }
    run(with, {"--once", with.traced}, {"HEIST_TRACE", trace.draft()});
  }
  files.push_back(read_run_file(trace.draft()));
  files[0].json["traced"] = with.traced;
  page.write(make_page(files, "heist: the demo"));
  page.keep();
  fmt::print("\n{}: open it in a browser: speed-up, work and span, a timeline of {}, space, steals.\n", with.page,
             with.traced);
  return ok;
} catch (const failed& f) {
  return f.status;
}

}  // namespace

void add_demo(CLI::App& heist, action& chosen) {
  CLI::App& app = *heist.add_subcommand("demo", "Classic programs, serial and parallel: one table and one page");
  auto with = std::make_shared<demo_settings>();
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

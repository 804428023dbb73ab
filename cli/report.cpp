// heist report: makes one page for a browser from the files that runs have written.

#include <cli/command.hpp>
#include <cli/page.hpp>
#include <cli/program.hpp>

#include <fmt/format.h>

#include <map>
#include <memory>

namespace heist::cli {
namespace {

struct report_settings {
  std::vector<std::string> files;
  std::string to = "report.html", title;
};

// Several profiles of one program are named after their files, too.
void tell_apart(std::vector<run_file>& read, const std::vector<std::string>& files) {
  std::map<std::string, int> profiles;
  for (const run_file& f : read)
    if (f.what == run_file::kind::profile) ++profiles[f.from.program];
  for (std::size_t i = 0; i < read.size(); ++i)
    if (read[i].what == run_file::kind::profile && profiles[read[i].from.program] > 1)
      read[i].json["program"] = fmt::format("{} ({})", read[i].from.program, files[i]);
}

int write_report(const report_settings& with) {
  std::vector<run_file> read;
  for (const std::string& path : with.files) read.push_back(read_run_file(path));
  tell_apart(read, with.files);
  new_file page(with.to);
  page.write(make_page(read, with.title));
  page.keep();
  fmt::print("{}: open it in a browser\n", with.to);
  return ok;
}

}  // namespace

void add_report(CLI::App& heist, action& chosen) {
  CLI::App& app = *heist.add_subcommand("report", "Make one HTML page from profiles and traces");
  auto with = std::make_shared<report_settings>();
  app.add_option("files", with->files, "files that HEIST_PROFILE=json:FILE, HEIST_TRACE=FILE or this command wrote")
      ->required();
  app.add_option("-o,--output", with->to, "write the page to this file")->capture_default_str();
  app.add_option("--title", with->title, "the title of the page, instead of the program's name");
  app.footer(
      "The page contains all its data and needs no network.\n"
      "Examples:\n  heist report heist.trace.json\n  heist report profile.json heist.trace.json -o run.html");
  app.callback([with, &chosen] { chosen = [with] { return write_report(*with); }; });
}

}  // namespace heist::cli

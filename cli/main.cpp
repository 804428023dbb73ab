// heist: the command. One file a subcommand.

#include <cli/command.hpp>

#include <heist/version.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// The first line only, so that scripts can show it as it is.
int complain(std::string what) {
  what.resize(std::min(what.find('\n'), what.size()));
  std::fprintf(stderr, "heist: %s\n", what.c_str());
  return heist::cli::bad_usage;
}

// Names the innermost action that was recognised, so that the line can point to its help.
std::string what_is_wrong(const CLI::App& heist, const CLI::ParseError& e) {
  const CLI::App* at = &heist;
  std::string name = "heist";
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    name += " " + at->get_name();
  }
  const bool lacks_action = at->get_require_subcommand_min() > 0 && at->get_subcommands().empty();
  if (const auto words = at->remaining(); lacks_action && !words.empty())
    return "there is no \"" + words.front() + "\"; see " + name + " --help";
  const std::string what = e.what();
  return what.substr(0, what.find('\n')) + "; see " + name + " --help";
}

// From the last to the first, as CLI11 wants them. `heist help ACTION` is `heist ACTION --help`, if there is such an action.
std::vector<std::string> arguments(const CLI::App& heist, int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    const CLI::App* at = &heist;
    for (const std::string& word : words) {
      const auto all = at->get_subcommands([&](const CLI::App* action) { return action->get_name() == word; });
      if (all.empty()) throw std::invalid_argument("there is no \"" + word + "\"; see heist --help");
      at = all.front();
    }
    words.emplace_back("--help");
  }
  std::ranges::reverse(words);
  return words;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("heist: profile, trace and predict fork-join programs, and check them against the theory",
               "heist");
  app.set_version_flag("-V,--version", std::string("heist ") + HEIST_VERSION);
  app.require_subcommand(1);
  heist::cli::action chosen;
  heist::cli::add_profile(app, chosen);
  heist::cli::add_trace(app, chosen);
  heist::cli::add_record(app, chosen);
  heist::cli::add_report(app, chosen);
  heist::cli::add_race(app, chosen);
  heist::cli::add_sim(app, chosen);
  heist::cli::add_doctor(app, chosen);
  heist::cli::add_top(app, chosen);
  heist::cli::add_cluster(app, chosen);
  heist::cli::add_serve(app, chosen);
  heist::cli::add_demo(app, chosen);
  heist::cli::add_completion(app, chosen);
  heist::cli::add_man(app, chosen);
  app.add_subcommand("help", "Show the help for an action, as in: heist help profile, heist help sim run");
  app.footer(
      "Exit codes: 0 success; 1 a check failed; 2 the arguments or files cannot be used, with one line that says why.\n"
      "An action that runs a program passes on the program's exit code.\n"
      "Environment variables that programs using heist read (docs/reference/environment.md):\n"
      "  the default pool   HEIST_WORKERS HEIST_WORKERS_LEAST HEIST_STACK_SIZE HEIST_MOST_CALLERS\n"
      "                     HEIST_MOST_BLOCKED HEIST_SHARE HEIST_BIND HEIST_VICTIMS HEIST_STEAL\n"
      "                     HEIST_PROCESSORS HEIST_NICE HEIST_THREAD_NAME\n"
      "                     HEIST_FENCES HEIST_SEARCH_TIME HEIST_MOST_BACKOFF\n"
      "  every pool         HEIST_PLACEMENT HEIST_BOARD HEIST_SEED\n"
      "  heist::io          HEIST_IO\n"
      "  heist::cluster     HEIST_CLUSTER HEIST_CLUSTER_ROLE HEIST_CLUSTER_CA HEIST_CLUSTER_DURABLE\n"
      "                     HEIST_CLUSTER_SUSPECT_MS HEIST_CLUSTER_GIVE_UP_MS HEIST_CLUSTER_MOST_BYTES\n"
      "                     HEIST_CLUSTER_STATUS\n"
      "  the whole program  HEIST_PROFILE HEIST_PROFILE_UNIT HEIST_TRACE HEIST_TRACE_EVENTS\n"
      "                     HEIST_RECORD HEIST_RECORD_GRAIN HEIST_RECORD_LOOPS\n"
      "  built for races    HEIST_RACE\n"
      "Examples:\n"
      "  heist profile -- ./program\n"
      "  heist trace -- ./program\n"
      "  heist report heist.trace.json\n"
      "  heist doctor");
  try {
    app.parse(arguments(app, argc, argv));
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return complain(what_is_wrong(app, e));
  }
  return chosen();
} catch (const std::exception& e) {
  return complain(e.what());
}

// heist doctor: checks the machine, and says what to do about what it finds.

#include <cli/command.hpp>
#include <cli/machine_check.hpp>
#include <cli/machine_speed.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

namespace heist::cli {
namespace {

const char* to_string(finding::level l) {
  switch (l) {
    case finding::level::fine:
      return "fine";
    case finding::level::note:
      return "note";
    case finding::level::problem:
      return "PROBLEM";
  }
  return "";
}

int doctor(bool as_json) {
  std::vector<finding> all = check_machine();
  try {
    const std::vector<finding> speed = check_speed();
    all.insert(all.end(), speed.begin(), speed.end());
  } catch (const std::invalid_argument& e) {  // of a pool's options, which may come from a variable
    all.push_back({"speed", "not measured", finding::level::note, e.what(), "mend that setting, and look again"});
  }
  nlohmann::json json = nlohmann::json::array();
  for (const finding& f : all) {
    if (as_json) {
      json.push_back({{"name", f.name},
                      {"value", f.value},
                      {"level", CLI::detail::to_lower(to_string(f.how))},
                      {"meaning", f.meaning},
                      {"advice", f.advice}});
      continue;
    }
    fmt::print("{:<9}{:<20}{}\n{:9}{}\n", to_string(f.how), f.name, f.value, "", f.meaning);
    if (!f.advice.empty()) fmt::print("{:9}do: {}\n", "", f.advice);
  }
  if (as_json) fmt::print("{}\n", json.dump(1));
  const bool good = std::none_of(all.begin(), all.end(), [](auto& f) { return f.how == finding::level::problem; });
  return good ? ok : check_failed;
}

}  // namespace

void add_doctor(CLI::App& heist, action& chosen) {
  CLI::App& app =
      *heist.add_subcommand("doctor", "Check this machine for what affects heist, and say what to do about it");
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "print JSON");
  app.footer(
      "Exit code: 1 if a check found a problem.\nExamples:\n  heist doctor\n  heist doctor --json | jq '.[] | "
      "select(.level "
      "!= \"fine\")'");
  app.callback([json, &chosen] { chosen = [json] { return doctor(*json); }; });
}

}  // namespace heist::cli

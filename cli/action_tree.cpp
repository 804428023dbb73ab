#include <cli/action_tree.hpp>

#include <algorithm>
#include <sstream>

namespace heist::cli {
namespace {

// CLI11 writes what a value may be into the name of its type, as in TEXT:{time,strand}.
std::vector<std::string> choices_in(const std::string& type) {
  const auto open = type.find('{'), close = type.find('}');
  std::vector<std::string> all;
  if (open == std::string::npos || close == std::string::npos) return all;
  std::istringstream words(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(words, word, ',');) all.push_back(word.substr(0, word.find("->")));
  return all;
}

described_option option_of(const CLI::Option& o) {
  described_option d;
  for (const std::string& name : o.get_snames()) d.names.push_back("-" + name);
  for (const std::string& name : o.get_lnames()) d.names.push_back("--" + name);
  if (d.names.empty()) d.names.push_back(o.get_name(true));
  d.about = o.get_description();
  if (o.get_items_expected_max() > 0) {
    const std::string type = o.get_type_name();
    d.value = type.substr(0, type.find(':'));
    d.choices = choices_in(type);
    d.initial = o.get_default_str();
  }
  return d;
}

described_action action_of(const CLI::App& app, const std::string& name) {
  described_action d;
  d.name = name;
  d.about = app.get_description();
  d.footer = app.get_footer();
  d.usage = "[OPTIONS]";
  for (const CLI::Option* o : app.get_options()) {
    if (o->nonpositional()) {
      d.options.push_back(option_of(*o));
      continue;
    }
    d.positionals.push_back(option_of(*o));
    const std::string many = o->get_items_expected_max() > 1 ? "..." : "";
    const std::string word = d.positionals.back().names.front() + many;
    d.usage += o->get_required() ? " " + word : " [" + word + "]";
  }
  for (const CLI::App* action : app.get_subcommands([](const CLI::App*) { return true; }))
    d.actions.push_back(action_of(*action, name + " " + action->get_name()));
  if (!d.actions.empty()) d.usage += " ACTION";
  return d;
}

}  // namespace

described_action describe(const CLI::App& app) { return action_of(app, app.get_name()); }

}  // namespace heist::cli

// heist completion: what bash, zsh and fish need to complete its actions and options, made from what --help knows.

#include <cli/action_tree.hpp>
#include <cli/command.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

namespace heist::cli {
namespace {

// Calls f for an action and for all below it.
void for_all(const described_action& a, const std::function<void(const described_action&)>& f) {
  f(a);
  for (const described_action& below : a.actions) for_all(below, f);
}

bool runs_a_program(const described_action& a) {
  return std::ranges::any_of(a.positionals, [](const described_option& p) { return p.names.front() == "program"; });
}

std::vector<std::string> option_names(const described_action& a) {
  std::vector<std::string> all;
  for (const described_option& o : a.options) all.insert(all.end(), o.names.begin(), o.names.end());
  return all;
}

std::vector<std::string> action_names(const described_action& a) {
  std::vector<std::string> all;
  for (const described_action& below : a.actions) all.push_back(below.last_word());
  return all;
}

// A word in single quotes.
std::string quoted(const std::string& text, const std::string& quote_inside) {
  std::string out = "'";
  for (const char c : text)
    if (c == '\'')
      out += quote_inside;
    else
      out += c;
  return out + "'";
}

// The words before the one to complete give the action; the last of them may be an option that wants a value.
std::string for_bash(const described_action& heist) {
  std::string actions, values, options, arguments;
  for_all(heist, [&](const described_action& a) {
    if (!a.actions.empty())
      actions += fmt::format("      '{}') words='{}' ;;\n", a.name, fmt::join(action_names(a), " "));
    options += fmt::format("      '{}') words='{}' ;;\n", a.name, fmt::join(option_names(a), " "));
    if (runs_a_program(a)) arguments += fmt::format("      '{}') words=-- ;;\n", a.name);
    for (const described_option& p : a.positionals)
      if (!p.choices.empty()) arguments += fmt::format("      '{}') words='{}' ;;\n", a.name, fmt::join(p.choices, " "));
    for (const described_option& o : a.options)
      if (!o.value.empty())
        for (const std::string& name : o.names)
          values += fmt::format("      '{} {}') words='{}' wants_value=yes ;;\n", a.name, name, fmt::join(o.choices, " "));
  });
  return "# bash completion for heist; made by: heist completion bash\n"
         "_heist() {\n"
         "  local at=heist word words='' wants_value='' k current=${COMP_WORDS[COMP_CWORD]}\n"
         "  COMPREPLY=()\n"
         "  for ((k = 1; k < COMP_CWORD; k++)); do\n"
         "    word=${COMP_WORDS[k]}\n"
         "    if [ \"$word\" = -- ]; then # a program and its arguments\n"
         "      if ((k + 1 == COMP_CWORD)); then COMPREPLY=($(compgen -c -- \"$current\")); fi\n"
         "      COMPREPLY+=($(compgen -f -- \"$current\"))\n"
         "      return\n"
         "    fi\n"
         "    words=''\n"
         "    case $at in\n" +
         actions +
         "    esac\n"
         "    [[ \" $words \" != *\" $word \"* ]] || at=\"$at $word\"\n"
         "  done\n"
         "  words=''\n"
         "  case \"$at ${COMP_WORDS[COMP_CWORD - 1]}\" in\n" +
         values +
         "  esac\n"
         "  if [ -z \"$wants_value\" ]; then\n"
         "    if [[ $current == -* ]]; then\n"
         "      case $at in\n" +
         options +
         "      esac\n"
         "    else\n"
         "      case $at in\n" +
         actions + arguments +
         "      esac\n"
         "    fi\n"
         "  fi\n"
         "  if [ -n \"$words\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  else\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -F _heist heist\n";
}

std::string function_name(const described_action& a) {
  std::string name = "_" + a.name;
  std::ranges::replace(name, ' ', '_');
  return name;
}

// A function for each action, that calls those below it.
std::string for_zsh(const described_action& heist) {
  const auto plain = [](std::string text) {
    for (const char special : std::string("[]:"))
      for (std::size_t at = 0; (at = text.find(special, at)) != std::string::npos; at += 2) text.insert(at, "\\");
    return text;
  };
  std::string out = "#compdef heist\n# zsh completion for heist; made by: heist completion zsh\n";
  for_all(heist, [&](const described_action& a) {
    out += "\n" + function_name(a) + "() {\n  local state line\n  _arguments -C";
    for (const described_option& o : a.options)
      for (const std::string& name : o.names) {
        std::string spec = name + "[" + plain(o.about) + "]";
        if (!o.value.empty())
          spec += ":" + plain(o.value) + ":" +
                  (o.choices.empty() ? "_files" : fmt::format("({})", fmt::join(o.choices, " ")));
        out += " \\\n    " + quoted(spec, "'\\''");
      }
    if (!a.actions.empty())
      out += " \\\n    '1:action:->action' \\\n    '*::argument:->argument'";
    else if (runs_a_program(a))
      out += " \\\n    '*::program:_normal'";
    else if (!a.positionals.empty())
      out += " \\\n    '*:file:_files'";
    out += "\n";
    if (!a.actions.empty()) {
      out += "  case $state in\n  action)\n    local -a actions=(\n";
      for (const described_action& below : a.actions)
        out += "      " + quoted(below.last_word() + ":" + plain(below.about), "'\\''") + "\n";
      out += "    )\n    _describe action actions ;;\n  argument)\n    case $line[1] in\n";
      for (const described_action& below : a.actions)
        out += "    " + below.last_word() + ") " + function_name(below) + " ;;\n";
      out += "    esac ;;\n  esac\n";
    }
    out += "}\n";
  });
  return out + "\n_heist \"$@\"\n";
}

// A line for each action and each option, with the actions before it as the condition.
std::string for_fish(const described_action& heist) {
  std::string out = "# fish completion for heist; made by: heist completion fish\n";
  for_all(heist, [&](const described_action& a) {
    std::string here, others;
    for (std::size_t at = a.name.find(' '); at != std::string::npos;) {
      const std::size_t next = a.name.find(' ', at + 1);
      here += "; and __fish_seen_subcommand_from " + a.name.substr(at + 1, next == std::string::npos ? next : next - at - 1);
      at = next;
    }
    here = here.empty() ? "__fish_use_subcommand" : here.substr(6);
    if (!a.actions.empty() && &a != &heist)
      others = fmt::format("; and not __fish_seen_subcommand_from {}", fmt::join(action_names(a), " "));
    for (const described_action& below : a.actions)
      out += fmt::format("complete -c heist -f -n {} -a {} -d {}\n", quoted(here + others, "\\'"), below.last_word(),
                         quoted(below.about, "\\'"));
    for (const described_option& o : a.options) {
      out += fmt::format("complete -c heist -n {}", quoted(here, "\\'"));
      for (const std::string& name : o.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!o.choices.empty())
        out += fmt::format(" -x -a '{}'", fmt::join(o.choices, " "));
      else if (!o.value.empty())
        out += " -r";
      out += " -d " + quoted(o.about, "\\'") + "\n";
    }
  });
  return out;
}

int completion(const CLI::App& heist, const std::string& shell) {
  const described_action all = describe(heist);
  fmt::print("{}", shell == "bash" ? for_bash(all) : shell == "zsh" ? for_zsh(all) : for_fish(all));
  return ok;
}

}  // namespace

void add_completion(CLI::App& heist, action& chosen) {
  CLI::App& app = *heist.add_subcommand("completion", "Print what a shell needs to complete heist's actions and options");
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app.footer(
      "An installed heist brings these files along. Examples:\n"
      "  source <(heist completion bash)\n"
      "  heist completion zsh > ~/.zfunc/_heist          # a folder of your fpath\n"
      "  heist completion fish > ~/.config/fish/completions/heist.fish");
  app.callback([shell, &heist, &chosen] { chosen = [shell, &heist] { return completion(heist, *shell); }; });
}

}  // namespace heist::cli

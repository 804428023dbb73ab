// heist man: the manual pages, made from what --help knows.

#include <cli/action_tree.hpp>
#include <cli/command.hpp>

#include <heist/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace heist::cli {
namespace {

// In roff a backslash begins a command, as a dot or a quote does at the start of a line; a plain - is a hyphen.
std::string as_roff(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string page_name(std::string action) {
  std::ranges::replace(action, ' ', '-');
  return action;
}

void write_options(std::ostream& out, const std::vector<described_option>& options) {
  for (const described_option& o : options) {
    std::string names;
    for (const std::string& name : o.names) names += (names.empty() ? "\\fB" : ", \\fB") + as_roff(name) + "\\fR";
    if (!o.value.empty() && o.names.front().front() == '-') names += " \\fI" + as_roff(o.value) + "\\fR";
    out << ".TP\n" << names << "\n" << as_roff(o.about) << "\n";
    if (!o.choices.empty()) out << "One of " << as_roff(fmt::format("{}", fmt::join(o.choices, ", "))) << ".\n";
    if (!o.initial.empty()) out << "Default: " << as_roff(o.initial) << ".\n";
  }
}

// A footer has paragraphs of text, and lines that are meant as they are, after a line that ends with a colon.
void write_footer(std::ostream& out, const std::string& footer) {
  std::istringstream lines(footer);
  bool verbatim = false;
  const auto end_verbatim = [&] {
    if (verbatim) out << ".fi\n.RE\n";
    verbatim = false;
  };
  for (std::string line; std::getline(lines, line);) {
    if (line == "Examples:") {
      end_verbatim();
      out << ".SH EXAMPLES\n";
    } else if (line.starts_with("  ")) {
      if (!verbatim) out << ".RS 4\n.nf\n";
      verbatim = true;
      out << as_roff(line.substr(2)) << "\n";
    } else {
      end_verbatim();
      out << ".PP\n" << as_roff(line) << "\n";
    }
  }
  end_verbatim();
}

std::string page(const described_action& a, const std::string& above) {
  std::ostringstream out;
  std::string title = page_name(a.name);
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string about = a.about;
  if (about.starts_with("heist: ")) about.erase(0, 7);
  out << ".\\\" made by heist man\n";
  out << ".TH " << title << " 1 \"\" \"heist " << HEIST_VERSION << "\" \"User Commands\"\n";
  out << ".SH NAME\n" << page_name(a.name) << " \\- " << as_roff(about.substr(0, about.find_first_of(".\n"))) << "\n";
  out << ".SH SYNOPSIS\n.B " << as_roff(a.name) << "\n" << as_roff(a.usage) << "\n";
  out << ".SH DESCRIPTION\n" << as_roff(about) << "\n";
  if (!a.positionals.empty()) out << ".SH ARGUMENTS\n";
  write_options(out, a.positionals);
  out << ".SH OPTIONS\n";
  write_options(out, a.options);
  if (!a.actions.empty()) {
    out << ".SH ACTIONS\n";
    for (const described_action& below : a.actions)
      out << ".TP\n\\fB" << as_roff(below.last_word()) << "\\fR\n" << as_roff(below.about) << "\n";
  }
  if (!a.footer.empty()) {
    if (!a.footer.starts_with("Examples:")) out << ".SH NOTES\n";
    write_footer(out, a.footer);
  }
  std::vector<std::string> others;
  if (!above.empty()) others.push_back(page_name(above));
  for (const described_action& below : a.actions)
    if (below.last_word() != "help") others.push_back(page_name(below.name));
  if (!others.empty()) out << ".SH SEE ALSO\n";
  for (const std::string& other : others)
    out << ".BR " << as_roff(other) << " (1)" << (other == others.back() ? "\n" : ",\n");
  return out.str();
}

void write_pages(const described_action& a, const std::string& above, const std::filesystem::path& folder) {
  if (a.last_word() == "help") return;
  std::ofstream file(folder / (page_name(a.name) + ".1"));
  file << page(a, above);
  if (!file.flush()) throw std::runtime_error("cannot write " + (folder / (page_name(a.name) + ".1")).string());
  for (const described_action& below : a.actions) write_pages(below, a.name, folder);
}

int man(const CLI::App& heist, const std::vector<std::string>& wanted, const std::string& folder) {
  const described_action all = describe(heist);
  if (!folder.empty()) {
    std::filesystem::create_directories(folder);
    write_pages(all, "", folder);
    return ok;
  }
  const described_action* at = &all;
  std::string above;
  for (const std::string& word : wanted) {
    const auto found = std::ranges::find(at->actions, word, &described_action::last_word);
    if (found == at->actions.end()) throw std::invalid_argument("there is no \"" + word + "\"; see heist --help");
    above = at->name;
    at = &*found;
  }
  fmt::print("{}", page(*at, above));
  return ok;
}

}  // namespace

void add_man(CLI::App& heist, action& chosen) {
  CLI::App& app = *heist.add_subcommand("man", "Print the manual page of an action, for man(1)");
  auto wanted = std::make_shared<std::vector<std::string>>();
  auto folder = std::make_shared<std::string>();
  app.add_option("action", *wanted, "such as: profile, or sim run; without it, of heist itself");
  app.add_option("--into", *folder, "write the pages of all actions to this folder");
  app.footer("Examples:\n  heist man profile | man -l -\n  heist man --into /usr/local/share/man/man1");
  app.callback([wanted, folder, &heist, &chosen] {
    chosen = [wanted, folder, &heist] { return man(heist, *wanted, *folder); };
  });
}

}  // namespace heist::cli

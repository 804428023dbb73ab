#include <cli/race_page.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace heist::cli {
namespace {

using nlohmann::json;

std::string as_html(const std::string& s) {
  std::string all;
  for (const char c : s) {
    switch (c) {
      case '<': all += "&lt;"; break;
      case '>': all += "&gt;"; break;
      case '&': all += "&amp;"; break;
      case '"': all += "&quot;"; break;
      default: all += c;
    }
  }
  return all;
}

// Some lines around the place, if the file can be read here.
std::string source(const json& at) {
  constexpr unsigned around = 4;
  const unsigned line = at.at("line");
  std::ifstream in(at.at("file").get<std::string>());
  std::string all, text;
  for (unsigned n = 1; line > 0 && n <= line + around && std::getline(in, text); ++n)
    if (n + around >= line)
      all += fmt::format("<span class=\"{}\"><i>{:>5}</i> {}</span>\n", n == line ? "here" : "near", n, as_html(text));
  return all.empty() ? "(the source is not here)\n" : all;
}

std::string side(const json& a, const char* title) {
  const json& at = a.at("at");
  std::string all = fmt::format("<div class=\"side\"><h3>{}: {}{}</h3><p><code>{}:{}</code><br>{}</p><pre>{}</pre>", title,
                                as_html(a.at("access")), a.at("locked").get<bool>() ? ", with a lock or atomic" : "",
                                as_html(at.at("file")), at.at("line").get<unsigned>(), as_html(at.at("function")), source(at));
  if (!a.at("calls").empty()) {
    all += "<details><summary>calls</summary><ol>";
    for (const json& c : a.at("calls"))
      all += fmt::format("<li><code>{}:{}</code> {}</li>", as_html(c.at("file")), c.at("line").get<unsigned>(),
                         as_html(c.at("function")));
    all += "</ol></details>";
  }
  return all + "</div>";
}

// The fork, and the two strands after it.
std::string dag(const json& r) {
  const json& fork = r.at("fork");
  if (fork.is_null()) return "";
  auto line = [](const json& at) { return fmt::format("line {}", at.at("line").get<unsigned>()); };
  return fmt::format(
      "<svg viewBox=\"0 0 420 130\" width=\"420\" height=\"130\" role=\"img\" aria-label=\"the fork and the two strands\">"
      "<g fill=\"none\" stroke=\"currentColor\"><path d=\"M40 65 C90 65 90 25 140 25 H260 C310 25 310 65 360 65\"/>"
      "<path d=\"M40 65 C90 65 90 105 140 105 H260 C310 105 310 65 360 65\"/>"
      "<path stroke-dasharray=\"4 3\" class=\"race\" d=\"M200 32 V98\"/></g>"
      "<g><circle cx=\"40\" cy=\"65\" r=\"5\"/><circle cx=\"200\" cy=\"25\" r=\"6\" class=\"race\"/>"
      "<circle cx=\"200\" cy=\"105\" r=\"6\" class=\"race\"/><circle cx=\"360\" cy=\"65\" r=\"5\"/></g>"
      "<g font-size=\"12\"><text x=\"4\" y=\"52\">{}, {}</text><text x=\"212\" y=\"18\">{}, {}</text>"
      "<text x=\"212\" y=\"124\">{}, {}</text></g></svg>",
      as_html(fork.at("kind")), line(fork.at("at")), as_html(r.at("first").at("access")), line(r.at("first").at("at")),
      as_html(r.at("second").at("access")), line(r.at("second").at("at")));
}

constexpr const char* style =
    "body{font:16px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;color-scheme:light dark}"
    ".sides{display:flex;flex-wrap:wrap;gap:1em}.side{flex:1 1 28em;min-width:0}"
    "pre{overflow-x:auto;border:1px solid #8886;padding:.5em;font-size:13px}pre span{display:inline-block;min-width:100%}"
    "pre i{opacity:.6;font-style:normal}.here{background:#e5484d33}section{border-top:1px solid #8886;margin-top:2em}"
    "svg circle{fill:currentColor}svg text{fill:currentColor}svg .race{fill:#e5484d;stroke:#e5484d}h3{margin-bottom:0}"
    "code{overflow-wrap:anywhere}";

}  // namespace

std::string race_page(const json& report, const std::vector<std::string>& words) {
  const json& races = report.at("races");
  std::string command;
  for (const std::string& w : words) command += (command.empty() ? "" : " ") + w;
  const std::size_t n = races.size();
  std::string page = fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"
      "<title>Races of {0}</title><style>{1}</style><h1>{2} race{3}</h1><p><code>{0}</code>, asked for {4} races{5}.{6}</p>",
      as_html(command), style, n == 0 ? "No" : std::to_string(n), n == 1 ? "" : "s", report.at("asked").get<std::string>(),
      report.at("reversed").get<bool>() ? ", second branches first" : "",
      report.at("suppressed") > 0 ? fmt::format(" {} suppressed.", report.at("suppressed").get<unsigned>()) : "");
  std::size_t number = 0;
  for (const json& r : races) {
    page += fmt::format("<section><h2>{}. {} byte{} of {}</h2>{}", ++number, r.at("bytes").get<std::size_t>(),
                        r.at("bytes") == 1 ? "" : "s", as_html(r.at("what")), dag(r));
    page += "<p>";
    if (const json& fork = r.at("fork"); !fork.is_null())
      page += fmt::format("They part at <code>{}:{}</code>.", as_html(fork.at("at").at("file")), fork.at("at").at("line").get<unsigned>());
    if (!r.at("allocated").empty())
      page += fmt::format(" Allocated at <code>{}:{}</code>.", as_html(r.at("allocated")[0].at("file")),
                          r.at("allocated")[0].at("line").get<unsigned>());
    page += "</p><div class=\"sides\">";
    // Of what was added to a reducer that is read too early, no place is known.
    if (r.at("fork").is_null())
      page += "<div class=\"side\"><h3>First in serial order</h3><p>A strand that has not joined may have added to this reducer.</p></div>";
    else
      page += side(r.at("first"), "First in serial order");
    page += side(r.at("second"), "Second in serial order") + "</div></section>";
  }
  return page + "</html>\n";
}

}  // namespace heist::cli

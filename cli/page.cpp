#include <cli/page.hpp>
#include <cli/report/page.hpp>

#include <heist/version.hpp>

namespace heist::cli {

namespace {

// Inside a script element nothing may look like a tag. In JSON a < stands in strings only.
std::string without_tags(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

// All files of a kind, as a member of the page's data.
std::string member(const char* name, const std::vector<run_file>& files, run_file::kind what) {
  std::string all;
  for (const run_file& f : files) {
    if (f.what != what) continue;
    if (!all.empty()) all += ',';
    // A trace is long: as it was read, not written anew.
    all += what == run_file::kind::trace ? f.text : f.json.dump();
  }
  return ",\"" + std::string(name) + "\":[" + all + "]";
}

}  // namespace

std::string make_page(const std::vector<run_file>& files, std::string title) {
  nlohmann::json about = {{"heist", HEIST_VERSION}};
  for (const run_file& f : files) {
    if (f.what == run_file::kind::figures) about.update(f.json);
    if (title.empty() && f.what == run_file::kind::trace) title = f.summary.program;
    if (title.empty() && f.what == run_file::kind::profile) title = f.from.program;
  }
  if (!title.empty()) about["title"] = title;
  std::string data = about.dump();
  data.pop_back();
  data += member("profiles", files, run_file::kind::profile) + member("traces", files, run_file::kind::trace) + "}";

  constexpr std::string_view marker = "/*DATA*/";
  std::string page(report_page);
  return page.replace(page.find(marker), marker.size(), without_tags(data));
}

}  // namespace heist::cli

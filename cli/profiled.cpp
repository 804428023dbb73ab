#include <cli/profiled.hpp>

#include <algorithm>
#include <filesystem>

namespace heist::cli {

double profiled::spread() const {
  const auto [least, most] = std::minmax_element(spans.begin(), spans.end());
  return spans.empty() || *least <= 0 ? 1 : *most / *least;
}

profiled profile_several(const program& what, const std::vector<std::pair<std::string, std::string>>& variables,
                         program::output where, const profile_runs& runs, const std::function<void()>& done) {
  profiled all;
  for (unsigned i = 0; i < runs.most && !runs.enough(all.spans); ++i) {
    const new_file file((std::filesystem::temp_directory_path() / "heist.profile").string());
    auto with_file = variables;
    with_file.emplace_back("HEIST_PROFILE", "json:" + file.draft());
    const ended how = what.run(with_file, where);
    const bool failed = how.status != 0 || !file.written();
    std::optional<run_file> read;
    if (file.written()) {
      read = read_run_file(file.draft());
      // The whole process's, its beginning and its children included.
      measurement& m = read->measured;
      m.interruptions = std::max(m.interruptions, static_cast<std::size_t>(how.lost_cores));
      m.processor_time = std::max(m.processor_time, how.seconds * 1e9);
      all.spans.push_back(read->measured.span);
    }
    if (failed || !all.kept || read->measured.span < all.kept->measured.span) {
      all.kept = std::move(read);
      all.how = how;
      all.number = i;
    }
    done();
    if (failed || program::was_told_to_end()) break;
  }
  return all;
}

}  // namespace heist::cli

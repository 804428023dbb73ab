#include <analysis/dag/error.hpp>
#include <analysis/dag/io.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace heist::analysis {

dag read(std::string_view text, const std::string& source) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '[')) return read_json(text, source);
  // The first word that is not in a comment.
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\r\n", at)) != std::string_view::npos && text[at] == '#') {
    at = text.find('\n', at);
    if (at == std::string_view::npos) break;
  }
  if (at != std::string_view::npos && text.substr(at, 7) == "program") return read_program(text, source);
  return read_text(text, source);
}

dag read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in || in.bad()) throw bad_input(path + ": cannot be read: " + std::strerror(errno));
  return read(text, path);
}

}  // namespace heist::analysis

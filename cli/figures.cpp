#include <cli/figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace heist::cli {

void figures::add(std::vector<cell> row) {
  if (row.size() != columns_.size()) throw std::logic_error("a row of a table has another length than its head");
  rows_.push_back(std::move(row));
}

std::size_t figures::find(const std::string& name) const {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].name == name) return i;
  throw std::logic_error("a table has no column " + name);
}

std::string figures::text(std::size_t row, std::size_t at) const {
  const cell& c = rows_[row][at];
  if (const auto* const word = std::get_if<std::string>(&c)) return *word;
  return fmt::format("{:.{}f}", std::get<double>(c), columns_[at].digits);
}

// Words to the left, numbers to the right.
void figures::print() const {
  std::vector<std::size_t> width(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    width[i] = columns_[i].name.size();
    for (std::size_t r = 0; r < rows_.size(); ++r) width[i] = std::max(width[i], text(r, i).size());
  }
  auto put = [&](std::size_t i, const std::string& what) {
    const bool word = !rows_.empty() && std::holds_alternative<std::string>(rows_[0][i]);
    std::string s = word ? fmt::format("{:<{}}", what, width[i]) : fmt::format("{:>{}}", what, width[i]);
    fmt::print("{}{}", i == 0 ? "" : "  ", s);
    if (i + 1 == columns_.size()) fmt::print("\n");
  };
  for (std::size_t i = 0; i < columns_.size(); ++i) put(i, columns_[i].name);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    for (std::size_t i = 0; i < columns_.size(); ++i) put(i, text(r, i));
}

nlohmann::json figures::json() const {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& row : rows_) {
    nlohmann::json one;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      std::visit([&](const auto& value) { one[columns_[i].name] = value; }, row[i]);
    all.push_back(std::move(one));
  }
  return all;
}

void figures::draw(plot::chart frame, const std::string& x, const std::string& y, const std::vector<std::string>& by,
                   const std::string& path) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string name;
    for (const std::string& each : by) name += (name.empty() ? "" : ", ") + text(r, find(each));
    auto curve = std::find_if(frame.series.begin(), frame.series.end(), [&](const auto& s) { return s.name == name; });
    if (curve == frame.series.end()) {
      frame.series.push_back({name, {}});
      curve = frame.series.end() - 1;
    }
    curve->points.push_back({std::get<double>(rows_[r][find(x)]), std::get<double>(rows_[r][find(y)])});
  }
  plot::write_svg(frame, path);
}

}  // namespace heist::cli

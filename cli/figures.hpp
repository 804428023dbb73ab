#pragma once
// A table of figures: as text, as JSON, and as charts of its columns.

#include <analysis/plot/chart.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace heist::cli {

class figures {
 public:
  struct column {
    std::string name;
    int digits = 0;  // after the point
  };
  using cell = std::variant<std::string, double>;

  explicit figures(std::vector<column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<cell> row);

  void print() const;
  nlohmann::json json() const;  // a list of objects
  // A curve of column `y` over column `x` for each text in the columns `by`.
  void draw(plot::chart frame, const std::string& x, const std::string& y, const std::vector<std::string>& by,
            const std::string& path) const;

 private:
  std::size_t find(const std::string& name) const;
  std::string text(std::size_t row, std::size_t at) const;

  std::vector<column> columns_;
  std::vector<std::vector<cell>> rows_;
};

}  // namespace heist::cli
